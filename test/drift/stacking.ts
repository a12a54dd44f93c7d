/**
 * Two decorators on one property, in both orders.
 * Invariant: every pair within a family, and of a general member with any other, stands here in both orders.
 */
import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  IsEnum,
  IsIn,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { formNamed } from './forms/all';
import { type Form, formsOf } from './forms/form';
import type { Use } from './spec';

enum Text {
  A = 'a',
  B = 'b',
}

const alone = (form: Form): Use => ({ form, each: false });
const onEach = (form: Form): Use => ({ form, each: true });
const named = (...names: readonly string[]): readonly Use[] => names.map((name) => alone(formNamed(name)));

const GENERAL = named('IsDefined', 'IsOptional', 'NotEquals("abc")', 'IsNotEmpty', 'IsNotIn(["a","b"])');

const TEXT: readonly Use[] = [
  ...named('IsString', 'Contains("b")', 'NotContains("b")', 'IsAlpha', 'IsEmail', 'IsUrl', 'IsUUID'),
  ...formsOf('text', [
    ['MinLength(2)', (o) => MinLength(2, o), ['ab', 'abc', '❤️❤️'], ['a', '', '❤️']],
    ['MaxLength(1)', (o) => MaxLength(1, o), ['', 'a', '💩', '❤️'], ['ab', '💩💩']],
    ['Length(1,4)', (o) => Length(1, 4, o), ['a', 'abc', 'abcd'], ['', 'abcde']],
    ['Matches(/^a/)', (o) => Matches(/^a/, o), ['a', 'abc', 'ac'], ['b', '', 'A']],
    ['Matches(/c$/)', (o) => Matches(/c$/, o), ['c', 'abc', 'bc'], ['c\n', '', 'C']],
    ['IsIn(a,b,abc)', (o) => IsIn(['a', 'b', 'abc'], o), ['a', 'b', 'abc'], ['ab', '']],
    ['IsEnum(str)', (o) => IsEnum(Text, o), ['a', 'b'], ['A', 'B']],
  ]).map(alone),
];

const NUMBERS: readonly Use[] = [
  ...named(
    'IsInt',
    'IsNumber',
    'Min(1)',
    'Max(10)',
    'IsPositive',
    'IsDivisibleBy(5)',
    'IsEnum(numeric enum)',
  ),
  ...formsOf('number', [['IsIn(1,5)', (o) => IsIn([1, 5], o), [1, 5], [0, 2, 1.5]]]).map(alone),
];

const ARRAYS: readonly Use[] = [
  ...named('IsArray', 'ArrayUnique', 'ArrayNotContains(["a"])'),
  ...formsOf('array', [
    ['ArrayMinSize(1)', (o) => ArrayMinSize(1, o), [[1], ['a', 'b']], [[], 'a']],
    ['ArrayMaxSize(1)', (o) => ArrayMaxSize(1, o), [[], [1]], [[1, 2]]],
    ['ArrayContains([1])', (o) => ArrayContains([1], o), [[1], ['a', 1]], [[], ['1']]],
    ['ArrayNotContains([null])', (o) => ArrayNotContains([null], o), [[], [1]], [[null]]],
  ]).map(alone),
  ...[formNamed('IsString'), formNamed('IsInt')].map(onEach),
  ...formsOf('number', [
    ['Min(1)', (o) => Min(1, o), [1, 2, 1.5], [0, 0.5]],
    ['Max(3)', (o) => Max(3, o), [3, 0, -1], [4, 3.5]],
  ]).map(onEach),
  ...formsOf('text', [['MaxLength(1)', (o) => MaxLength(1, o), ['', 'a'], ['ab']]]).map(onEach),
];

function pairsWithin(members: readonly Use[]): readonly (readonly [Use, Use])[] {
  return members.flatMap((one, at) => members.slice(at + 1).map((other) => [one, other] as const));
}

function pairsBetween(some: readonly Use[], others: readonly Use[]): readonly (readonly [Use, Use])[] {
  return some.flatMap((one) => others.map((other) => [one, other] as const));
}

const FAMILIES = [TEXT, NUMBERS, ARRAYS];

/** All pairs, each in one of its orders. */
export const PAIRS: readonly (readonly [Use, Use])[] = [
  ...pairsWithin(GENERAL),
  ...FAMILIES.flatMap((family) => [...pairsWithin(family), ...pairsBetween(GENERAL, family)]),
];

/** All pairs in both orders. */
export const ORDERED_PAIRS: readonly (readonly [Use, Use])[] = PAIRS.flatMap(([one, other]) => [
  [one, other] as const,
  [other, one] as const,
]);
