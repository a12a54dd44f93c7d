/**
 * The rules on numbers: what each emits, accepts and refuses.
 * Invariant: contract, schema and class-validator agree on every value of a row.
 */
import { IsInt, IsNegative, IsNumber, IsPositive, Max, Min } from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { dtoWith } from '../../fixtures/dto-with';
import { holdRule, type RuleCase } from '../../fixtures/rule-cases';
import { propertyNode } from '../../fixtures/strict-schema';

const NO_NUMBER = ['', '1', ' ', true, null, [], [1], {}];
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

const EXACT: readonly RuleCase[] = [
  {
    form: 'IsInt',
    decorators: [IsInt()],
    node: { type: 'integer', ...SAFE },
    accepted: [0, 1, -1, 5e3, 1.0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    refused: { isInt: [1.5, 1e-7, ...NO_NUMBER] },
  },
  {
    form: 'IsNumber',
    decorators: [IsNumber()],
    node: { type: 'number' },
    accepted: [0, -1, 1.5, 1e-7, 1e300],
    refused: { isNumber: NO_NUMBER },
  },
  {
    form: 'IsNumber({})',
    decorators: [IsNumber({})],
    node: { type: 'number' },
    accepted: [1.5],
    refused: { isNumber: NO_NUMBER },
  },
  {
    form: 'Min(1)',
    decorators: [Min(1)],
    node: { type: 'number', minimum: 1 },
    accepted: [1, 1.5, 2, 1e300],
    refused: { min: [0, 0.999, -1, ...NO_NUMBER] },
  },
  {
    form: 'Min(-0.5)',
    decorators: [Min(-0.5)],
    node: { type: 'number', minimum: -0.5 },
    accepted: [-0.5, 0],
    refused: { min: [-0.6] },
  },
  {
    form: 'Max(10)',
    decorators: [Max(10)],
    node: { type: 'number', maximum: 10 },
    accepted: [10, 0, -1e300],
    refused: { max: [10.001, 11, ...NO_NUMBER] },
  },
  {
    form: 'IsPositive',
    decorators: [IsPositive()],
    node: { type: 'number', exclusiveMinimum: 0 },
    accepted: [1, 1e-300],
    refused: { isPositive: [0, -0, -1, ...NO_NUMBER] },
  },
  {
    form: 'IsNegative',
    decorators: [IsNegative()],
    node: { type: 'number', exclusiveMaximum: 0 },
    accepted: [-1, -1e-300],
    refused: { isNegative: [0, 1, ...NO_NUMBER] },
  },
  {
    form: 'IsInt beside Min and Max',
    decorators: [IsInt(), Min(1), Max(10)],
    node: { type: 'integer', minimum: 1, maximum: 10 },
    accepted: [1, 10],
    refused: { isInt: [1.5], min: [0], max: [11] },
  },
  {
    form: 'Min before IsInt',
    decorators: [Min(1), IsInt()],
    node: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    accepted: [1],
    refused: { isInt: [1.5], min: [0] },
  },
  {
    form: 'IsInt beside IsPositive',
    decorators: [IsInt(), IsPositive()],
    node: { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    accepted: [1],
    refused: { isPositive: [0] },
  },
];

const VALIDATOR_ONLY: readonly RuleCase[] = [
  {
    form: 'IsNumber({ maxDecimalPlaces: 2 })',
    decorators: [IsNumber({ maxDecimalPlaces: 2 })],
    accepted: [1, 1.25, -0.01],
    refused: { isNumber: [1.234, 1e-7, ...NO_NUMBER] },
    admitsMore: true,
  },
];

describe('the rules on numbers', () => {
  it.each(EXACT)('$form', holdRule);
  it.each(VALIDATOR_ONLY)('$form', holdRule);

  it('show decimal places in words', () => {
    const { schema, validatorOnlyRules } = inputContract(dtoWith(IsNumber({ maxDecimalPlaces: 2 })));
    const node = propertyNode(schema, 'v');
    expect(node.type).toBe('number');
    expect(validatorOnlyRules).toMatchObject([{ schemaPath: '#/properties/v', rule: 'isNumber' }]);
    expect(node.description).toContain(validatorOnlyRules[0]?.text);
  });

  it('keep both of two bounds of one kind', async () => {
    await holdRule({
      form: 'Min twice',
      decorators: [Min(1), Min(3)],
      accepted: [3, 4],
      refused: { min: [2] },
    });
  });
});

describe('the rules on numbers that are refused', () => {
  const REFUSED: readonly (readonly [string, PropertyDecorator])[] = [
    ['allowNaN', IsNumber({ allowNaN: true })],
    ['allowInfinity', IsNumber({ allowInfinity: true })],
    ['a minimum that is not a number', Min(Number.NaN)],
    ['an infinite maximum', Max(Number.POSITIVE_INFINITY)],
    ['an infinite minimum', Min(Number.NEGATIVE_INFINITY)],
  ];

  it.each(REFUSED)('%s', (_, decorator) => {
    expect(problemsOf(() => inputContract(dtoWith(decorator)))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });
});
