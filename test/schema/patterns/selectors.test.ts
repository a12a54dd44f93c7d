/**
 * The patterns whose texts hold no variation selector, and lengths beside them.
 * Invariant: beside such a pattern plain keywords count as class-validator counts; beside any other they do not.
 */
import { IsAlphanumeric, IsString, Length, Matches, MaxLength } from 'class-validator';
import fc from 'fast-check';
import { inputContract } from 'toolcrib';
import { admitsSelectors } from '../../../src/schema/patterns/selectors';
import { dtoWith } from '../../fixtures/dto-with';
import { accepts, validatorVerdict } from '../../fixtures/verdicts';

describe('a pattern', () => {
  it.each(['^ORD-\\d{4}$', '^[a-z]+(?:-[a-z]+)*$', '^(?=.*\\d)[a-z0-9]+$', '^a$|^b$', '^\\p{Lu}+$'])(
    'takes no selector: %s',
    (pattern) => {
      expect(admitsSelectors(pattern)).toBe(false);
    },
  );

  it.each(['ORD', '^a', 'a$', '^.$', '^[^a]$', '^\\S$', '^a$|b', '^[\\uFE00-\\uFE10]$', '^\\uFE0F$', '('])(
    'may take one: %s',
    (pattern) => {
      expect(admitsSelectors(pattern)).toBe(true);
    },
  );
});

describe('a length', () => {
  it('beside a pattern that takes no selector is plain', () => {
    const { schema } = inputContract(dtoWith(Length(2, 9), Matches(/^[a-z]+$/)));
    expect(schema.properties).toEqual({
      v: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 9 },
    });
    expect(inputContract(dtoWith(MaxLength(9), IsAlphanumeric())).schema.properties).toMatchObject({
      v: { maxLength: 9 },
    });
  });

  it('beside any other, or none, is exact', async () => {
    const texts = fc.array(fc.constantFrom('a', '💩', '\ufe0f', '\ufe0e', '\ud83d'), { maxLength: 8 });
    for (const rules of [[IsString()], [Matches(/a|[^a]|^$/)]]) {
      const cls = dtoWith(Length(2, 3), ...rules);
      await fc.assert(
        fc.asyncProperty(texts, async (parts) => {
          const raw = { v: parts.join('') };
          expect(await accepts(cls, raw)).toBe((await validatorVerdict(cls, raw)) === 'accepts');
        }),
        { numRuns: 200, seed: 4 },
      );
    }
  });
});
