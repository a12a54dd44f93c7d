/**
 * Alternatives of which one takes any JSON value: what a conversion or a condition leaves open, beside what the
 * value most often is.
 * Invariant: where the dialect cannot carry any JSON value, the other alternative stands alone, and that is noted.
 */
import { isSchema } from '../../contract/schema';
import type { Union } from './conjunction';
import type { Ledger } from './ledger';
import type { References } from './references';
import type { Source } from './source';

const JSON_TYPES = 6;

function takesAnything({ schema }: Source, references: References): boolean {
  if (!isSchema(schema)) return schema;
  const target = typeof schema.$ref === 'string' ? references.look(schema.$ref)?.schema : schema;
  return isSchema(target) && Array.isArray(target.type) && target.type.length === JSON_TYPES;
}

/** Leaves any JSON value out of unions that have another alternative. */
export function takeHints(
  unions: readonly Union[],
  references: References,
  ledger: Ledger,
): readonly Union[] {
  return unions.map((union) => {
    const branches = union.branches.filter((branch) => !takesAnything(branch, references));
    if (branches.length === 0 || branches.length === union.branches.length) return union;
    ledger.note(union.at, union.keyword, 'narrowed', 'without any JSON value');
    return { ...union, branches };
  });
}
