/**
 * Texts that come again are scrubbed once.
 * Invariant: nobody can tell by the answer whether a text was remembered.
 */
import fc from 'fast-check';
import { remembering } from '../../../src/invocation/scrub/remembering';

it('gives what scrubbing gives, whatever came before', () => {
  const scrub = (text: string) => `${text.length} ${text.slice(0, 3)}`;
  const remembered = remembering(scrub);
  const texts = fc.array(
    fc.oneof(fc.constantFrom('a', 'bb', '__proto__', ''), fc.string({ maxLength: 400 })),
  );
  fc.assert(
    fc.property(texts, (all) => expect(all.map(remembered)).toEqual(all.map(scrub))),
    { seed: 8, numRuns: 100 },
  );
});

it('scrubs an id once, and a text that is none each time', () => {
  const seen: string[] = [];
  const remembered = remembering((text) => {
    seen.push(text);
    return text;
  });
  const long = 'x'.repeat(257);
  for (const text of ['one', 'two', 'one', long, long]) remembered(text);
  expect(seen).toEqual(['one', 'two', long, long]);
});

it('forgets once there are many', () => {
  let scrubbed = 0;
  const remembered = remembering((text) => {
    scrubbed += 1;
    return text;
  });
  for (let nth = 0; nth <= 1_000; nth += 1) remembered(`text ${nth}`);
  remembered('text 0');
  expect(scrubbed).toBe(1_002);
});
