/**
 * Projects what is said of a value without judging it.
 * Invariant: descriptions pass, and hold in words whatever else does not.
 */
import { isSchema, type JsonSchema, MCP_HEADER } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { joinSentences } from './keyword-words';
import type { Ledger } from './ledger';
import type { DialectRules } from './rules';
import { toWords } from './scalars';
import { ANNOTATIONS, type Source, type Stated } from './source';

/** What tells a model nothing. */
const UNTOLD: ReadonlySet<string> = new Set(['$comment', MCP_HEADER]);

/** The annotations of a source itself. */
export function annotationsOf({ schema, at }: Source): readonly Stated[] {
  if (!isSchema(schema)) return [];
  return Object.entries(schema)
    .filter(([keyword]) => ANNOTATIONS.has(keyword))
    .map(([keyword, value]) => ({ keyword, value, at }));
}

/** What annotations and words say in a dialect. */
export function textOf(
  annotations: readonly Stated[],
  words: readonly string[],
  { rules, ledger }: { readonly rules: DialectRules; readonly ledger: Ledger },
): JsonSchema {
  const kept: Record<string, JsonValue> = {};
  const said: string[] = [];
  for (const one of annotations) {
    const { keyword, value, at } = one;
    const isSecond = kept[keyword] !== undefined && JSON.stringify(kept[keyword]) !== JSON.stringify(value);
    if (keyword === 'description') said.push(String(value));
    else if (UNTOLD.has(keyword) || isSecond) ledger.note(at, keyword, 'dropped');
    else if (rules.annotations.has(keyword)) kept[keyword] = value;
    else toWords(one, ledger, said);
  }
  const description = joinSentences([...new Set([...said, ...words])]);
  return { ...kept, ...(description === '' ? {} : { description }) };
}
