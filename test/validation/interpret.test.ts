/**
 * The interpreter beside the compiled schema.
 * Invariant: on every value both give one verdict, and the same errors at the same places of value and schema.
 */
import fc from 'fast-check';
import type { JsonSchema, JsonValue } from 'toolcrib';
import { emit } from '../../src/schema/emit';
import { type CompiledSchema, compileSchema, type SchemaError } from '../../src/validation/compile';
import { interpretSchema } from '../../src/validation/interpret';
import { makeDto } from '../drift/spec';
import { composedCases } from '../fixtures/composed-dtos';

const RUNS = { seed: 20260131, numRuns: 300 };

/** Of what Ajv says about a keyword, that which no words are made of. */
const UNREAD = ['i', 'j', 'minContains', 'maxContains', 'passingSchemas', 'property', 'deps', 'depsCount'];

/** Tells an error of an element that `contains` passed over, which Ajv alone lists. */
function isPassedOver(error: object): boolean {
  return 'schemaPath' in error && String(error.schemaPath).includes('/contains/');
}

/** Errors in one order, each once; those about a name by itself are the object's as well. */
function errorsOf(
  compiled: CompiledSchema,
  value: JsonValue,
  nodes: Map<unknown, number>,
): readonly string[] {
  const numberOf = (node: SchemaError['parentSchema']) => {
    if (!nodes.has(node)) nodes.set(node, nodes.size);
    return nodes.get(node);
  };
  const told = compiled
    .errors(value)
    .filter((error) => error.propertyName === undefined && !isPassedOver(error))
    .map(({ keyword, instancePath, params: all, parentSchema, data }) => {
      const params = Object.entries(all).filter(([name]) => !UNREAD.includes(name));
      const node = keyword === 'false schema' ? 0 : numberOf(parentSchema);
      return JSON.stringify([instancePath, keyword, params, node, data]);
    });
  return [...new Set(told)].sort();
}

function expectSame(schema: JsonSchema, values: readonly JsonValue[], origin: 'emitted' | 'imported'): void {
  const [compiled, interpreted] = [compileSchema(schema, origin), interpretSchema(schema)];
  for (const value of values) {
    const nodes = new Map<unknown, number>();
    expect(interpreted.accepts(value)).toBe(compiled.accepts(value));
    expect(errorsOf(interpreted, value, nodes)).toEqual(errorsOf(compiled, value, nodes));
  }
}

describe('the interpreter', () => {
  it('says of random DTOs what the compiled schema says', () => {
    fc.assert(
      fc.property(composedCases(), ({ spec, documents }) => {
        const { schema } = emit({ kind: 'class', cls: makeDto(spec).cls }).gate;
        expectSame(schema, documents, 'emitted');
      }),
      RUNS,
    );
  }, 120_000);

  const SCHEMAS: readonly (readonly [string, JsonSchema])[] = [
    [
      'a closed object',
      { properties: { a: true, b: false }, required: ['a', 'c'], additionalProperties: false },
    ],
    ['names', { propertyNames: { maxLength: 1 }, minProperties: 1, maxProperties: 2 }],
    [
      'patterns of names',
      { patternProperties: { '^a/~#%': { type: 'string' } }, additionalProperties: { type: 'null' } },
    ],
    ['a list', { prefixItems: [{ type: 'string' }], items: false, minItems: 1, uniqueItems: true }],
    ['elements that are found', { contains: { type: 'string' }, minContains: 2, maxContains: 3 }],
    ['alternatives', { anyOf: [{ type: 'string' }, { required: ['a'] }], not: { const: 'x' } }],
    ['one alternative', { oneOf: [{ type: 'integer' }, { minimum: 5 }], maximum: 9, exclusiveMinimum: -1 }],
    [
      'a condition',
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      { if: { type: 'string' }, then: { minLength: 2, pattern: '^a' }, else: { enum: [1, null, [1]] } },
    ],
    [
      'dependent names',
      { dependentRequired: { a: ['b', 'c'] }, dependentSchemas: { b: { required: ['c'] } } },
    ],
    ['what is left over', { properties: { a: true }, unevaluatedProperties: false }],
    [
      'a reference',
      {
        properties: { 'a/~#%': { $ref: '#/$defs/one' } },
        $defs: { one: { type: 'string', format: 'email' } },
      },
    ],
    [
      'properties named as keywords',
      { properties: { format: { type: 'string' }, $ref: { const: { format: 1 } } } },
    ],
  ];
  const VALUES: readonly JsonValue[] = [
    ...[null, true, 0, 1, 5, 7.5, 10, -1, '', 'x', 'ab', 'bb', '💩💩'],
    ...[[], [1], ['a'], ['a', 'a'], ['a', 1], ['a', 'b', 'c', 'd'], [[1], [1]], [{ a: 1 }, { a: 1 }]],
    ...[{}, { a: 1 }, { a: 1, b: 2 }, { a: 1, c: null }, { b: 1 }, { a: 'x', b: 1, c: 1, d: 1 }],
    ...[{ 'a/~#%': 1 }, { 'a/~#%': 'x' }, { format: 1 }, { $ref: { format: 1 } }, { $ref: 1 }],
    JSON.parse('{"__proto__":{"a":1}}'),
  ];

  it.each(SCHEMAS)('says of %s what the compiled schema says', (_, schema) => {
    expectSame(schema, VALUES, 'imported');
  });

  it('takes names that no URI can hold', () => {
    const schema: JsonSchema = { additionalProperties: { type: 'string', maxLength: 1 } };
    expectSame(
      schema,
      [{ '\ud800': 'x' }, { '\udfff/a': 'xx' }, { 'a\ud800\ud83d\ude00': { '\ud800': 1 } }],
      'imported',
    );
  });

  it('leaves the schema as it is', () => {
    const schema: JsonSchema = Object.freeze({ type: 'object', additionalProperties: false });
    expect(interpretSchema(schema).accepts({})).toBe(true);
    expect(Object.getOwnPropertyNames(schema)).toEqual(['type', 'additionalProperties']);
  });
});
