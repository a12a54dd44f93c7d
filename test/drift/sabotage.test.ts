/**
 * The drift check, checked: every rule is broken on purpose, one keyword at a time, and the check finds out; in each run
 * of the tests every third rule, and all of them where TOOLCRIB_SABOTAGE=whole.
 * Invariant: a schema without a fault passes, and every form whose schema decides alone has faults that are found.
 */
import { DeclarationError, inputContract } from 'toolcrib';
import { FORMS, formNamed, MORE_FORMS } from './forms/all';
import { type Fate, tryFaults } from './sabotage';
import { type DtoSpec, forget, makeDto, type PropertySpec } from './spec';

const PATIENCE_MS = 60_000;

/** The keywords by which a rule speaks; without one of them a schema must take or refuse more. */
const SPEAKING =
  /\/(?:pattern|enum|const|not|allOf|multipleOf|(?:exclusive)?M(?:in|ax)imum|(?:min|max)\w+|uniqueItems|contains) dropped$/;

function only(property: PropertySpec): DtoSpec {
  return { properties: { v: property }, inherited: 0 };
}

function isExact(spec: DtoSpec): boolean {
  const { cls, all } = makeDto(spec);
  try {
    return inputContract(cls).validatorOnlyRules.length === 0;
  } catch (error) {
    if (error instanceof DeclarationError) return false;
    throw error;
  } finally {
    forget(all);
  }
}

/** In the short form every third. */
const isWhole = process.env.TOOLCRIB_SABOTAGE === 'whole';

const EXACT = [...FORMS, ...MORE_FORMS]
  .filter((_, index) => isWhole || index % 3 === 0)
  .map((form) => ({ name: form.name, spec: only({ uses: [{ form, each: false }] }) }))
  .filter(({ spec }) => isExact(spec));

function namesOf(fates: ReadonlyMap<string, Fate>, wanted: Fate): readonly string[] {
  return [...fates].filter(([, fate]) => fate === wanted).map(([name]) => name);
}

/** A least length that a pattern beside it says again, for a reader. */
function isSaidAgain(fates: ReadonlyMap<string, Fate>, fault: string): boolean {
  return fault.endsWith('/minLength dropped') && fates.get(fault.replace('minLength', 'pattern')) === 'found';
}

describe('the drift check', () => {
  it.each(EXACT)(
    'passes the schema of $name and finds its faults',
    async ({ spec }) => {
      const fates = await tryFaults(spec);
      expect(fates.get('')).toBe('idle');
      expect(namesOf(fates, 'found')).not.toEqual([]);
      const idle = namesOf(fates, 'idle').filter((name) => SPEAKING.test(name));
      expect(idle.filter((name) => !isSaidAgain(fates, name))).toEqual([]);
    },
    PATIENCE_MS,
  );

  const text = only({ uses: [{ form: formNamed('IsString'), each: false }], optional: true });
  const lines: PropertySpec = {
    uses: [],
    holds: {
      kind: 'dto',
      each: true,
      dto: { properties: { n: { uses: [{ form: formNamed('IsInt'), each: false }] } }, inherited: 0 },
    },
  };
  it.each([
    ['a lost null', text, '/properties/v/type without the last'],
    ['an absence refused', text, '/required of all'],
    [
      'a lost required property',
      only({ uses: [{ form: formNamed('IsString'), each: false }] }),
      '/required dropped',
    ],
    ['an open object', text, '/additionalProperties dropped'],
    ['an open nested object', only(lines), '/$defs/Made/additionalProperties dropped'],
    ['a nested property that may be left out', only(lines), '/$defs/Made/required dropped'],
    ['nested rules that are lost', only(lines), '/$defs/Made/properties/n/type dropped'],
    ['elements that are not looked at', only(lines), '/properties/v/items dropped'],
  ])('finds %s', async (_, spec, fault) => {
    expect((await tryFaults(spec)).get(fault)).toBe('found');
  });
});
