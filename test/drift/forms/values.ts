/**
 * The forms for values of any type, for objects, and for what is not JSON.
 * Invariant: see form.ts.
 */
import {
  Allow,
  Equals,
  IsBoolean,
  IsDefined,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInstance,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  IsObject,
  IsOptional,
  NotEquals,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidatePromise,
} from 'class-validator';
import { CUSTOM_FORMS } from './custom';
import { formsOf } from './form';

class Thing {}

enum Text {
  A = 'a',
  B = 'b',
}
enum Mixed {
  A = 'a',
  B = 1,
}

const ANY = formsOf('any', [
  ['Allow', () => Allow(), ['a', 1, null, {}, [1]]],
  ['IsDefined', (o) => IsDefined(o), ['', 0, false, {}, []], [null]],
  ['IsOptional', (o) => IsOptional(o), [null, 'a', 1, {}]],
  ['Equals(null)', (o) => Equals(null, o), [null], ['null', 0, '']],
  ['NotEquals(null)', (o) => NotEquals(null, o), ['null', 0, false, []], [null]],
  ['IsEmpty', (o) => IsEmpty(o), ['', null], [' ', 0, [], {}, false]],
  ['IsNotEmpty', (o) => IsNotEmpty(o), ['a', ' ', 0, false, [], {}], ['', null]],
  ['IsIn([1,"a"])', (o) => IsIn([1, 'a'], o), [1, 'a'], ['1', 'A', 2, true]],
  ['IsIn(["a",null])', (o) => IsIn(['a', null], o), ['a', null], ['null', '', 'b']],
  ['IsIn([null,"a"])', (o) => IsIn([null, 'a'], o), ['a', null], ['null', '', 0]],
  ['IsIn([])', (o) => IsIn([], o), [], [null, '', 0]],
  ['IsNotIn(["a",null])', (o) => IsNotIn(['a', null], o), ['b', '', 0, []], ['a', null]],
  ['IsNotIn([1,"a"])', (o) => IsNotIn([1, 'a'], o), ['1', 2, null, true], [1, 'a']],
  ['ValidateIf(()=>false)', (o) => ValidateIf(() => false, o), ['a', 1, null, {}]],
  ['ValidateIf(()=>true)', (o) => ValidateIf(() => true, o), ['a', 1, null, {}]],
  ['ValidateNested (no @Type)', (o) => ValidateNested(o), [], [{}, { a: 1 }]],
  ['ValidatePromise', (o) => ValidatePromise(o), ['a', 1, null]],
  ['IsEnum(mixed enum)', (o) => IsEnum(Mixed, o), ['a', 1], ['A', 'B', '1', 0]],
  ['IsEnum({}) empty', (o) => IsEnum({}, o), [], ['', null]],
  ['IsInstance(Thing)', (o) => IsInstance(Thing, o), [], [{}, null]],
]);

const TEXTS = formsOf('text', [
  ['Equals("abc")', (o) => Equals('abc', o), ['abc'], ['ABC', 'abc ', 'ab']],
  ['NotEquals("abc")', (o) => NotEquals('abc', o), ['ab', 'ABC', ''], ['abc']],
  ['IsIn(["a","b"])', (o) => IsIn(['a', 'b'], o), ['a', 'b'], ['A', 'ab', '']],
  ['IsNotIn(["a","b"])', (o) => IsNotIn(['a', 'b'], o), ['', 'ab', 'A'], ['a', 'b']],
  ['IsEnum(string enum)', (o) => IsEnum(Text, o), ['a', 'b'], ['A', 'B', 'ab']],
  ['IsEnum(array)', (o) => IsEnum(['x', 'y'], o), ['x', 'y'], ['0', 'X', 'xy']],
]);

const NUMBERS = formsOf('number', [
  ['Equals(1)', (o) => Equals(1, o), [1], ['1', 2, true, 1.5]],
  ['NotEquals(1)', (o) => NotEquals(1, o), [2, 0, 1.5, -1], [1]],
  ['IsNotEmpty (number)', (o) => IsNotEmpty(o), [1, 0, -1.5], [null, '']],
  ['IsIn([1,2])', (o) => IsIn([1, 2], o), [1, 2], [0, 3, '1', 1.5]],
]);

const OTHERS = [
  ...formsOf('boolean', [['IsBoolean', (o) => IsBoolean(o), [true, false], ['true', 0, 1]]]),
  ...formsOf('object', [
    ['IsObject', (o) => IsObject(o), [{}, { a: 1 }, { a: { b: [] } }], [[], null, 'a']],
    ['IsNotEmptyObject', (o) => IsNotEmptyObject({}, o), [{ a: 1 }, { a: null }], [{}, [], null]],
    [
      'IsNotEmptyObject({nullable:false})',
      (o) => IsNotEmptyObject({ nullable: false }, o),
      [{ a: 1 }, { a: null, b: 0 }, { a: '' }],
      [{ a: null }, {}, { a: null, b: null }, []],
    ],
  ]),
];

/** A custom rule that borrows the name of one of class-validator's. */
const BORROWED = formsOf('any', [
  [
    'ValidateBy(name=isInt!)',
    (o) => ValidateBy({ name: 'isInt', validator: { validate: (value) => value === 'ok' } }, o),
    ['ok'],
    [1, 'OK', ''],
  ],
]);

/** The forms of this file, and the custom ones. */
export const VALUE_FORMS = [...ANY, ...TEXTS, ...NUMBERS, ...OTHERS, ...BORROWED, ...CUSTOM_FORMS];
