/**
 * Projections of objects composed at random, whose names models do not see as they are.
 * Invariant: what judges an object as a whole never keeps a value that the gate takes from being written and
 * coming back.
 */
import fc from 'fast-check';
import { DIALECT_NAMES, type JsonSchema, type JsonValue } from 'toolcrib';
import { carriedIn } from '../../fixtures/in-dialect';
import { asModelWrites, takes } from '../../fixtures/schema-values';

const name = fc.constantFrom('a b', 'c', 'x1');

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom<JsonValue>(null, true, 1, 2, 'a', 'b') },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 2 }) },
    { weight: 3, arbitrary: fc.dictionary(name, tie('value'), { maxKeys: 3 }).map((one) => ({ ...one })) },
  ),
}));

const whole = fc.oneof(
  fc.constant({}),
  fc.record({ minProperties: fc.nat(2) }),
  fc.record({ propertyNames: fc.constantFrom({ maxLength: 1 }, { pattern: ' |c' }, { enum: ['a b', 'c'] }) }),
  fc.record({
    not: fc.constantFrom<JsonSchema>(
      { required: ['a_b'] },
      { required: ['a b'] },
      { type: 'null' },
      { enum: [{ 'a b': 1 }] },
      { properties: { c: { type: 'null' } } },
    ),
  }),
  fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 4 }) }),
  fc.record({ dependentRequired: fc.constantFrom({ a_b: ['c'] }, { 'a b': ['c'] }) }),
  fc.record({
    patternProperties: fc.constantFrom<JsonSchema>(
      { '^x': { type: 'string' } },
      { ' ': { type: 'integer' } },
    ),
  }),
);
const scalar = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: ['string', 'null'] },
  { type: 'integer' },
  { enum: ['a', null] },
);

const { root } = fc.letrec<{ node: JsonSchema; object: JsonSchema; root: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $ref: fc.constantFrom('#/$defs/A', '#/$defs/B') }),
    fc.record({
      type: fc.constant('object'),
      allOf: fc.array(tie('object'), { minLength: 1, maxLength: 2 }),
    }),
  ),
  object: fc
    .record({
      properties: fc.dictionary(name, tie('node'), { maxKeys: 3 }).map((one): JsonSchema => ({ ...one })),
      required: fc.subarray(['a b', 'c'], { maxLength: 1 }),
      additionalProperties: fc.oneof(
        { weight: 4, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
        { weight: 2, arbitrary: tie('node') },
      ),
      more: whole,
    })
    .map(({ more, ...one }) => ({ ...more, type: 'object', ...one })),
  root: fc
    .tuple(tie('object'), tie('object'), tie('object'))
    .map(([own, A, B]) => ({ ...own, $defs: { A, B } })),
}));

const someArgs = fc.array(fc.dictionary(name, value, { maxKeys: 3 }), { minLength: 20, maxLength: 20 });

it('carries what any object takes, or refuses or names it', () => {
  const seen = { carried: 0, refused: 0, values: 0 };
  fc.assert(
    fc.property(root, someArgs, (schema, given) => {
      const taken = given.map((one): JsonValue => ({ ...one })).filter((one) => takes(schema, one));
      for (const dialect of DIALECT_NAMES) {
        const described = carriedIn(dialect, schema);
        seen[described === undefined ? 'refused' : 'carried'] += 1;
        if (described === undefined || described.changes.some(({ change }) => change === 'narrowed'))
          continue;
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
    { seed: 20260131, numRuns: 80 },
  );
  expect(Math.min(seen.carried, seen.refused, seen.values)).toBeGreaterThan(0);
});
