/**
 * What a schema node demands, in words.
 * Invariant: every keyword that constrains is told.
 */
import { constraintsOf, listed } from '../../../src/cli/review/constraint';
import { DATE_SCHEMA } from '../../../src/schema/rules/dates';
import { FREE_FORM_KEYS } from '../../../src/schema/stricter';

it.each([
  [{ minLength: 1, maxLength: 5 }, ['1 to 5 characters']],
  [{ maxLength: 5, minLength: 5 }, ['5 characters']],
  [{ minItems: 1 }, ['at least 1 elements']],
  [{ maxItems: 0 }, ['at most 0 elements']],
  [{ maximum: 5, minimum: -1, exclusiveMinimum: -0.5 }, ['≥ -1', '> -0.5', '≤ 5']],
  [{ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
  [{ ...DATE_SCHEMA }, ['RFC 3339 date-time']],
  [{ pattern: '^a|b$', format: 'email' }, ['pattern ^a|b$', 'format email']],
  [{ uniqueItems: true }, ['no element twice']],
  [{ uniqueItems: false, additionalProperties: false }, []],
  [{ propertyNames: FREE_FORM_KEYS, additionalProperties: true }, ['further properties']],
  [{ not: { enum: ['', null] } }, ['none of "", null']],
  [{ not: { type: 'string' }, multipleOf: 0.5 }, ['not {"type":"string"}', 'multipleOf 0.5']],
  [{ deprecated: true, readOnly: true }, ['deprecated true', 'readOnly true']],
  [{ type: 'string', enum: ['a'], description: 'x', default: 'a', examples: ['a'] }, []],
])('%j is told as %j', (node, words) => {
  expect(constraintsOf(node)).toEqual(words);
});

it('lists values as JSON', () => {
  expect(listed(['a', 1, null])).toBe('"a", 1, null');
});
