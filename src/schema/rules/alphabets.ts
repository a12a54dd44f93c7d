/**
 * The rules on the characters that a text may hold.
 * Invariant: a class of characters is the same read by code unit, as class-validator reads it, and by code
 * point, as JSON Schema does.
 */
import {
  IsAlpha,
  IsAlphanumeric,
  IsAscii,
  IsFullWidth,
  IsHalfWidth,
  IsLowercase,
  IsMultibyte,
  IsStrongPassword,
  IsSurrogatePair,
  IsUppercase,
  IsVariableWidth,
} from 'class-validator';
import {
  type Contribution,
  exactPattern,
  knownOptions,
  patternRule,
  type Rule,
  TEXT,
  validatorOnly,
} from './rule';

const ENGLISH = /^en-(?:US|AU|GB|HK|IN|NZ|ZA|ZM)$/;

/** The letters beyond A to Z of locales whose alphabet has both cases of each, ß apart. */
const FURTHER_LETTERS: Readonly<Record<string, string>> = {
  'da-DK': 'ÆØÅ',
  'de-DE': 'ÄÖÜß',
  'es-ES': 'ÁÉÍÑÓÚÜ',
  'fi-FI': 'ÅÄÖ',
  'fr-CA': 'ÀÂÆÇÉÈÊËÏÎÔŒÙÛÜŸ',
  'fr-FR': 'ÀÂÆÇÉÈÊËÏÎÔŒÙÛÜŸ',
  'it-IT': 'ÀÉÈÌÎÓÒÙ',
  'nb-NO': 'ÆØÅ',
  'nl-NL': 'ÁÉËÏÓÖÜÚ',
  'nn-NO': 'ÆØÅ',
  'pl-PL': 'ĄĆĘŚŁŃÓŻŹ',
  'pt-BR': 'ÃÁÀÂÄÇÉÊËÍÏÕÓÔÖÚÜ',
  'pt-PT': 'ÃÁÀÂÄÇÉÊËÍÏÕÓÔÖÚÜ',
  'sv-SE': 'ÅÄÖ',
};

/** The letters of a locale as the inside of a class; undefined for the locales that are not known here. */
function lettersOf(locale: unknown): string | undefined {
  if (locale === undefined || (typeof locale === 'string' && ENGLISH.test(locale))) return 'A-Za-z';
  const further =
    typeof locale === 'string' ? new Map(Object.entries(FURTHER_LETTERS)).get(locale) : undefined;
  return further === undefined
    ? undefined
    : `A-Za-z${[...new Set(further + further.toLowerCase())].join('')}`;
}

function lettersOnly(locale: unknown, digits: string): Contribution {
  const letters = lettersOf(locale);
  return letters === undefined ? validatorOnly(TEXT) : exactPattern(`^[${digits}${letters}]+$`);
}

const NARROW = ' -~\\uFF61-\\uFFDC\\uFFE8-\\uFFEE';
const ASTRAL = '\\u{10000}-\\u{10FFFF}';

/** At least eight units of UTF-16, of which a character beyond U+FFFF takes two; four others are demanded anyway. */
const EIGHT_UNITS = `(?:[^]{8}|(?=[^${ASTRAL}]*[${ASTRAL}])[^]{7}|(?:[^${ASTRAL}]*[${ASTRAL}]){2})`;
const STRONG =
  '^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])' +
  `(?=[^]*[-#!$@£%\\^&*()_+|~=\`{}[\\]:";'<>?,./\\\\ ])${EIGHT_UNITS}`;

const OF_ALL_WIDTHS = ['a', 'Ａ', 'aＡ', 'ｱ', '💩', '\ud83d', '~', '\u007f', '\n'];
const OF_BOTH_CASES = ['a', 'A', 'ab1', 'AB1', 'ß', 'ſ', 'ı', 'ﬁ', 'Σ', 'ς', 'ǅ', '1', 'ͅ'];

/** The rules on the characters of a text. */
export const ALPHABET_RULES: readonly Rule[] = [
  {
    decorator: IsAlpha(),
    near: ['a', 'Z', 'é', 'ß', 'ſ', '\u212a', 'a\n', 'ä', 'б'],
    contribute: ([locale]) => lettersOnly(locale, ''),
  },
  {
    decorator: IsAlphanumeric(),
    near: ['a', 'Z9', 'é', 'ß', 'ſ', '\u212a', 'a\n', 'ä', 'б'],
    contribute: ([locale]) => lettersOnly(locale, '0-9'),
  },
  patternRule(IsAscii(), '^[\\x00-\\x7F]+$', ['\n', '\u007f', '\u0080', 'é']),
  patternRule(IsMultibyte(), '[^\\x00-\\x7F]', ['\n', '\u007f', '\u0080', 'aé', '\ud83d']),
  patternRule(IsSurrogatePair(), `[${ASTRAL}]`, ['💩', '\ud83d', '\udca9\ud83d', '\uffff']),
  patternRule(IsFullWidth(), `[^${NARROW}]`, OF_ALL_WIDTHS),
  patternRule(IsHalfWidth(), `[${NARROW}]`, OF_ALL_WIDTHS),
  patternRule(IsVariableWidth(), `[${NARROW}][^${NARROW}]|[^${NARROW}][${NARROW}]`, OF_ALL_WIDTHS),
  patternRule(IsLowercase(), '^\\P{Changes_When_Lowercased}*$', OF_BOTH_CASES),
  patternRule(IsUppercase(), '^\\P{Changes_When_Uppercased}*$', OF_BOTH_CASES),
  {
    decorator: IsStrongPassword(),
    near: ['aB1-aB1-', 'aB1-aB1', 'aB1-💩💩', 'aaaa1111', 'aB1£aB1£', 'ab1-ab1-'],
    contribute: ([options]) =>
      knownOptions(options) === undefined ? validatorOnly(TEXT) : exactPattern(STRONG),
  },
];
