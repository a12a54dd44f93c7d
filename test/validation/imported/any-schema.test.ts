/**
 * Whatever is given for a schema: it is taken or refused, and what is taken works.
 * Invariant: nothing but a DeclarationError is thrown; a contract that exists compiles, and gives a verdict.
 */
import * as fc from 'fast-check';
import { type InputContract, isDeclarationError, schemaInputContract } from 'toolcrib';
import { anyValue } from '../../fixtures/any-value';
import { forAllAwaited } from '../../fixtures/for-all';

const SCHEMAS_IN = [
  ...[
    'items',
    'contains',
    'additionalProperties',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
    'contentSchema',
  ],
  ...['unevaluatedItems', 'unevaluatedProperties', 'additionalItems'],
];
const LISTS_IN = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED_IN = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
];
const NAMES = [
  'a',
  'b',
  'constructor',
  'toString',
  'then',
  '',
  'a/b',
  'ä~%',
  '0',
  'length',
  "'",
  '\\n',
  '\ud83d',
];
const REFERENCES = [
  '#',
  '#/$defs/a',
  '#/definitions/b',
  '#/properties/a',
  '#name',
  'sub',
  'sub#/$defs/a',
  'urn:x',
];
const NUMBERS = [0, 1, -1, 0.1, 1e308, 5e-324, 2 ** 53, 1e21];

const RUNS = 500;

const names = fc.constantFrom(...NAMES);
const plain: fc.Arbitrary<object> = fc.record(
  {
    type: fc.constantFrom<unknown>('object', 'string', 'array', ['integer', 'null'], 'number', 'wrong'),
    const: fc.constantFrom<unknown>(null, 1, '', { constructor: 1 }, [[]]),
    enum: fc.constantFrom<unknown>([], [1, 1], [{}, []], ['a']),
    multipleOf: fc.constantFrom(...NUMBERS),
    maximum: fc.constantFrom(...NUMBERS),
    minLength: fc.constantFrom(...NUMBERS),
    maxItems: fc.constantFrom(...NUMBERS),
    maxContains: fc.constantFrom(...NUMBERS),
    minContains: fc.constantFrom(...NUMBERS),
    uniqueItems: fc.boolean(),
    pattern: fc.constantFrom('', '^a', '\\p{L}', '(', "'/\\n"),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2 }),
    $ref: fc.constantFrom(...REFERENCES),
    $dynamicRef: fc.constantFrom(...REFERENCES),
    $id: fc.constantFrom('sub', '#name', 'urn:x', 'https://a.example/b'),
    $anchor: fc.constantFrom('name', 'other'),
    $dynamicAnchor: fc.constantFrom('name', 'other'),
    format: fc.constant('email'),
    $async: fc.boolean(),
    nullable: fc.boolean(),
    discriminator: fc.constant({ propertyName: 'a' }),
    $data: fc.constant('1/a'),
    id: fc.constant(1),
    default: fc.constant({}),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 1, arbitrary: fc.boolean() },
    // Few keywords at a time, so that a good part is valid.
    { weight: 4, arbitrary: plain.map((all) => Object.fromEntries(Object.entries(all).slice(0, 2))) },
    { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...SCHEMAS_IN), tie('schema'), { maxKeys: 2 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(
        fc.constantFrom(...LISTS_IN),
        fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        { maxKeys: 2 },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.dictionary(
        fc.constantFrom(...NAMED_IN),
        fc.dictionary(names, tie('schema'), { maxKeys: 2 }),
        { maxKeys: 2 },
      ),
    },
  ),
}));

const documents = fc
  .tuple(schema, schema, schema, fc.constantFrom({}, { $schema: 'http://json-schema.org/draft-07/schema#' }))
  .map(([a, b, c, dialect]) => ({
    ...dialect,
    type: 'object',
    properties: { a },
    $defs: { a: b },
    definitions: { b: c },
  }));

const values = fc.dictionary(names, fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyValue), { maxKeys: 3 });

function taken(given: unknown): InputContract | undefined {
  try {
    return schemaInputContract(given);
  } catch (error) {
    expect(isDeclarationError(error)).toBe(true);
    return undefined;
  }
}

describe('whatever is given for a schema', () => {
  it('is taken or refused, and what is taken works', async () => {
    const tally = { taken: 0, refused: 0 };
    await forAllAwaited(
      fc.tuple(documents, fc.array(values, { minLength: 2, maxLength: 4 })),
      async ([document, given]) => {
        const contract = taken(document);
        tally[contract === undefined ? 'refused' : 'taken'] += 1;
        contract?.warm();
        for (const value of given) {
          const outcome = await contract?.parse(value);
          if (outcome?.ok === false) expect(outcome.violations).not.toEqual([]);
        }
      },
      RUNS,
    );
    expect(Math.min(tally.taken, tally.refused)).toBeGreaterThan(RUNS / 10);
  }, 60_000);

  it('may be any value of the language', () => {
    const property = fc.property(anyValue, (value) => taken(value) === undefined);
    expect(() => fc.assert(property, { numRuns: 300, seed: 1 })).not.toThrow();
  });
});
