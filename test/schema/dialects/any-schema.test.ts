/**
 * Projections of schemas composed at random.
 * Invariant: a value that the schema takes can be written in every dialect that does not refuse it, and comes
 * back as one that it takes; nothing throws but refusals.
 */
import fc from 'fast-check';
import { DIALECT_NAMES, type JsonSchema, type JsonValue } from 'toolcrib';
import { carriedIn } from '../../fixtures/in-dialect';
import { asModelWrites, takes } from '../../fixtures/schema-values';

const scalar = fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 3, -1, 0.5, '', 'a', 'ab', 'b');

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 2 }) },
    { weight: 2, arbitrary: fc.record({ a: tie('value'), b: tie('value') }, { requiredKeys: [] }) },
  ),
}));

const bounds = fc.record(
  {
    minLength: fc.nat(2),
    maxLength: fc.nat(2),
    pattern: fc.constantFrom('^a', '^(?=a)', 'b$'),
    minimum: fc.nat(2),
    exclusiveMinimum: fc.integer({ min: -1, max: 1 }),
    maximum: fc.nat(3),
    multipleOf: fc.constantFrom(1, 2),
    uniqueItems: fc.boolean(),
    maxItems: fc.nat(2),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
    const: scalar,
    not: fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 2 }) }),
    description: fc.constantFrom('One', 'Two'),
    default: scalar,
    minProperties: fc.nat(1),
  },
  { requiredKeys: [] },
);
const type = fc.oneof(
  fc.constantFrom('string', 'number', 'integer', 'boolean', 'null'),
  fc.uniqueArray(fc.constantFrom('string', 'number', 'boolean', 'null', 'array', 'object'), {
    minLength: 1,
    maxLength: 3,
  }),
);
const ref = fc.constantFrom('#/$defs/A', '#/$defs/B', '#');

const { root } = fc.letrec<{ node: JsonSchema; object: JsonSchema; root: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(fc.record({ type }), bounds).map(([one, more]) => ({ ...more, ...one })),
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({
      anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
      description: fc.constant('Any'),
    }),
    fc.record({ oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type, allOf: fc.array(fc.oneof(bounds, tie('node')), { minLength: 1, maxLength: 2 }) }),
    fc.record({ type, anyOf: fc.array(fc.oneof(bounds, tie('node')), { minLength: 1, maxLength: 2 }) }),
    fc.record({ $ref: ref }),
    fc.record({ $ref: ref, description: fc.constant('Beside') }),
    fc.record({ $ref: ref, properties: fc.record({ a: tie('node') }), required: fc.constant(['a']) }),
  ),
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.record({ a: tie('node'), b: tie('node') }, { requiredKeys: ['a'] }),
    required: fc.constantFrom<string[]>([], ['a']),
    additionalProperties: fc.constant(false),
  }),
  root: fc
    .tuple(tie('object'), tie('object'), tie('object'))
    .map(([whole, A, B]) => ({ ...whole, $defs: { A, B } })),
}));

const providers = DIALECT_NAMES.filter((name) => name !== 'json-schema');

const someArgs = fc.array(fc.record({ a: value, b: value }, { requiredKeys: [] }), {
  minLength: 20,
  maxLength: 20,
});

it('carries what any schema takes, or refuses the schema', () => {
  const seen = { carried: 0, refused: 0, values: 0 };
  fc.assert(
    fc.property(root, someArgs, (schema, values) => {
      const taken = values.map((one): JsonValue => ({ ...one })).filter((one) => takes(schema, one));
      for (const dialect of providers) {
        const described = carriedIn(dialect, schema);
        seen[described === undefined ? 'refused' : 'carried'] += 1;
        if (described === undefined) continue;
        const { definition, changes, restore } = described;
        for (const one of taken) {
          seen.values += 1;
          const written = asModelWrites(one, definition.inputSchema, changes);
          expect({ dialect, written, isTaken: takes(definition.inputSchema, written) }).toMatchObject({
            isTaken: true,
          });
          const restored = restore(written);
          expect({ dialect, restored, isTaken: takes(schema, restored) }).toMatchObject({ isTaken: true });
        }
      }
    }),
    { seed: 20260131, numRuns: 150 },
  );
  expect(Math.min(seen.carried, seen.refused, seen.values)).toBeGreaterThan(0);
});
