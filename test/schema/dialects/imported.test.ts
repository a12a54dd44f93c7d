/**
 * Forms that only imported schemas have, in dialects.
 * Invariant: what the gate does not read is not shown; what cannot be carried is named or refused.
 */
import { DIALECT_NAMES, type JsonSchema } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { describeIn } from '../../fixtures/in-dialect';
import { takes } from '../../fixtures/schema-values';
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
