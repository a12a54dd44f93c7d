/**
 * Small schemas at random, of both drafts, against Ajv as any program would use it.
 * Invariant: a contract accepts a value exactly when Ajv does by the same schema. What Ajv gets wrong is left
 * out: `contains` beside a list of items, and `unevaluatedItems` in branches, whose code may not run.
 */
import Ajv7 from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { type JsonSchema, schemaInputContract } from 'toolcrib';
import { forAllAwaited } from '../../fixtures/for-all';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object') }),
  fc.record({ type: fc.constant(['string', 'null']), maxLength: fc.nat(3) }, { requiredKeys: ['type'] }),
  fc.record({ minimum: fc.integer({ min: -2, max: 2 }), exclusiveMaximum: fc.nat(4) }, { requiredKeys: [] }),
  fc.record({ minLength: fc.nat(3), pattern: fc.constantFrom('^a', 'b$', '.') }, { requiredKeys: [] }),
  fc.record({ const: fc.constantFrom(0, 1, 'a', null, [1], { a: 1 }) }),
  fc.record({ enum: fc.constantFrom([1, 'a'], [null], [{ a: 1 }, []]) }),
  fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5), uniqueItems: fc.boolean() }, { requiredKeys: [] }),
  fc.record(
    {
      required: fc.constantFrom(['a'], ['a', 'b'], []),
      maxProperties: fc.nat(2),
      minItems: fc.nat(2),
      maxItems: fc.nat(3),
    },
    { requiredKeys: [] },
  ),
);

/** Small schemas of a draft, whose references lead to two definitions, one of them recursive. */
function schemas(isDraft7: boolean): fc.Arbitrary<JsonSchema> {
  const definitions = isDraft7 ? 'definitions' : '$defs';
  const { node } = fc.letrec<{ node: JsonSchema; any: JsonSchema | boolean }>((tie) => ({
    any: fc.oneof({ weight: 8, arbitrary: tie('node') }, { weight: 1, arbitrary: fc.boolean() }),
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.constantFrom({ $ref: `#/${definitions}/leaf` }, { $ref: `#/${definitions}/list`, maxItems: 1 }),
      fc.record(
        {
          properties: fc.record({ a: tie('any'), b: tie('any') }, { requiredKeys: [] }),
          patternProperties: fc.record({ '^c': tie('any') }, { requiredKeys: [] }),
          additionalProperties: tie('any'),
          propertyNames: fc.constantFrom<JsonSchema | boolean>(
            { maxLength: 1 },
            { pattern: '^[ab]' },
            true,
            false,
          ),
          dependencies: fc.constantFrom({ a: ['b'] }, { a: { required: ['b'] } }),
          ...(isDraft7
            ? {}
            : { unevaluatedProperties: tie('any'), dependentRequired: fc.constant({ b: ['a'] }) }),
        },
        { requiredKeys: [] },
      ),
      isDraft7
        ? fc.record(
            { items: fc.array(tie('any'), { minLength: 1, maxLength: 2 }), additionalItems: tie('any') },
            { requiredKeys: [] },
          )
        : fc.record(
            {
              prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
              items: tie('any'),
            },
            { requiredKeys: [] },
          ),
      fc.record(
        {
          items: tie('any'),
          contains: tie('any'),
          ...(isDraft7 ? {} : { minContains: fc.nat(2) }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          not: tie('any'),
          if: tie('any'),
          ...Object.fromEntries([['then', tie('any')]]),
          else: tie('any'),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  return fc.record({ v: node, leaf }).map(({ v, leaf: one }) => ({
    ...(isDraft7 ? { $schema: DRAFT_7 } : {}),
    type: 'object',
    properties: { v },
    [definitions]: { leaf: one, list: { type: 'array', items: { $ref: `#/${definitions}/list` } } },
  }));
}

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1, -1, 1.5, 3, 'a', 'ab', 'cab', '', [], {}),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.record(
      { a: tie('json'), b: tie('json'), c1: tie('json') },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
}));

describe.each([
  ['2020-12', false],
  ['7', true],
])('small schemas of draft %s', (_, isDraft7) => {
  it('accept what Ajv accepts by them', async () => {
    const options = {
      strict: false,
      allErrors: true,
      ignoreKeywordsWithRef: isDraft7,
      logger: false,
    } as const;
    const Ajv = isDraft7 ? Ajv7 : Ajv2020;
    const tally = { accepted: 0, refused: 0 };
    const pair = fc.tuple(schemas(isDraft7), fc.array(json, { minLength: 5, maxLength: 5 }));
    await forAllAwaited(
      pair,
      async ([schema, values]) => {
        const validate = new Ajv(options).compile(schema);
        const contract = schemaInputContract(schema);
        for (const v of values) {
          const expected = validate({ v });
          tally[expected ? 'accepted' : 'refused'] += 1;
          expect([schema, v, (await contract.parse({ v })).ok]).toEqual([schema, v, expected]);
        }
      },
      120,
    );
    expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(80);
  }, 60_000);
});
