/**
 * The forms for text that is judged by its characters or its length.
 * Invariant: see form.ts.
 */
import {
  Contains,
  IsAlpha,
  IsAlphanumeric,
  IsAscii,
  IsBase32,
  IsBase58,
  IsBase64,
  IsBooleanString,
  IsByteLength,
  IsDecimal,
  IsFullWidth,
  IsHalfWidth,
  IsHexadecimal,
  IsHexColor,
  IsHSL,
  IsJSON,
  IsLowercase,
  IsMilitaryTime,
  IsMultibyte,
  IsNumberString,
  IsOctal,
  IsRgbColor,
  IsString,
  IsStrongPassword,
  IsSurrogatePair,
  IsUppercase,
  IsVariableWidth,
  Length,
  Matches,
  MaxLength,
  MinLength,
  NotContains,
} from 'class-validator';
import { formsOf } from './form';

const CHARACTERS = formsOf('text', [
  ['IsString', (o) => IsString(o), ['', 'a', 'ab', '❤️', 'ß'], [1, null, ['a']]],
  ['Contains("b")', (o) => Contains('b', o), ['b', 'abc', 'bb'], ['', 'B', 'ac', 'β']],
  ['Contains("a.c")', (o) => Contains('a.c', o), ['a.c', 'xa.cx'], ['abc', 'a.', 'ac', 'A.C']],
  ['Contains("a(b")', (o) => Contains('a(b', o), ['a(b', 'a(b)'], ['ab', 'a', '(b']],
  ['NotContains("b")', (o) => NotContains('b', o), ['', 'a', 'B', 'xyz'], ['b', 'abc']],
  ['NotContains("a.c")', (o) => NotContains('a.c', o), ['', 'abc', 'a.', 'ac'], ['a.c', 'xa.cx']],
  ['IsAlpha', (o) => IsAlpha(undefined, o), ['a', 'abc', 'Z'], ['', 'a1', 'é', 'a b', 'ı', 'ſ', '\u212a']],
  ['IsAlpha("de-DE")', (o) => IsAlpha('de-DE', o), ['abc', 'äöü', 'ß', 'ÄÖÜ'], ['', 'é', 'a1', 'ẞ', 'ſ']],
  ['IsAlphanumeric', (o) => IsAlphanumeric(undefined, o), ['a1', '0', 'Z9z'], ['', 'a_', 'é', '١', 'ſ']],
  ['IsDecimal', (o) => IsDecimal({}, o), ['1.5', '-1', '+0.25', '.5', '10'], ['', '1.', '1,5', '1e3', 'a']],
  ['IsAscii', (o) => IsAscii(o), ['a', '~', ' ', '\t', '\u007f'], ['', 'é', 'a\u0080', '💩']],
  ['IsBase64', (o) => IsBase64({}, o), ['', 'YQ==', 'YWI=', 'YWJj', 'YWJjZA=='], ['YQ', 'YQ=', 'Y', '====']],
  [
    'IsByteLength(1,4)',
    (o) => IsByteLength(1, 4, o),
    ['a', 'abcd', 'é', '💩', 'éé'],
    ['', 'abcde', '💩a', 'ééé'],
  ],
  ['IsFullWidth', (o) => IsFullWidth(o), ['Ａ', 'あ', 'aＡ', 'é', '💩'], ['', 'a', 'ｱ', '1 ~']],
  ['IsHalfWidth', (o) => IsHalfWidth(o), ['a', 'ｱ', 'Ａa', '~', ' '], ['', 'Ａ', 'あ', 'é']],
  ['IsVariableWidth', (o) => IsVariableWidth(o), ['aＡ', 'あa', 'éa', '💩 '], ['', 'a', 'Ａ', 'あ']],
  ['IsHexadecimal', (o) => IsHexadecimal(o), ['0', 'aF9', '0x1f', '0hA'], ['', 'g', '0x', 'x1f']],
  ['IsLowercase', (o) => IsLowercase(o), ['', 'a', 'a1', 'ß', 'ﬁ', 'ſ'], ['A', 'aA', 'Ａ', 'İ']],
  ['IsUppercase', (o) => IsUppercase(o), ['', 'A', 'A1', 'İ', 'ẞ'], ['a', 'Aa', 'ß', 'ﬁ', 'ı', 'ſ', 'ŉ']],
  ['IsMultibyte', (o) => IsMultibyte(o), ['é', 'aé', '💩', '\u0080'], ['', 'a', '~\u007f']],
  ['IsSurrogatePair', (o) => IsSurrogatePair(o), ['💩', 'a💩', '💩💩'], ['', 'a', '\ud83d', '\udca9\ud83d']],
  ['IsBase32', (o) => IsBase32(o), ['MFRA====', 'JBSWY3DP', 'ME======'], ['MFRA', 'mfra====', 'M1======']],
  ['IsBase58', (o) => IsBase58(o), ['a', '1Az', '5Hue', 'z'], ['', '0', 'O', 'l', 'I']],
  ['IsOctal', (o) => IsOctal(o), ['7', '0o17', '017', '123'], ['', '8', '0o', '19']],
  ['IsJSON', (o) => IsJSON(o), ['{}', '[1]', '{"a":1}', '[]', ' {}'], ['', '1', 'null', '{a:1}', '"a"']],
  [
    'IsStrongPassword',
    (o) => IsStrongPassword({}, o),
    ['aA1!aA1!', 'Passw0rd!', 'Zz9#Zz9#Zz'],
    ['', 'password', 'Passw0rd', 'aA1!aA1'],
  ],
]);

