/**
 * Text in Markdown.
 * Invariant: what a name or a sentence holds is shown as it is: no link, no emphasis, no other cell.
 */
import { shown } from '../../src/cli/markdown';

it.each([
  ['www.evil.example', '`www.evil.example`'],
  ['see WWW.evil.example.', 'see `WWW.evil.example`.'],
  ['(www.evil.example), then', '`(www.evil.example)`, then'],
  ['http://evil.example/a_b_', '`http://evil.example/a_b_`'],
  ['ftp://x|y', '`ftp://x\\|y`'],
  ['https://x/`a`', '`` https://x/`a` ``'],
  ['ann@evil.example', '`ann@evil.example`'],
  ['@org/team', '`@org/team`'],
  ['mailto:ann', '`mailto:ann`'],
  ['orders.lookup@1.0.0-beta', '`orders.lookup@1.0.0-beta`'],
  ['orders.lookup@1.0.0', 'orders.lookup@1.0.0'],
])('%j becomes no link', (text, markdown) => {
  expect(shown(text)).toBe(markdown);
});

it.each([
  ['__init__', '\\_\\_init\\_\\_'],
  ['_x_', '\\_x\\_'],
  ['a._b_.c', 'a.\\_b\\_.c'],
  ['order_id', 'order_id'],
  ['a__b', 'a\\_\\_b'],
  ['*a* **b**', '\\*a\\* \\*\\*b\\*\\*'],
  ['~~a~~', '\\~\\~a\\~\\~'],
  ['`a`', '\\`a\\`'],
  ['a | b', 'a \\| b'],
  ['<b>&amp;', '\\<b\\>\\&amp;'],
])('%j is not styled', (text, markdown) => {
  expect(shown(text)).toBe(markdown);
});

it('takes time that grows with the length alone', () => {
  const text = '@'.repeat(100_000);
  expect(shown(text)).toBe(`\`${text}\``);
  expect(shown(`${'.'.repeat(100_000)}@a`)).toContain('@a`');
});
