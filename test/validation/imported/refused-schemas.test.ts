/**
 * Raw JSON Schemas that cannot be taken, hostile ones among them.
 * Invariant: each is refused by a DeclarationError that names the place, in bounded time and words, and leaves
 * every prototype as it was.
 */
import { type JsonSchema, SCHEMA_LIMITS, schemaInputContract, schemaOutputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema';

/** The places of the problems of a schema. */
function placesOf(schema: unknown): readonly (string | undefined)[] {
  const problems = problemsOf(() => schemaInputContract(schema));
  for (const { code, message, mend } of problems) {
    expect(code).toBe('illegal_schema');
    expect(message.length + mend.length).toBeLessThan(600);
  }
  expect(problems.length).toBeLessThanOrEqual(20);
  return problems.map(({ place }) => place.schema);
}

function nested(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

function circular(): object {
  const schema: { type: string; properties: { [name: string]: unknown } } = {
    type: 'object',
    properties: {},
  };
  schema.properties.self = schema;
  return schema;
}

/** Definitions of which each refers twice to the next, by a keyword that applies to the same value. */
function fanOut(levels: number, keyword: string): object {
  const two = (at: number) => [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }];
  const entries = Array.from({ length: levels }, (_, at) => [`d${at}`, { [keyword]: two(at) }] as const);
  return {
    type: 'object',
    $ref: '#/$defs/d0',
    $defs: { ...Object.fromEntries(entries), [`d${levels}`]: { minProperties: 1 } },
  };
}

const throwing = {
  type: 'object',
  get properties(): object {
    throw new Error('no');
  },
};
const trapped = new Proxy(
  { type: 'object' },
  {
    ownKeys: () => {
      throw new Error('no');
    },
  },
);

describe('a schema that cannot be taken', () => {
  it.each<readonly [string, unknown, string]>([
    ['nothing', undefined, '#'],
    ['a text', '{"type":"object"}', '#'],
    ['a list', [], '#'],
    ['true', true, '#'],
    ['a function', () => undefined, '#'],
    ['a getter that throws', throwing, '#'],
    ['a proxy that throws', trapped, '#'],
    ['one that holds itself', circular(), '#'],
    ['10,000 levels', nested(10_000), '#'],
    ['a million members', { type: 'object', enum: Array.from({ length: 1e6 }, (_, at) => at) }, '#'],
    [
      '200,000 properties',
      { properties: Object.fromEntries(Array.from({ length: 2e5 }, (_, at) => [at, {}])) },
      '#',
    ],
    ['a long text', { type: 'object', description: 'x'.repeat(SCHEMA_LIMITS.maxBytes) }, '#'],
    ['a key of half a character', { type: 'object', properties: { '\ud83d': {} } }, '#'],
    ['a key __proto__', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'), '#'],
    [
      'a regular expression',
      { type: 'object', properties: { a: { pattern: /a/ } } },
      '#/properties/a/pattern',
    ],
    ['draft 4', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }, '#/$schema'],
    [
      'draft 2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      '#/$schema',
    ],
    ['a $schema that is no text', { $schema: 7, type: 'object' }, '#/$schema'],
    ['an unknown type', { type: 'objekt' }, '#/type'],
    [
      'a list of items in 2020-12',
      { type: 'object', properties: { a: { items: [{}] } } },
      '#/properties/a/items',
    ],
    [
      'a negative length',
      { type: 'object', properties: { a: { maxLength: -1 } } },
      '#/properties/a/maxLength',
    ],
    [
      'required as in draft 3',
      { type: 'object', properties: { a: { required: true } } },
      '#/properties/a/required',
    ],
    ['a text for a schema', { type: 'object', properties: { a: 'string' } }, '#/properties/a'],
    [
      'a pattern that does not compile',
      { type: 'object', properties: { a: { pattern: '(' } } },
      '#/properties/a/pattern',
    ],
    [
      'a pattern without the flag u',
      { type: 'object', patternProperties: { '\\-': {} } },
      '#/patternProperties/\\-',
    ],
    [
      'a pattern that runs away',
      { type: 'object', properties: { a: { pattern: '^(a+)+$' } } },
      '#/properties/a/pattern',
    ],
    [
      'a reference to the network',
      { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } },
      '#/properties/a',
    ],
    [
      'a reference to a file',
      { type: 'object', properties: { a: { $ref: 'file:///etc/passwd' } } },
      '#/properties/a',
    ],
    [
      'a reference to nothing',
      { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
      '#/properties/a',
    ],
    ['a reference to an inherited name', { type: 'object', allOf: [{ $ref: '#/constructor' }] }, '#/allOf/0'],
    ['a reference to no schema', { type: 'object', title: 'a', allOf: [{ $ref: '#/title' }] }, '#/allOf/0'],
    ['a reference to an unknown anchor', { type: 'object', allOf: [{ $ref: '#a' }] }, '#/allOf/0'],
    ['a reference that is not escaped', { type: 'object', allOf: [{ $ref: '#/%' }] }, '#/allOf/0'],
    ['a dynamic reference to nothing', { type: 'object', allOf: [{ $dynamicRef: '#a' }] }, '#/allOf/0'],
    [
      'what a reference finds beside the schemas',
      { type: 'object', 'x-a': { type: 1 }, allOf: [{ $ref: '#/x-a' }] },
      '#/x-a/type',
    ],
    ['two of one name', { type: 'object', $defs: { a: { $anchor: 'n' }, b: { $anchor: 'n' } } }, '#/$defs/b'],
    [
      'an embedded schema of another draft',
      { type: 'object', $defs: { a: { $id: 'a', $schema: DRAFT_7 } } },
      '#/$defs/a',
    ],
    ['a reference to itself', { type: 'object', $ref: '#' }, '#'],
    [
      'a loop at one value',
      {
        type: 'object',
        anyOf: [{ $ref: '#/$defs/a' }],
        $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { allOf: [{ $ref: '#/$defs/a' }] } },
      },
      '#/$defs/b',
    ],
    [
      'a loop in draft 7',
      { $schema: DRAFT_7, $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/a' } } },
      '#/definitions/a',
    ],
    ['a loop that nothing uses', { type: 'object', $defs: { a: { $ref: '#/$defs/a' } } }, '#/$defs/a'],
    ['any value', {}, '#'],
    ['an object or null', { type: ['object', 'null'] }, '#'],
    ['an alternative that is a text', { anyOf: [{ type: 'object' }, { type: 'string' }] }, '#'],
    ['properties without a type', { properties: { a: {} } }, '#'],
  ])('is refused by name: %s', (_, schema, place) => {
    expect(placesOf(schema)).toContain(place);
  });

  it.each(['allOf', 'anyOf', 'oneOf'])(
    'is refused when %s unfolds to a million schemas at one value',
    (keyword) => {
      expect(placesOf(fanOut(20, keyword))).toHaveLength(1);
    },
  );

  it('is refused when its references form a chain of thousands', () => {
    const entries = Array.from(
      { length: 3_000 },
      (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }] as const,
    );
    const schema = {
      type: 'object',
      $ref: '#/$defs/d0',
      $defs: { ...Object.fromEntries(entries), d3000: {} },
    };
    expect(placesOf(schema)).toHaveLength(1);
  });

  it('is refused for more patterns than the limit, and not for fewer', () => {
    const withPatterns = (count: number): object => ({
      type: 'object',
      patternProperties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`^a${at}$`, {}])),
    });
    expect(placesOf(withPatterns(SCHEMA_LIMITS.maxPatterns + 1))).toEqual(['#']);
    expect(() => schemaInputContract(withPatterns(SCHEMA_LIMITS.maxPatterns))).not.toThrow();
  });

  it('is named 20 times at most, in bounded words', () => {
    const key = 'k'.repeat(50_000);
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at, { $ref: '#/no' }]));
    expect(placesOf({ type: 'object', properties: { [key]: { properties } } })).toHaveLength(20);
    const patterns = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`(${at}`, {}]));
    expect(placesOf({ type: 'object', patternProperties: patterns })).toHaveLength(20);
    const slow = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`^(a+)+${at}$`, {}]));
    expect(placesOf({ type: 'object', patternProperties: slow })).toHaveLength(1);
    const broken = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at, { type: 5 }]));
    expect(placesOf({ type: 'object', properties: broken })).toHaveLength(20);
  });

  it('says its place in the message of the error', () => {
    expect(() => schemaOutputContract({ properties: { a: { $ref: 'b.json' } } })).toThrow('#/properties/a');
  });
});

