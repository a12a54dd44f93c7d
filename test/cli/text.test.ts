/**
 * How results are written.
 * Invariant: whatever a text holds, no control character but line feed and tab comes out of it.
 */
import * as fc from 'fast-check';
import { oneLine, plain, toJsonText, toTable } from '../../src/cli/text';
import { forAll } from '../fixtures/for-all';

const anyText = fc.string({ unit: 'binary' });

it('escapes what could steer a terminal', () => {
  expect(plain('a\u001b[2Jb\u009b\u202e\r\n\tc')).toBe('a\\u001b[2Jb\\u009b\\u202e\\u000d\n\tc');
});

it('lets no control character through', () => {
  forAll(anyText, (text) => !/[^\P{Cc}\n\t]/u.test(plain(text)));
  forAll(anyText, (text) => !/\p{Cc}/u.test(oneLine(text)));
});

it('keeps JSON of one meaning', () => {
  forAll(anyText, (text) => JSON.parse(plain(JSON.stringify(text))) === text);
});

it('puts rows into columns', () => {
  const rows = [
    ['a', 'long', ''],
    ['bcd', 'e\nf', 'g'],
  ];
  expect(toTable(rows, '> ')).toBe('> a    long\n> bcd  e f   g\n');
  expect(toTable([])).toBe('');
});

it('ends JSON with one line feed', () => {
  expect(toJsonText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});

it('escapes in JSON what nobody sees, and it reads back as the same value', () => {
  const value = { 'a\u202e': 'x\u200by\u{e0041}\n\u2028' };
  const text = toJsonText(value);
  expect(text).not.toMatch(/[\p{Cf}\p{DI}\p{Zl}]/u);
  expect(JSON.parse(text)).toEqual(value);
});
