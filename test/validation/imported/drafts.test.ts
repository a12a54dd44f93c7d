/**
 * What the keywords of both drafts mean, case by case, as their specifications say it.
 * Invariant: every schema here stands under `properties/v` or is the whole, and each case gives the verdict.
 */
import { type JsonSchema, schemaInputContract } from 'toolcrib';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

type Case = readonly [name: string, v: unknown, accepted: readonly unknown[], refused: readonly unknown[]];

const BOTH: readonly Case[] = [
  ['true', true, [1, null], []],
  ['false', false, [], [1, null]],
  ['type integer', { type: 'integer' }, [1, 1.0, -0], [1.5, '1', null]],
  ['type list', { type: ['string', 'null'] }, ['a', null], [1, []]],
  ['const', { const: { a: [1] } }, [{ a: [1] }], [{ a: 1 }, {}]],
  ['enum', { enum: [1, null, 'a'] }, [1, null, 'a'], ['1', 0]],
  ['multipleOf', { multipleOf: 2 }, [4, 'a'], [3]],
  ['bounds', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'a'], [0, 3]],
  ['exclusiveMinimum', { exclusiveMinimum: 1, maximum: 2 }, [2], [1]],
  ['lengths in code points', { maxLength: 1 }, ['💩', ''], ['ab']],
  ['minLength', { minLength: 2 }, ['💩a', 1], ['💩']],
  ['pattern unanchored, with u', { pattern: '\\p{L}b' }, ['xéb', 1], ['1b']],
  ['items', { items: { type: 'integer' } }, [[1], [], 'a'], [['a']]],
  ['contains', { contains: { const: 1 } }, [[2, 1]], [[2], []]],
  ['sizes', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [
      [1, '1', true],
      [{}, []],
    ],
    [
      [1, 1],
      [{ a: 1 }, { a: 1 }],
    ],
  ],
  ['property counts', { minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 1 }]],
  ['required', { required: ['a'] }, [{ a: null }, 1], [{}, { b: 1 }]],
  ['properties', { properties: { a: false } }, [{ b: 1 }, []], [{ a: 1 }]],
  [
    'patternProperties',
    { patternProperties: { '^a': { type: 'string' } } },
    [{ ab: 'x', b: 1 }],
    [{ ab: 1 }],
  ],
  [
    'additionalProperties',
    { properties: { a: true }, patternProperties: { '^b': true }, additionalProperties: false },
    [{ a: 1, bb: 1 }],
    [{ c: 1 }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [
    'dependencies',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [{ a: 1, b: 1 }, {}],
    [{ a: 1 }, { c: 1 }],
  ],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
  ['anyOf', { anyOf: [{ const: 1 }, { type: 'string' }] }, [1, 'a'], [2]],
  ['oneOf', { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1]],
  ['not', { not: { type: 'string' } }, [1], ['a']],
  [
    'if, met',
    JSON.parse('{"if":{"minimum":5},"then":{"multipleOf":5},"else":{"maximum":1}}'),
    [10, 1],
    [6, 2],
  ],
  ['then without if', JSON.parse('{"then":false,"else":false}'), [1], []],
  ['an enum of nothing', { enum: [] }, [], [1, null]],
  ['an enum that repeats', { enum: [1, 1] }, [1], [2]],
  ['format as an annotation', { format: 'ipv4' }, ['no'], []],
  ['no keyword of OpenAPI', { type: 'string', nullable: true }, ['a'], [null]],
  ['a reference to the whole', { $ref: '#' }, [{}, { v: { v: {} } }], [1, { v: 1 }]],
];

const ONLY_2020: readonly Case[] = [
  ['prefixItems', { prefixItems: [{ const: 1 }], items: false }, [[1], []], [[2], [1, 1]]],
  [
    'what stands beside a list that is not filled',
    { prefixItems: [true], contains: { const: 1 } },
    [[1]],
    [[]],
  ],
  ['minContains 0', { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [1]], [[1, 1]]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }], [{ a: 1 }]],
  [
    'unevaluatedProperties through a reference',
    { $ref: '#/$defs/a', properties: { b: true }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    'unevaluatedProperties past a branch',
    { anyOf: [{ required: ['a'], properties: { a: true } }, true], unevaluatedProperties: false },
    [{ a: 1 }, {}],
    [{ b: 1 }],
  ],
  ['unevaluatedItems', { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ['what stands beside a reference', { $ref: '#/$defs/text', maxLength: 1 }, ['a'], ['ab', 1]],
  ['an anchor', { $ref: '#word' }, ['a'], [1]],
  ['an embedded schema by its address', { $ref: 'embedded' }, [1], ['a']],
  ['a pointer below an embedded schema', { $ref: 'embedded#/$defs/own' }, [true], [1]],
  ['a relative reference inside of it', { $ref: '#/$defs/embedded/$defs/same' }, [true], [1]],
  ['a dynamic reference', { $dynamicRef: '#word' }, ['a'], [1]],
  ['a place under an unknown keyword', { $ref: '#/x-parts/one~1two' }, [null], [1]],
  ['no list of items as in draft 7', { additionalItems: false }, [[1]], []],
];

const ONLY_7: readonly Case[] = [
  [
    'a list of items',
    { items: [{ const: 1 }], additionalItems: { const: 2 } },
    [[1, 2, 2], []],
    [[2], [1, 3]],
  ],
  ['a list of items alone', { items: [{ const: 1 }] }, [[1, 5]], [[5]]],
  ['additionalItems beside a schema', { items: true, additionalItems: false }, [[1]], []],
  ['nothing beside a reference', { $ref: '#/definitions/text', maxLength: 1 }, ['ab'], [1]],
  ['a name in $id', { $ref: '#word' }, ['a'], [1]],
  ['an embedded schema by its address', { $ref: 'embedded#/definitions/own' }, [true], [1]],
  [
    'no keyword of later drafts',
    { prefixItems: [false], dependentRequired: { a: ['b'] }, unevaluatedProperties: false, minContains: 0 },
    [[1], { a: 1 }],
    [],
  ],
  ['contains without a minimum', { contains: { const: 1 }, minContains: 0 }, [[1]], [[]]],
];

const WHOLE_2020: JsonSchema = {
  $id: 'https://example.com/whole',
  type: 'object',
  $defs: {
    a: { properties: { a: true } },
    text: { $anchor: 'word', type: 'string' },
    embedded: {
      $id: 'embedded',
      type: 'integer',
      $defs: { own: { type: 'boolean' }, same: { $ref: '#/$defs/own' } },
    },
  },
  'x-parts': { 'one/two': { type: 'null' } },
};

const WHOLE_7: JsonSchema = {
  $schema: DRAFT_7,
  $id: 'https://example.com/whole',
  type: 'object',
  definitions: {
    text: { $id: '#word', type: 'string' },
    embedded: { $id: 'embedded', definitions: { own: { type: 'boolean' } } },
  },
};

async function verdictsOf(
  whole: JsonSchema,
  v: unknown,
  values: readonly unknown[],
): Promise<readonly boolean[]> {
  const contract = schemaInputContract({ ...whole, properties: { v } });
  return Promise.all(values.map(async (value) => (await contract.parse({ v: value })).ok));
}

describe.each([
  ['2020-12', WHOLE_2020, [...BOTH, ...ONLY_2020]],
  ['7', WHOLE_7, [...BOTH, ...ONLY_7]],
])('draft %s', (_, whole, cases) => {
  it.each(cases)('reads %s', async (_name, v, accepted, refused) => {
    expect(await verdictsOf(whole, v, accepted)).toEqual(accepted.map(() => true));
    expect(await verdictsOf(whole, v, refused)).toEqual(refused.map(() => false));
  });
});

describe('the whole document of draft 7', () => {
  it('may be a reference beside its definitions, as generators write it', async () => {
    const contract = schemaInputContract({
      $schema: DRAFT_7,
      $ref: '#/definitions/Order',
      definitions: { Order: { type: 'object', required: ['id'] } },
    });
    expect((await contract.parse({ id: 1 })).ok).toBe(true);
    expect((await contract.parse({})).ok).toBe(false);
  });
});
