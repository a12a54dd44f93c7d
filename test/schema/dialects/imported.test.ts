/**
 * Forms that only imported schemas have, in dialects.
 * Invariant: what the gate does not read is not shown; what cannot be carried is named or refused.
 */
import { DIALECT_NAMES, type JsonSchema } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { describeIn } from '../../fixtures/in-dialect';
import { asModelWrites, takes } from '../../fixtures/schema-values';
import { propertyNode } from '../../fixtures/strict-schema';

const PROVIDERS = DIALECT_NAMES.filter((name) => name !== 'json-schema');

function closed(a: JsonSchema): JsonSchema {
  return { type: 'object', properties: { a }, required: ['a'], additionalProperties: false };
}

it('of draft 7 nothing that stands beside a reference is read', () => {
  const aside = { $ref: '#/definitions/A', type: 'integer', minimum: 3, description: 'Aside' };
  const original = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: aside },
    required: ['a'],
    additionalProperties: false,
    definitions: { A: { $id: '#a', $ref: '#/definitions/B' }, B: { type: ['string', 'null'] } },
  };
  for (const dialect of PROVIDERS) {
    const { definition, changes } = describeIn(dialect, original);
    expect(JSON.stringify(definition.inputSchema)).not.toMatch(/minimum|Aside/);
    for (const value of ['x', null]) expect(takes(definition.inputSchema, { a: value })).toBe(true);
    for (const keyword of ['type', 'minimum', 'description']) {
      const entry = { pointer: '/properties/a', keyword, change: 'dropped', text: 'beside $ref' };
      expect(changes).toContainEqual(entry);
    }
  }
});

it('an anchor that nothing needs is dropped, and named', () => {
  for (const dialect of PROVIDERS) {
    const a = { $anchor: 'a', type: 'string' };
    const original = { type: 'object', properties: { a }, required: ['a'], additionalProperties: false };
    const { definition, changes } = describeIn(dialect, original);
    expect(propertyNode(definition.inputSchema, 'a')).toEqual({ type: 'string' });
    expect(changes).toContainEqual({ pointer: '/properties/a', keyword: '$anchor', change: 'dropped' });
  }
});

const embedded = { $id: 'https://example.com/b', type: 'string' };
const NAMED: readonly (readonly [string, JsonSchema, string])[] = [
  ['an embedded $id', closed(embedded), 'embedded ids'],
  [
    'a pointer through an embedded $id',
    {
      ...closed({ $ref: '#/$defs/B/properties/b' }),
      $defs: { B: { $id: 'https://example.com/b', properties: { b: { $ref: '#/$defs/C' } } } },
    },
    'embedded ids',
  ],
  [
    'a reference to an $anchor',
    {
      ...closed({ $ref: '#b' }),
      $defs: { B: { $anchor: 'b', type: 'string' } },
    },
    'anchors',
  ],
  [
    'a reference to an $id',
    {
      ...closed({ $ref: 'https://example.com/b' }),
      $defs: { B: embedded },
    },
    'embedded ids',
  ],
  [
    'a $dynamicRef',
    {
      ...closed({ $dynamicRef: '#b' }),
      $defs: { B: { $dynamicAnchor: 'b', type: 'string' } },
    },
    'anchors',
  ],
];
it.each(NAMED)('%s is refused in every dialect by its name', (_, schema, name) => {
  for (const dialect of PROVIDERS) {
    const messages = problemsOf(() => describeIn(dialect, schema)).map(({ message }) => message);
    expect(messages.join('\n')).toContain(name);
  }
});

describe('keywords that read what restore undoes', () => {
  const closedBy = (more: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { 'a b': { type: 'string' }, c: { type: 'integer' } },
    additionalProperties: false,
    ...more,
  });
  const KEYWORDS: readonly (readonly [string, JsonSchema])[] = [
    ['propertyNames', { propertyNames: { enum: ['a b', 'c'] } }],
    ['not', { not: { required: ['a_b', 'c'] } }],
    ['not', { not: { properties: { a_b: { type: 'string' } }, required: ['a_b'] } }],
    ['enum', { enum: [{ 'a b': 'x' }, { c: 1 }] }],
    ['const', { const: { 'a b': 'x' } }],
    ['dependentRequired', { required: ['a b'], dependentRequired: { a_b: ['c'] } }],
    ['patternProperties', { patternProperties: { ' b$': { minLength: 1 }, _b$: { minLength: 2 } } }],
  ];
  it.each(KEYWORDS)('%s of %j makes nothing unsatisfiable', (keyword, more) => {
    const inList = { type: 'array', items: closedBy({}), enum: [[{ 'a b': 'x' }]] };
    const original = {
      type: 'object',
      properties: { one: closedBy(more), list: inList },
      additionalProperties: false,
    };
    const value = { one: { 'a b': 'x' }, list: [{ 'a b': 'x' }] };
    expect(takes(original, value)).toBe(true);
    for (const dialect of PROVIDERS) {
      if (dialect === 'openai-strict' && keyword === 'patternProperties') continue;
      const { definition, changes, restore } = describeIn(dialect, original);
      const written = asModelWrites(value, definition.inputSchema, changes);
      expect(takes(definition.inputSchema, written)).toBe(true);
      expect(restore(written)).toEqual(value);
    }
  });

  it('stay where they read nothing of it', () => {
    const notNull = { not: { type: 'null' } };
    const { definition } = describeIn('anthropic', closedBy({ minProperties: 1 }));
    expect(definition.inputSchema).toMatchObject({ minProperties: 1 });
    const one = describeIn('anthropic', { type: 'object', properties: { one: closedBy(notNull) } });
    expect(propertyNode(one.definition.inputSchema, 'one')).toMatchObject(notNull);
  });
});

