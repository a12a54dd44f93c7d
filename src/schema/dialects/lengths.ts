/**
 * Exact maximum lengths: a count of code points, or a pattern that lets more units of text pass.
 * Invariant: each becomes a plain `maxLength`, and is noted as narrowed.
 */
import { isSchema } from '../../contract/schema';
import type { Union } from './conjunction';
import type { Ledger } from './ledger';
import type { Stated } from './source';

function lengthOf({ keyword, branches }: Union): number | undefined {
  if (keyword !== 'anyOf' || branches.length !== 2) return undefined;
  const parts = branches.map(({ schema }) => (isSchema(schema) ? schema : {}));
  const bound = parts.find((part) => Object.keys(part).join() === 'maxLength')?.maxLength;
  const hasPattern = parts.some((part) => Object.keys(part).join() === 'pattern');
  return hasPattern && typeof bound === 'number' ? bound : undefined;
}

/** Takes the exact maximum lengths out of unions. */
export function takeLengths(
  unions: readonly Union[],
  ledger: Ledger,
): { readonly unions: readonly Union[]; readonly lengths: readonly Stated[] } {
  const lengths: Stated[] = [];
  const others = unions.filter((union) => {
    const value = lengthOf(union);
    if (value === undefined) return true;
    ledger.note(union.at, union.keyword, 'narrowed', `maxLength: ${value}`);
    lengths.push({ keyword: 'maxLength', value, at: union.at });
    return false;
  });
  return { unions: others, lengths };
}
