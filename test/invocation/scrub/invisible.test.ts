/**
 * Characters that nobody sees.
 * Invariant: none of them reaches a model in an error, and what scripts and emojis are written with does.
 */
import fc from 'fast-check';
import { scrubText } from '../../../src/invocation/scrub';
import { runOnce } from '../../fixtures/recorded-toolkit';

const GONE: readonly string[] = [
  ...['\0', '\x07', '\x1B', '\x7F', '\x85', '\u00AD', '\u061C', '\u180E', '\u200B', '\u200E', '\u200F'],
  ...[
    '\u2028',
    '\u202A',
    '\u202E',
    '\u2060',
    '\u2066',
    '\u2069',
    '\u3164',
    '\uFEFF',
    '\u{E0041}',
    '\u{E0100}',
  ],
];

it.each(GONE)('takes %j out', (character) => {
  expect(scrubText(`pay${character}load`)).toBe('payload');
});

it('takes joiners out between letters that do not join, and rows of selectors', () => {
  expect(scrubText('pay\u200Dlo\u200Cad')).toBe('payload');
  expect(scrubText('❤\uFE0F\uFE01\uFE02')).toBe('❤\uFE0F');
});

it('takes halves of characters out, which many models refuse', async () => {
  expect(scrubText('pay\uD83D load\uDE00 😀')).toBe('pay load 😀');
  const thrown = new Error(`${'so it was '.repeat(60).slice(0, 492)}😀`);
  const { result } = await runOnce(() => Promise.reject(thrown));
  expect(JSON.stringify(result)).not.toMatch(/\\ud[89a-f]/i);
});

it('finds a secret that invisible characters part', () => {
  expect(scrubText('pass\u200Bword=hun\u2060ter2')).toBe('password=[redacted]');
});

it.each([
  'می‌خواهم',
  'क्‍या',
  '👨‍👩‍👧',
  '❤️‍🔥',
  '⭐️',
  'tab\tand\r\nlines',
  'naïve café',
  '東京、大阪',
  'שלום עולם',
])('leaves %j as it is', (text) => {
  expect(scrubText(text)).toBe(text);
});

it('leaves no control character of directions in any text', () => {
  const pieces = fc.array(fc.constantFrom('\u202E', '\u2066', '\u200F', 'a', 'ש', ' '));
  fc.assert(
    fc.property(pieces, (all) => {
      expect(scrubText(all.join(''))).toBe(all.filter((one) => /[aש ]/.test(one)).join(''));
    }),
    { seed: 3 },
  );
});
