/**
 * The rules on arrays.
 * Invariant: uniqueness is shown only where equality by value and by identity are the same, on scalars.
 */
import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  IS_BOOLEAN,
  IS_ENUM,
  IS_IN,
  IS_INT,
  IS_NUMBER,
  IS_STRING,
  IsArray,
} from 'class-validator';
import { BOUND_REFUSED, type Contribution, exact, numberAt, type Rule, refused, validatorOnly } from './rule';
import { scalarsOf } from './values';

const SCALAR_RULES: readonly string[] = [IS_STRING, IS_INT, IS_NUMBER, IS_BOOLEAN, IS_ENUM, IS_IN];

function sized(keyword: 'minItems' | 'maxItems', constraints: readonly unknown[]): Contribution {
  const bound = numberAt(constraints, 0);
  return bound === undefined || bound < 0 || !Number.isInteger(bound)
    ? BOUND_REFUSED
    : exact({ type: 'array', [keyword]: bound });
}

const LIST_REFUSED = refused(
  'the list holds values that no element from JSON equals',
  'List texts, finite numbers, booleans or null.',
);

/** Each value that must be there is a search of its own; more of them than this are left to the rule. */
const MOST_CONTAINED = 50;

function containing([values]: readonly unknown[]): Contribution {
  if (!Array.isArray(values)) return LIST_REFUSED;
  const scalars = scalarsOf(values);
  if (scalars.length < new Set(values).size) return LIST_REFUSED;
  if (scalars.length > MOST_CONTAINED) return validatorOnly({ type: 'array' });
  const [first, ...rest] = scalars.map((value) => ({ contains: { enum: [value] } }));
  return exact({ type: 'array', ...first, ...(rest.length === 0 ? {} : { allOf: rest }) });
}

function notContaining([values]: readonly unknown[]): Contribution {
  if (!Array.isArray(values)) return LIST_REFUSED;
  const scalars = scalarsOf(values);
  return exact({
    type: 'array',
    ...(scalars.length === 0 ? {} : { not: { contains: { enum: scalars } } }),
  });
}

/** Tells whether no element is another one: in JSON only scalars can be, and never NaN. */
function isUnique(value: unknown): boolean {
  return Array.isArray(value) && new Set(value).size === value.length;
}

/** An object that shows when anything looks at it, as a selector of ArrayUnique does. */
function untouchable(): object {
  const refuse = (): never => {
    throw new TypeError('A rule looked into an element.');
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
}
const ONE = untouchable();

/** The rules on arrays. */
export const ARRAY_RULES: readonly Rule[] = [
  { decorator: IsArray(), near: [{ length: 1 }], contribute: () => exact({ type: 'array' }) },
  {
    decorator: ArrayMinSize(1),
    near: [{ length: 1 }],
    contribute: (constraints) => sized('minItems', constraints),
  },
  {
    decorator: ArrayMaxSize(1),
    near: [{ length: 1 }],
    contribute: (constraints) => sized('maxItems', constraints),
  },
  {
    decorator: ArrayNotEmpty(),
    near: [{ length: 1 }, [null]],
    contribute: () => exact({ type: 'array', minItems: 1 }),
  },
  {
    decorator: ArrayUnique(),
    near: [
      [null, null],
      ['a', 'A'],
      [1, '1'],
      [{}, {}],
      [[], []],
      ['a', 'b', 'a'],
      ['a', ' a'],
      ['\u00e9', 'e\u0301'],
      [ONE, untouchable()],
      [ONE, ONE],
    ],
    contribute: (_, { elements }) =>
      SCALAR_RULES.some((name) => elements.has(name))
        ? exact({ type: 'array', uniqueItems: true })
        : { grade: 'validator_only', keywords: { type: 'array' }, check: isUnique },
    // A selector, which class-validator keeps to itself, only makes the rule stricter.
    otherwise: validatorOnly({ type: 'array' }),
  },
  { decorator: ArrayContains([]), near: [[null], ['a', 'b']], contribute: containing },
  { decorator: ArrayNotContains([]), near: [[null], ['a', 'b']], contribute: notContaining },
];
