/**
 * The rules on codes from a list: countries, currencies, languages.
 * Invariant: the list is read off class-validator's own predicate, so it is the one of the installed version.
 */
import {
  IsBIC,
  IsISO4217CurrencyCode,
  IsISO6391,
  IsISO31661Alpha2,
  IsISO31661Alpha3,
  IsISO31661Numeric,
  IsTaxId,
  isBIC,
  isISO4217CurrencyCode,
  isISO6391,
  isISO31661Alpha2,
  isISO31661Alpha3,
  isISO31661Numeric,
  isTaxId,
} from 'class-validator';
import { exact, exactPattern, type Rule, TEXT, validatorOnly } from './rule';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = [...'0123456789'];

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** All codes of a length that a predicate takes. */
function codesOf(
  alphabet: readonly string[],
  length: number,
  isCode: (code: string) => boolean,
): readonly string[] {
  let codes: readonly string[] = [''];
  for (let count = 0; count < length; count += 1) {
    codes = codes.flatMap((code) => alphabet.map((one) => code + one));
  }
  return codes.filter(isCode);
}

type Spell = (character: string) => string;

/** A pattern for codes of one length, grouped by what they begin with. */
function grouped(codes: readonly string[], spell: Spell): string {
  const heads = [...new Set(codes.map((code) => code.charAt(0)))];
  if (codes.every((code) => code.length === 1)) {
    const inside = heads.map(spell).join('');
    return inside.length === 1 ? inside : `[${inside}]`;
  }
  const groups = heads.map((head) => {
    const spelt = spell(head);
    const tails = codes.filter((code) => code.startsWith(head)).map((code) => code.slice(1));
    return `${spelt.length === 1 ? spelt : `[${spelt}]`}${grouped(tails, spell)}`;
  });
  return groups.length === 1 ? groups.join('') : `(?:${groups.join('|')})`;
}

const asIs: Spell = (character) => character;

/** Both cases of a letter of ASCII. */
const anyCase: Spell = (letter) => letter + letter.toLowerCase();

/** Everything that `toUpperCase` turns into a letter. */
const foldedCase: Spell = (letter) =>
  anyCase(letter) + (letter === 'I' ? '\\u0131' : letter === 'S' ? '\\u017F' : '');

/** The characters that `toUpperCase` turns into several letters. */
const LIGATURES = [
  ['SS', '\\u00DF'],
  ['FF', '\\uFB00'],
  ['FI', '\\uFB01'],
  ['FL', '\\uFB02'],
  ['FFI', '\\uFB03'],
  ['FFL', '\\uFB04'],
  ['ST', '\\uFB05'],
  ['ST', '\\uFB06'],
] as const;

/** A pattern for what `toUpperCase` turns into one of the codes. */
function foldedPattern(codes: readonly string[]): string {
  const spell = (letters: string) => [...letters].map((letter) => `[${foldedCase(letter)}]`).join('');
  const ligatured = codes.flatMap((code) =>
    LIGATURES.flatMap(([letters, ligature]) => {
      const [before, after] = code.split(letters);
      return before === undefined || after === undefined ? [] : [spell(before) + ligature + spell(after)];
    }),
  );
  return `^(?:${[grouped(codes, foldedCase), ...ligatured].join('|')})$`;
}

function foldedRule(
  decorator: PropertyDecorator,
  length: number,
  isCode: (code: string) => boolean,
  near: readonly unknown[],
): Rule {
  const contribution = once(() => exactPattern(foldedPattern(codesOf(LETTERS, length, isCode))));
  return { decorator, near, contribute: contribution };
}

function listedRule(
  decorator: PropertyDecorator,
  alphabet: readonly string[],
  length: number,
  isCode: (code: string) => boolean,
  near: readonly unknown[],
): Rule {
  const contribution = once(() => exact({ ...TEXT, enum: codesOf(alphabet, length, isCode) }));
  return { decorator, near, contribute: contribution };
}

const bicPattern = once(() => {
  const countries = codesOf(LETTERS, 2, (country) => isBIC(`AAAA${country}AA`));
  return `^[A-Za-z]{4}${grouped(countries, anyCase)}[A-Za-z0-9]{2}(?:[A-Za-z0-9]{3})?$`;
});

const usTaxPattern = once(() => {
  const prefixes = codesOf(DIGITS, 2, (prefix) => isTaxId(`${prefix}0000000`, 'en-US'));
  return `^${grouped(prefixes, asIs)}[- ]?[0-9]{7}$`;
});

/** The rules on codes from a list. */
export const CODE_RULES: readonly Rule[] = [
  foldedRule(IsISO31661Alpha2(), 2, isISO31661Alpha2, ['DE', 'de', 'XX', 'ß', 'ﬁ', 'ıT', 'DE ']),
  foldedRule(IsISO31661Alpha3(), 3, isISO31661Alpha3, ['DEU', 'deu', 'XXX', 'ßD', 'ﬁn', 'DE']),
  foldedRule(IsISO4217CurrencyCode(), 3, isISO4217CurrencyCode, ['EUR', 'eur', 'DEM', 'ßP', 'EU']),
  listedRule(IsISO31661Numeric(), DIGITS, 3, isISO31661Numeric, ['276', '004', '4', '999']),
  listedRule(
    IsISO6391(),
    LETTERS.map((letter) => letter.toLowerCase()),
    2,
    isISO6391,
    ['de', 'DE', 'xx', 'deu'],
  ),
  {
    decorator: IsBIC(),
    near: ['DEUTDEFF', 'deutdeff500', 'DEUTXKFF', 'DEUTXXFF', 'DEUTßFF', 'DEUTDEF', 'DEUTDEFF50'],
    contribute: () => exactPattern(bicPattern()),
  },
  {
    decorator: IsTaxId(),
    near: ['01-1234567', '011234567', '01 1234567', '001234567', '01--1234567', '12345678901', 'ATU1234'],
    contribute: ([locale]) =>
      locale === undefined || locale === 'en-US' ? exactPattern(usTaxPattern()) : validatorOnly(TEXT),
  },
];
