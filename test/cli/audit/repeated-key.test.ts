/**
 * Keys that stand twice in one object of a JSON text.
 * Invariant: what is told is what `JSON.parse` would lose, whatever else the text holds.
 */
import * as fc from 'fast-check';
import { repeatedKey } from '../../../src/cli/audit/repeated-key';
import { forAll } from '../../fixtures/for-all';

it.each([
  ['a', '{"a":1,"a":2}'],
  ['a', '{"b":[{"a":{}, "c":[], "a" : 2}]}'],
  ['a', '{"a":1,"\\u0061":2}'],
  ['__proto__', '{"__proto__":1,"__proto__":2}'],
  ['', '{"":{"":1},"":2}'],
  ['b', '{"a":["b",{"b":1}],"b":"a","b":"}"}'],
])('finds %j in %s', (key, text) => {
  expect(repeatedKey(text)).toBe(key);
});

it.each([
  '{}',
  '"a"',
  '1',
  '{"a":{"a":{"a":"a"}}}',
  '[{"a":1},{"a":2}]',
  '{"a":["a","a"],"b":"a"}',
  '{"a":"\\",\\"a\\":1","b":"{\\"b\\":"}',
  '{"a\\\\":1,"a":2}',
])('finds none in %s', (text) => {
  expect(repeatedKey(text)).toBeUndefined();
});

it('finds none in what JSON.stringify writes, and the one that is put in beside it', () => {
  forAll(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
    const text = JSON.stringify(value, null, 1);
    expect(repeatedKey(text)).toBeUndefined();
    const [key = ''] = Object.keys(value);
    expect(repeatedKey(`${text.slice(0, -1)},${JSON.stringify(key)}:0}`)).toBe(key);
  });
});