describe('a schema that is taken', () => {
  it.each<readonly [string, JsonSchema]>([
    ['draft 7 with and without the fragment', { $schema: DRAFT_7, type: 'object' }],
    ['draft 7 as it is written mostly', { $schema: `${DRAFT_7}#`, type: 'object' }],
    ['a list of one type', { type: ['object'] }],
    [
      'alternatives of objects',
      { oneOf: [{ type: 'object' }, { $ref: '#/$defs/a' }], $defs: { a: { const: {} } } },
    ],
    ['an enumeration of objects', { allOf: [{ minProperties: 1 }, { enum: [{ a: 1 }] }] }],
    ['false', { allOf: [false] }],
    ['a reference to an object', { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } }],
    ['a recursion that steps into the value', { type: 'object', additionalProperties: { $ref: '#' } }],
  ])('may be %s', (_, schema) => {
    const contract = schemaInputContract(schema);
    expect(() => contract.warm()).not.toThrow();
    expect(contract.schema).toEqual(schema);
  });

  it('may have many definitions', async () => {
    const entries = Array.from({ length: 1_000 }, (_, at) => [`d${at}`, { type: 'string' }] as const);
    const properties = Object.fromEntries(entries.map(([name]) => [name, { $ref: `#/$defs/${name}` }]));
    const contract = schemaInputContract({ type: 'object', properties, $defs: Object.fromEntries(entries) });
    expect(await contract.parse({ d7: 'a' })).toMatchObject({ ok: true });
    expect(await contract.parse({ d7: 1 })).toMatchObject({ violations: [{ path: '/d7', rule: 'type' }] });
  });

  it('reads each member of the given schema once', () => {
    let reads = 0;
    const schema = {
      get type(): string {
        reads += 1;
        return reads === 1 ? 'object' : 'string';
      },
    };
    expect(schemaInputContract(schema).schema).toEqual({ type: 'object' });
    expect(reads).toBe(1);
  });
});