it('what patterns leave open or closed stands in words, and is no longer said of all names', () => {
  for (const additional of [false, { type: 'integer' }]) {
    const original = {
      type: 'object',
      properties: { a: { type: 'string' } },
      patternProperties: { '^x': { type: 'string' } },
      additionalProperties: additional,
    };
    const { definition, changes } = describeIn('anthropic', original);
    expect(takes(definition.inputSchema, { a: 'x', x1: 'y' })).toBe(true);
    const named = changes.filter(({ keyword }) => keyword === 'additionalProperties');
    expect(named.map(({ change }) => change)).toEqual(['rewritten', 'moved_to_description']);
    expect(definition.inputSchema.description).toContain(JSON.stringify(additional));
  }
});

it('a union is noted once', () => {
  for (const dialect of PROVIDERS) {
    const { changes } = describeIn(
      dialect,
      closed({ description: 'One', minLength: 2, oneOf: [{ type: 'string' }, { enum: ['abc'] }] }),
    );
    const named = changes.filter(({ keyword }) => keyword === 'oneOf');
    expect(named).toEqual([
      { pointer: '/properties/a', keyword: 'oneOf', change: 'rewritten', text: 'anyOf' },
    ]);
  }
});

describe('openai-strict: null of an optional property that takes null itself', () => {
  const open = { type: ['string', 'null'] };
  const whole = (more: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { a: open, b: { type: 'string' } },
    additionalProperties: false,
    ...more,
  });
  const READERS: readonly JsonSchema[] = [
    { dependentRequired: { a: ['b'] } },
    { not: { required: ['a'] } },
    { if: { required: ['a'] }, else: { maxProperties: 0 } },
    { maxProperties: 1, required: ['b'] },
    { propertyNames: { const: 'b' } },
    { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { enum: [{}, { b: 'x' }] },
  ];
  it.each(READERS)('means absent beside %j', (more) => {
    const original = whole(more);
    const { changes, restore } = describeIn('openai-strict', original);
    const b = 'required' in more || 'oneOf' in more ? 'x' : null;
    expect(takes(original, restore({ a: null, b }))).toBe(true);
    expect(restore({ a: null, b })).not.toHaveProperty('a');
    const entry = {
      pointer: '/properties/a',
      keyword: 'type',
      change: 'narrowed',
      text: 'null means absent',
    };
    expect(changes).toContainEqual(entry);
  });

  it('stays null where its absence says nothing', () => {
    for (const more of [{}, { minProperties: 1 }, { dependentRequired: { b: ['a'] } }]) {
      const { changes, restore } = describeIn('openai-strict', whole(more));
      expect(restore({ a: null, b: null })).toEqual({ a: null });
      expect(changes.map(({ change }) => change)).not.toContain('narrowed');
    }
  });

  it('is named where branches of oneOf are told apart by it', () => {
    const branches = [whole({ required: ['b'] }), whole({ required: ['a'] })];
    const { changes } = describeIn('openai-strict', closed({ oneOf: branches }));
    expect(changes).toContainEqual({
      pointer: '/properties/a/oneOf/0/properties/a',
      keyword: 'required',
      change: 'narrowed',
      text: 'null does not mean absent',
    });
  });
});

it('what one part of allOf declares is held against the undeclared properties of another', () => {
  const part = { properties: { c: { type: 'string' } }, additionalProperties: { type: 'integer' } };
  const original = closed({ type: ['integer', 'null'] });
  for (const dialect of PROVIDERS) {
    const { definition } = describeIn(dialect, { ...original, required: [], allOf: [part] });
    expect(takes(definition.inputSchema, { a: 1 })).toBe(true);
    expect(takes(definition.inputSchema, { a: null })).toBe(dialect === 'openai-strict');
  }
});