const LITERALS = formsOf('text', [
  [
    'IsHexColor',
    (o) => IsHexColor(o),
    ['#fff', 'abc', '#A1B2C3', '#abcd', '11223344'],
    ['', '#ff', '#ggg', '#12345', '##fff'],
  ],
  [
    'IsHSL',
    (o) => IsHSL(o),
    ['hsl(360,0000000100%,0%)', 'hsl(120, 50%, 50%)', 'hsla(1,2%,3%,.4)'],
    ['', 'hsl(1)'],
  ],
  [
    'IsRgbColor',
    (o) => IsRgbColor(undefined, o),
    ['rgb(0,0,0)', 'rgba(255,255,255,1)', 'rgb(5%,5%,5%)', 'rgba(5%,5%,5%,.3)'],
    ['', 'rgb(256,0,0)', 'rgba(0,0,0,2)', 'rgb(0,0)'],
  ],
  [
    'IsMilitaryTime',
    (o) => IsMilitaryTime(o),
    ['00:00', '23:59', '12:30'],
    ['24:00', '1:00', '12:60', '12:30\n'],
  ],
  ['IsBooleanString', (o) => IsBooleanString(o), ['true', 'false', '0', '1'], ['True', '', 'yes', '2', true]],
  [
    'IsNumberString',
    (o) => IsNumberString({}, o),
    ['1', '-1.5', '+2', '0012', '.5'],
    ['', '1.', 'a', '1e3', '١', 1],
  ],
  [
    'IsNumberString({no_symbols})',
    (o) => IsNumberString({ no_symbols: true }, o),
    ['1', '0012', '99'],
    ['-1', '+1', '1.5', '', 1],
  ],
]);

const LENGTHS = formsOf('text', [
  ['Length(3,5)', (o) => Length(3, 5, o), ['abc', 'abcde', '❤️❤️❤️', '💩💩💩'], ['ab', 'abcdef', '❤️❤️', '💩💩']],
  [
    'Length(3)',
    (o) => Length(3, undefined, o),
    ['abc', 'abcdefgh', '💩💩💩'],
    ['ab', '❤️❤️', '', '\u{fe0f}aa'],
  ],
  ['MaxLength(3)', (o) => MaxLength(3, o), ['', 'abc', '❤️❤️❤️', '💩💩💩'], ['abcd', '❤️❤️❤️❤️', '💩💩💩💩']],
  ['MinLength(3)', (o) => MinLength(3, o), ['abc', 'abcdef', '❤️❤️❤️'], ['ab', '❤️❤️', '', '💩💩']],
]);

const LINES = ['abc\n', 'abc\r', '\nabc', 'abc\u2028', 'ABC', 'ab', 'xabc', ''];

const PATTERNS = formsOf('text', [
  ['Matches(/^abc$/)', (o) => Matches(/^abc$/, o), ['abc'], LINES],
  ['Matches(/^abc$/i)', (o) => Matches(/^abc$/i, o), ['abc', 'ABC', 'aBc'], ['ab', 'abc\n', 'äbc']],
  ['Matches("^abc$")', (o) => Matches('^abc$', undefined, o), ['abc'], LINES],
  ['Matches("^abc$","i")', (o) => Matches('^abc$', 'i', o), ['abc', 'ABC', 'abC'], ['ab', 'abc\n']],
  ['Matches(/^[\\w-.]+$/)', (o) => Matches(/^[\w-.]+$/, o), ['a-b.c', '_', 'A1'], ['', 'a b', 'é', '+']],
  ['Matches(/^\\-x/)', (o) => Matches(/^-x/, o), ['-x', '-xyz'], ['x', '\\-x', '-X', '']],
  ['Matches(/^.$/)', (o) => Matches(/^.$/, o), ['a', ' ', 'é', '\ud83d'], ['', 'ab', '💩', '\n', '\u2028']],
  ['Matches(/^.$/u)', (o) => Matches(/^.$/u, o), ['a', '💩', '\ud83d'], ['', 'ab', '❤️', '\n', '\r']],
  ['Matches(/a.b/s)', (o) => Matches(/a.b/s, o), ['a\nb', 'axb', 'a\u2028b'], ['ab', 'a💩b', '']],
  ['Matches(/^b/m)', (o) => Matches(/^b/m, o), ['b', 'a\nb', 'a\r\nbc', 'a\u2028b'], ['ab', '', 'a\n\tb']],
  ['Matches(/^abc$/g)', (o) => Matches(/^abc$/g, o), ['abc'], LINES],
  ['Matches(/abc/y)', (o) => Matches(/abc/y, o), ['abc'], ['xabc', 'ab', '']],
  ['Matches(/\\p{L}/)', (o) => Matches(/p{L}/, o), ['p{L}', 'xp{L}'], ['a', 'é', 'p', '']],
  [
    'Matches(/^[A-Z]+$/ lookbehind)',
    (o) => Matches(/(?<=a)b/, o),
    ['ab', 'xab', 'aab'],
    ['b', 'ba', 'aB', ''],
  ],
]);

/** The forms for characters, lengths and patterns. */
export const STRING_FORMS = [...CHARACTERS, ...LITERALS, ...LENGTHS, ...PATTERNS];
