/**
 * Schemas by which Ajv accepts or refuses what JSON Schema does not, or which it cannot compile.
 * Invariant: a contract gives the verdict of JSON Schema 2020-12, whether code may be generated or not.
 */
import { schemaInputContract } from 'toolcrib';
import { mayGenerateCode } from '../../../src/validation/code-generation';
import { violationsIn } from '../../fixtures/verdicts';

jest.mock('../../../src/validation/code-generation', () => ({ mayGenerateCode: jest.fn(() => true) }));

const STRING = { type: 'string' };
const A = { properties: { a: STRING } };

type Case = readonly [
  what: string,
  schema: object,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

const CASES: readonly Case[] = [
  [
    'names of Object.prototype',
    { anyOf: [A, { required: ['b'] }], unevaluatedProperties: false },
    [{ a: 'x' }],
    [{ toString: 1 }, { a: 'x', constructor: 1 }, { hasOwnProperty: 1 }],
  ],
  [
    'elements beside contains',
    { contains: STRING, unevaluatedItems: false },
    [['a'], ['a', 'b']],
    [['a', 1], [1, 'a'], [1]],
  ],
  [
    'elements beside a condition',
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    { if: { prefixItems: [STRING] }, then: {}, else: { prefixItems: [true, true] }, unevaluatedItems: false },
    [[], ['a'], [1], [1, 2]],
    [
      ['a', 1],
      [1, 2, 3],
    ],
  ],
  [
    'elements beside alternatives',
    { anyOf: [{ prefixItems: [STRING] }, { prefixItems: [true, { const: 2 }] }], unevaluatedItems: false },
    [['a'], ['a', 2], [1, 2]],
    [
      ['a', 1],
      [1, 2, 3],
    ],
  ],
  [
    'what stands beside a schema',
    { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
    [{}],
    [{ a: 1 }],
  ],
  [
    'what stands above a then',
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    { if: { properties: { a: true } }, then: { unevaluatedProperties: false } },
    [{}],
    [{ a: 1 }],
  ],
  [
    'what a schema inside has evaluated',
    { allOf: [{ ...A, unevaluatedProperties: true }], unevaluatedProperties: false },
    [{ a: 'x', b: 1 }],
    [{ a: 1 }],
  ],
  [
    'what a negation has seen',
    { not: { required: ['b'], ...A }, unevaluatedProperties: false },
    [{}],
    [{ a: 'x' }],
  ],
  [
    'a dependent schema',
    { ...A, dependentSchemas: { a: { properties: { b: true } } }, unevaluatedProperties: false },
    [{ a: 'x', b: 1 }],
    [{ b: 1 }],
  ],
  [
    'patterns beside alternatives',
    { patternProperties: { '^a': {} }, anyOf: [{ properties: { a: { maximum: 0.5 } } }, {}] },
    [{ a: 1 }, { a: 0 }],
    [],
  ],
  ['the property without a name', { type: 'object', required: [''] }, [{ '': 1 }], [{}, { a: 1 }]],
  [
    'a dependent property without a name',
    { dependentRequired: { a: [''] } },
    [{}, { a: 1, '': 1 }],
    [{ a: 1 }],
  ],
  ['a dependency without a name', { dependencies: { a: [''] } }, [{}, { a: 1, '': 1 }], [{ a: 1 }]],
  ['hundredths', { multipleOf: 0.01 }, [19.99, 4.35, 0, -0.07, 1e300], [0.001, 19.995, 1e-300]],
  ['tenths', { multipleOf: 0.1 }, [0.3, 0.7, 5], [0.35, 1e-7]],
  ['whole numbers', { multipleOf: 1 }, [1e300, 2 ** 53, -5], [0.5]],
  ['thirds of a power', { multipleOf: 3 }, [9, 3e21], [1e300, 10]],
];

describe.each([
  ['may', true],
  ['may not', false],
])('where code %s be generated', (_, may) => {
  beforeEach(() => jest.mocked(mayGenerateCode).mockReturnValue(may));

  it.each(CASES)('%s are judged as JSON Schema says', async (_what, v, accepted, refused) => {
    const contract = schemaInputContract({ type: 'object', properties: { v } });
    const verdicts = async (values: readonly unknown[]) =>
      Promise.all(values.map(async (one) => (await contract.parse({ v: one })).ok));
    expect(await verdicts(accepted)).toEqual(accepted.map(() => true));
    expect(await verdicts(refused)).toEqual(refused.map(() => false));
  });

  it('definitions linked in a chain or a ring of hundreds are followed', async () => {
    for (const last of [400, 399]) {
      const entries = Array.from({ length: 400 }, (_entry, at) => {
        const next = { $ref: `#/$defs/d${at === last ? 0 : at + 1}` };
        return [`d${at}`, { type: 'object', properties: { next } }] as const;
      });
      const $defs = { ...Object.fromEntries(entries), d400: { type: 'object' } };
      const contract = schemaInputContract({ type: 'object', $ref: '#/$defs/d0', $defs });
      contract.warm();
      expect(await contract.parse({ next: { next: {} } })).toMatchObject({ ok: true });
      expect(violationsIn(await contract.parse({ next: { next: { next: 1 } } }))).toMatchObject([
        { path: '/next/next/next', rule: 'type' },
      ]);
    }
  });

  it('a schema nested in a hundred negations is taken', async () => {
    let v: object = { type: 'string' };
    for (let level = 0; level < 100; level += 1) v = { not: v };
    const contract = schemaInputContract({ type: 'object', properties: { v } });
    expect([(await contract.parse({ v: 'a' })).ok, (await contract.parse({ v: 1 })).ok]).toEqual([
      true,
      false,
    ]);
  });

  it('a known property that is wrong is not called unknown as well', async () => {
    const contract = schemaInputContract({
      type: 'object',
      ...A,
      required: ['a', 'b'],
      allOf: [{ properties: { b: { type: 'integer' } } }],
      anyOf: [{ properties: { c: { type: 'null' } } }, { properties: { c: { type: 'integer' } } }],
      unevaluatedProperties: false,
    });
    const violations = violationsIn(await contract.parse({ a: 1, b: 'x', c: 'x', d: 1 }));
    const told = new Set(violations.map(({ path, rule }) => `${path} ${rule}`));
    expect(told).toEqual(new Set(['/a type', '/b type', '/c type', ' anyOf', '/d unevaluatedProperties']));
  });
});
