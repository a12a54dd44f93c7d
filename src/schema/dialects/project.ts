/**
 * Gives the input schema of a tool in a dialect.
 * Invariant: the same schema gives the same projection; what cannot be carried is refused, all of it at once.
 */
import { deepFreeze } from '../../contract/deep-freeze';
import type { SchemaChange } from '../../contract/dialect';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { Refusal } from './ledger';
import { Projector } from './projector';
import { toRestore } from './restore';
import type { DialectRules } from './rules';

/** A schema in a dialect. */
export interface InDialect {
  readonly schema: JsonSchema;
  readonly changes: readonly SchemaChange[];
  /** What the dialect cannot carry; where there is any, the schema is not fit for use. */
  readonly refusals: readonly Refusal[];
  readonly restore: (args: unknown) => unknown;
}

/** Projects a schema, whose root is of type object. */
export function projectSchema(root: JsonSchema, rules: DialectRules): InDialect {
  const projector = new Projector(root, rules);
  const { schema, restorer } = projector.projectRoot();
  deepFreeze(schema);
  const { changes, refusals } = projector.ledger;
  const definitions = new Map(Object.entries(isSchema(schema.$defs) ? schema.$defs : {}));
  const definitionOf = (ref: string) => {
    const found = definitions.get(ref.replace('#/$defs/', ''));
    return isSchema(found) ? found : undefined;
  };
  return { schema, changes, refusals, restore: toRestore(restorer, definitionOf) };
}
