/**
 * Finds properties whose absence says something to another keyword, so that a null cannot stand in for it.
 * Invariant: only names are looked for; what the keywords say beside is left to the gate.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { acceptsNull } from './accepts-null';
import type { Conjunction } from './conjunction';
import type { Ledger } from './ledger';

const TRIGGERS = ['dependentRequired', 'dependentSchemas', 'dependencies'];
/** Keywords that judge every property that is there. */
const OF_ALL = ['maxProperties', 'propertyNames', 'patternProperties'];

/** The names that a schema requires anywhere. */
function requiredIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(requiredIn);
  if (!isSchema(value)) return [];
  const own = Array.isArray(value.required) ? value.required.map(String) : [];
  return [...own, ...Object.values(value).flatMap(requiredIn)];
}

/** The properties of an object that it may have to do without. */
export function absencesIn({ properties, rest, unions, values = [] }: Conjunction): ReadonlySet<string> {
  const names = [...properties.keys()];
  const told = rest.flatMap(({ keyword, value }): readonly string[] => {
    if (TRIGGERS.includes(keyword)) return Object.keys(Object(value));
    if (keyword === 'not' || keyword === 'if') return requiredIn(value);
    return OF_ALL.includes(keyword) ? names : [];
  });
  const exclusive = unions.filter(({ keyword }) => keyword === 'oneOf').flatMap(({ branches }) => branches);
  const chosen = exclusive.flatMap(({ schema }) => requiredIn(schema));
  const listed = names.filter((name) => values.some((one) => isSchema(one) && !Object.hasOwn(one, name)));
  return new Set([...told, ...chosen, ...listed]);
}

/** Notes properties of branches that, being null and not absent, could make a second branch fit. */
export function noteExclusive(branches: readonly Conjunction[], root: JsonSchema, ledger: Ledger): void {
  for (const branch of branches) {
    for (const [name, sources] of branch.properties) {
      const isElsewhere = branches.some((other) => other !== branch && other.required.has(name));
      if (!isElsewhere || branch.required.has(name) || !acceptsNull(sources, root)) continue;
      ledger.note(sources[0]?.at ?? '', 'required', 'narrowed', 'null does not mean absent');
    }
  }
}
