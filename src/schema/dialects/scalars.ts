/**
 * Projects the keywords that judge a value by itself: bounds, patterns, formats, listed values.
 * Invariant: what the dialect does not take stands in words; two bounds leave the stricter.
 */
import type { JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { isLengthPattern } from '../patterns/text-length';
import type { Conjunction } from './conjunction';
import { keywordWords } from './keyword-words';
import type { Ledger } from './ledger';
import { isPortable } from './portable-pattern';
import type { DialectRules } from './rules';
import type { Stated } from './source';
import { isOfType } from './types';

/** What a keyword is projected by and into. */
interface Dialect {
  readonly rules: DialectRules;
  readonly ledger: Ledger;
}

const OF_TYPE: { readonly [type: string]: readonly string[] } = {
  string: [
    'pattern',
    'minLength',
    'maxLength',
    'format',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
  ],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: [
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
    'prefixItems',
    'unevaluatedItems',
  ],
  object: [
    'minProperties',
    'maxProperties',
    'propertyNames',
    'patternProperties',
    'additionalProperties',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
};

/** The types that a keyword judges; undefined: all. */
function judgedBy(keyword: string): readonly string[] | undefined {
  const found = Object.entries(OF_TYPE).find(([, keywords]) => keywords.includes(keyword))?.[0];
  if (found === undefined) return undefined;
  return found === 'number' ? ['number', 'integer'] : [found];
}

/** Tells whether a keyword says anything about values of some types. */
function applies(keyword: string, types: readonly string[]): boolean {
  return judgedBy(keyword)?.some((type) => types.includes(type)) ?? true;
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

function isBound(keyword: string): boolean {
  return LOWER.includes(keyword) || UPPER.includes(keyword);
}

/** The different statements of one keyword; of bounds the strictest comes first. */
function distinct(keyword: string, stated: readonly Stated[]): readonly Stated[] {
  const own = stated.filter((one) => one.keyword === keyword);
  const different = [...new Map(own.map((one) => [JSON.stringify(one.value), one])).values()];
  if (!isBound(keyword)) return different;
  const sign = LOWER.includes(keyword) ? -1 : 1;
  return different.sort((one, other) => sign * (Number(one.value) - Number(other.value)));
}

function isTaken({ keyword, value }: Stated, rules: DialectRules): boolean {
  if (!rules.keeps.has(keyword)) return false;
  if (/"\$(ref|dynamicRef|id|anchor|dynamicAnchor)":/.test(JSON.stringify(value))) return false;
  if (keyword === 'format') return rules.formats.has(String(value));
  return keyword !== 'pattern' || !rules.hasForeignPatterns || isPortable(String(value));
}

/** For whole numbers an exclusive bound is an inclusive one. */
function toInclusive(
  one: Stated,
  types: readonly string[],
): readonly [keyword: string, bound: number] | undefined {
  if (types.includes('number') || typeof one.value !== 'number') return undefined;
  if (one.keyword === 'exclusiveMinimum') return ['minimum', Math.floor(one.value) + 1];
  return one.keyword === 'exclusiveMaximum' ? ['maximum', Math.ceil(one.value) - 1] : undefined;
}

/** Moves a keyword into words. */
export function toWords({ keyword, value, at }: Stated, ledger: Ledger, words: string[]): void {
  if (keyword === 'pattern' && isLengthPattern(value)) {
    ledger.note(at, keyword, 'dropped', 'minLength counts a few rare characters twice');
    return;
  }
  const text = keywordWords(keyword, value);
  ledger.note(at, keyword, 'moved_to_description', text);
  if (!words.includes(text)) words.push(text);
}

/** Projects all keywords that stand for themselves. `isRoot` keeps to what a root may hold. */
export function projectRest(
  stated: readonly Stated[],
  types: readonly string[],
  { words, isRoot }: { readonly words: string[]; readonly isRoot: boolean },
  { rules, ledger }: Dialect,
): JsonSchema {
  const out: Record<string, JsonValue> = {};
  const keywords = new Set(stated.map(({ keyword }) => keyword));
  for (const keyword of keywords) {
    if (!applies(keyword, types)) continue;
    const [kept, ...others] = distinct(keyword, stated);
    if (kept === undefined) continue;
    const inclusive = rules.keeps.has(keyword) ? undefined : toInclusive(kept, types);
    if (inclusive !== undefined) {
      const [name, bound] = inclusive;
      ledger.note(kept.at, keyword, 'rewritten', `${name}: ${bound}`);
      const before = out[name];
      const pick = name === 'minimum' ? Math.max : Math.min;
      out[name] = typeof before === 'number' ? pick(before, bound) : bound;
    } else if (isTaken(kept, rules) && !(isRoot && keyword === 'not')) {
      const before = out[keyword];
      const pick = keyword === 'minimum' ? Math.max : Math.min;
      const isNumber = typeof before === 'number' && typeof kept.value === 'number';
      out[keyword] = isNumber ? pick(Number(before), Number(kept.value)) : kept.value;
    } else {
      toWords(kept, ledger, words);
    }
    for (const other of others) {
      if (isBound(keyword))
        ledger.note(other.at, keyword, 'dropped', `${keyword}: ${kept.value} is stricter`);
      else toWords(other, ledger, words);
    }
  }
  return out;
}

/** Projects listed values, of one or more types that are known. Those whose form is undone stand in words. */
export function projectValues(
  { values, placeOf }: Conjunction,
  within: readonly string[],
  place: { readonly at: string; readonly words: string[]; readonly isUndone: boolean },
  { rules, ledger }: Dialect,
): JsonSchema {
  if (values === undefined) return {};
  const keyword = placeOf('const') === undefined ? 'enum' : 'const';
  const at = placeOf(keyword) ?? place.at;
  const listed = values.filter((value) => within.some((type) => isOfType(value, type)));
  if (rules.hasAnyValues && !place.isUndone) {
    return keyword === 'const' ? { const: listed[0] ?? null } : { enum: listed };
  }
  if (within.join() === 'null') return {};
  if (within.join() === 'string' && !listed.includes('')) {
    const isOther = keyword === 'const' || listed.length < values.length;
    if (isOther) ledger.note(at, keyword, 'rewritten', `enum: ${JSON.stringify(listed)}`);
    return { enum: listed };
  }
  toWords({ keyword, value: keyword === 'const' ? (listed[0] ?? null) : listed, at }, ledger, place.words);
  return {};
}
