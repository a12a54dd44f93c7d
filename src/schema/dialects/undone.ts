/**
 * Tells which keywords read of a value what `restore` undoes in it: names, and nulls that mean absent.
 * Invariant: no keyword that passes as it is judges the model's form of a value by the gate's.
 */
import { isSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { Restorer } from './restore';
import type { Stated } from './source';

const OF_VALUES = ['type', 'enum', 'const'];

function holdsContainer(value: JsonValue): boolean {
  return Object.values(Object(value)).some((one) => typeof one === 'object' && one !== null);
}

/** Tells whether a negation is about types and scalars alone. */
function isPlain(value: JsonValue): boolean {
  if (!isSchema(value) || Object.keys(value).some((keyword) => !OF_VALUES.includes(keyword))) return false;
  const { enum: listed = [], const: only = null } = value;
  return !holdsContainer(listed) && !holdsContainer([only]);
}

/** Tells whether a keyword judges what is undone in the value that it stands for. */
export function readsUndone({ keyword, value }: Stated, restorer: Restorer | undefined): boolean {
  if (restorer === undefined) return false;
  if (keyword === 'propertyNames') return restorer.kind === 'object' && restorer.names.size > 0;
  return keyword === 'not' && !isPlain(value);
}
