/**
 * Putting masked values back into edited arguments.
 * Invariant: arguments that come back as they were shown are the original ones, and no mask is ever left.
 */
import fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import { unmask } from '../../../src/invocation/approval/unmask';
import { Scrubber } from '../../../src/invocation/scrub';
import { MASK } from '../../../src/invocation/scrub/detector';

const scrubber = new Scrubber();
const original = { user: 'ann', password: 'hunter2-and-more', list: [{ token: 'abcdef123456-XYZ' }, 1] };
const shown = scrubber.json(original);

it('gives the original back where nothing was edited', () => {
  expect(shown).not.toEqual(original);
  expect(unmask(shown, shown, original)).toEqual({ ok: true, value: original });
});

it('takes edits beside what is masked, and new values in its place', () => {
  const beside = { user: 'bob', password: MASK, list: [{ token: MASK }, 2] };
  expect(unmask(beside, shown, original)).toEqual({
    ok: true,
    value: { ...original, user: 'bob', list: [{ token: 'abcdef123456-XYZ' }, 2] },
  });
  const anew = { ...original, password: 'another-one' };
  expect(unmask(anew, shown, original)).toEqual({ ok: true, value: anew });
});

it.each<readonly [string, JsonValue]>([
  ['under another name', { user: MASK }],
  ['within other text', { password: `x${MASK}` }],
  ['in a list that became shorter', { list: [{ token: MASK }] }],
  ['in a list that became longer', { list: [0, { token: MASK }, 1] }],
  ['that was copied within a list', { list: [{ token: MASK }, { token: MASK }] }],
  ['as a key', { [MASK]: 1 }],
  ['in place of everything', MASK],
])('refuses a mask %s', (_case, edited) => {
  expect(unmask(edited, shown, original)).toMatchObject({ ok: false });
});

it('refuses masks in parts of a list that changed places', () => {
  const pay = (to: string, token: string) => ({ to, token });
  const all = [pay('ann', 'abcdef123456-ANN'), pay('bob', 'abcdef123456-BOB')];
  const masked = [pay('ann', MASK), pay('bob', MASK)];
  expect(scrubber.json(all)).toEqual(masked);
  expect(unmask(masked.toReversed(), masked, all)).toMatchObject({ ok: false });
  expect(unmask([pay('ann', MASK), pay('ann', MASK)], masked, all)).toMatchObject({ ok: false });
  expect(unmask([pay('ann', MASK), pay('bert', MASK)], masked, all)).toEqual({
    ok: true,
    value: [pay('ann', 'abcdef123456-ANN'), pay('bert', 'abcdef123456-BOB')],
  });
  const alike = [pay('ann', 'abcdef123456-ONE'), pay('ann', 'abcdef123456-TWO')];
  expect(unmask(scrubber.json(alike), scrubber.json(alike), alike)).toEqual({ ok: true, value: alike });
});

it('puts keys back that were masked', () => {
  const secret = 'AKIAIOSFODNN7EXAMPLE';
  const keyed = { [secret]: 1, b: 2 };
  const masked = scrubber.json(keyed);
  expect(masked).not.toEqual(keyed);
  expect(unmask(masked, masked, keyed)).toEqual({ ok: true, value: keyed });
});

it('gives the original back, or refuses, for whatever JSON there is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json: JsonValue = JSON.parse(JSON.stringify(value));
      const masked = scrubber.json(json);
      const back = unmask(masked, masked, json);
      if (back.ok) expect(back.value).toEqual(json);
    }),
  );
});
