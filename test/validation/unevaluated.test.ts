/**
 * What is left over by small schemas at random, beside another interpreter.
 * Invariant: both give one verdict. The other one gets schemas under `then`, `else` and references wrong that ask
 * what was evaluated; there are none.
 */
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import type { JsonSchema, JsonValue } from 'toolcrib';
import { compileSchema } from '../../src/validation/compile';

const leaf: fc.Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema>(
  ...[{}, { type: 'string' }, { type: 'integer' }, { type: 'array' }, { type: 'object' }, { const: 1 }],
  ...[{ required: ['a'] }, { minItems: 1 }, { maxProperties: 1 }],
);

function schemas(asks: boolean): fc.Arbitrary<JsonSchema> {
  const { node } = fc.letrec<{ node: JsonSchema; any: JsonSchema | boolean }>((tie) => ({
    any: fc.oneof({ weight: 5, arbitrary: tie('node') }, { weight: 1, arbitrary: fc.boolean() }),
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.record(
        {
          properties: fc.record({ a: tie('any'), toString: tie('any') }, { requiredKeys: [] }),
          patternProperties: fc.record({ '^b': tie('any') }, { requiredKeys: [] }),
          prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          contains: tie('any'),
          ...(asks ? { unevaluatedProperties: tie('any'), unevaluatedItems: tie('any') } : {}),
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
          ...(asks ? Object.fromEntries([['then', schemas(false)]]) : {}),
          ...(asks ? { else: schemas(false) } : {}),
          properties: fc.record({ a: tie('any') }),
          ...(asks
            ? { unevaluatedProperties: fc.constant(false), unevaluatedItems: fc.constant(false) }
            : {}),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  return node;
}

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, 1, 2, 'a', [], {}),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.record(
      { a: tie('json'), b: tie('json'), toString: tie('json'), c: tie('json') },
      {
        requiredKeys: [],
        noNullPrototype: true,
      },
    ),
  ),
}));

it('what is left over is judged as another interpreter judges it', () => {
  const tally = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(schemas(true), fc.array(json, { minLength: 6, maxLength: 6 }), (schema, values) => {
      const other = new Validator(JSON.parse(JSON.stringify(schema)), '2020-12');
      const compiled = compileSchema(schema, 'imported');
      for (const value of values) {
        const expected = other.validate(value).valid;
        tally[expected ? 'accepted' : 'refused'] += 1;
        expect([schema, value, compiled.accepts(value)]).toEqual([schema, value, expected]);
        expect(compiled.errors(value).length === 0).toBe(expected);
      }
    }),
    { seed: 20260131, numRuns: 300 },
  );
  expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(200);
});
