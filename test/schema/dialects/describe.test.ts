/**
 * Tools described in dialects: what stays, what changes, and what is refused.
 * Invariant: every difference from the gate's schema is named, and its words stand in the schema.
 */
import {
  createToolkit,
  type DescribeOptions,
  DIALECT_NAMES,
  type DialectName,
  describe as describeTool,
  type JsonSchema,
} from 'toolcrib';
import { subschemasOf } from '../../../src/cli/export/subschemas';
import { codesOf, problemsOf } from '../../fixtures/declaration-problems';
import { CARRIED, FREE, RECURSIVE, SAMPLES } from '../../fixtures/dialect-schemas';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { describeIn, specOf } from '../../fixtures/in-dialect';
import { silent } from '../../fixtures/langgraph-tools';
import { propertyNode } from '../../fixtures/strict-schema';

const PROVIDERS = DIALECT_NAMES.filter((name) => name !== 'json-schema');

describe('describe with a dialect', () => {
  it('json-schema changes nothing', () => {
    const spec = specOf(CARRIED.nested ?? {});
    const { definition, changes, restore } = describeTool(spec, { dialect: 'json-schema' });
    expect(definition).toBe(describeTool(spec));
    expect(changes).toEqual([]);
    const args = { any: null };
    expect(restore(args)).toBe(args);
  });

  it.each(DIALECT_NAMES)('%s is made once for a spec, frozen, and the same every time', (dialect) => {
    const spec = specOf(CARRIED.nested ?? {});
    const described = describeTool(spec, { dialect });
    expect(describeTool(spec, { dialect })).toBe(described);
    const again = describeTool({ ...spec }, { dialect });
    expect([again.definition, again.changes]).toEqual([described.definition, described.changes]);
    for (const part of [described, described.definition, described.changes, ...described.changes]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    const { inputSchema: _schema, ...rest } = described.definition;
    expect(rest).toEqual((({ inputSchema: _other, ...own }) => own)(describeTool(spec)));
  });

  it('without one gives the definition, also where a list hands over an index', () => {
    const spec = makeSpec('a.b');
    expect([spec, spec].map(describeTool)).toEqual([describeTool(spec), describeTool(spec)]);
  });

  it.each(['openai', 'constructor', ''])('refuses the name %j, and lists the dialects', (name) => {
    const options: DescribeOptions = JSON.parse(JSON.stringify({ dialect: name }));
    expect(() => describeTool(makeSpec('a.b'), options)).toThrow(TypeError);
    expect(() => describeTool(makeSpec('a.b'), options)).toThrow(DIALECT_NAMES.join(', '));
  });

  it.each([[null], [{}], [{ dialect: Symbol('gemini') }], [{ dialect: ['gemini'] }]])(
    'refuses the options %p of callers without types, and lists the dialects',
    (options) => {
      const call = () => Reflect.apply(describeTool, undefined, [makeSpec('a.b'), options]);
      expect(call).toThrow(TypeError);
      expect(call).toThrow(DIALECT_NAMES.join(', '));
    },
  );

  it('is what a toolkit gives', async () => {
    const toolkit = await createToolkit({ discover: {}, logger: silent });
    const spec = specOf(CARRIED.optionals ?? {});
    toolkit.registry.update((draft) => draft.register(spec));
    expect(toolkit.describe(spec.name)).toBe(describeTool(spec));
    for (const dialect of DIALECT_NAMES) {
      expect(toolkit.describe(spec.key, { dialect })).toBe(describeTool(spec, { dialect }));
    }
  });
});

const carried: readonly (readonly [DialectName, string, JsonSchema])[] = PROVIDERS.flatMap((dialect) => {
  const more = dialect === 'gemini' ? {} : dialect === 'anthropic' ? { ...RECURSIVE, ...FREE } : RECURSIVE;
  return Object.entries({ ...CARRIED, ...SAMPLES, ...more }).map(
    ([name, schema]) => [dialect, name, schema] as const,
  );
});

/** Keywords that hold other schemas or stand for the shape, and are looked into instead. */
const SHAPE = new Set([
  'type',
  'properties',
  'required',
  'items',
  '$defs',
  'anyOf',
  'description',
  'prefixItems',
]);

describe('changes', () => {
  it.each(carried)(
    '%s: %s: name every keyword that is gone, and hold no words that are not there',
    (dialect, _, original) => {
      const { definition, changes } = describeIn(dialect, original);
      const text = JSON.stringify(definition.inputSchema);
      const moved = changes.filter(({ change }) => change === 'moved_to_description');
      for (const { text: words = '' } of moved) expect(text).toContain(JSON.stringify(words).slice(1, -1));
      const whole = changes.filter(
        ({ change }) => change === 'moved_to_description' || change === 'narrowed',
      );
      const gone = changes.filter(({ keyword }) => keyword === '$defs');
      const isMoved = (path: string) =>
        whole.some((one) => path.startsWith(`${one.pointer}/${one.keyword}`)) ||
        gone.some((one) => path.startsWith(one.pointer));
      for (const { path, node } of subschemasOf(original)) {
        const pointer = decodeURIComponent(path.slice(1));
        if (isMoved(pointer)) continue;
        for (const [keyword, value] of Object.entries(node)) {
          if (SHAPE.has(keyword) || text.includes(`${JSON.stringify(keyword)}:${JSON.stringify(value)}`))
            continue;
          const named = changes.filter((one) => one.pointer === pointer && one.keyword === keyword);
          expect([keyword, pointer, named.length > 0]).toEqual([keyword, pointer, true]);
        }
      }
    },
  );

  const IN_WORDS: readonly (readonly [DialectName, JsonSchema, string, string])[] = [
    ['openai-strict', { type: 'string', pattern: '^(?=a)b$' }, 'pattern', '/^(?=a)b$/'],
    ['openai-strict', { type: 'string', pattern: '^\\p{L}$' }, 'pattern', '\\p{L}'],
    ['openai-strict', { type: 'string', pattern: '^(?<name>a)$' }, 'pattern', '(?<name>a)'],
    ['openai-strict', { type: 'string', pattern: '^(a)\\1$' }, 'pattern', '\\1'],
    ['openai-strict', { type: 'string', pattern: '^a{2,1001}$' }, 'pattern', '{2,1001}'],
    ['openai-strict', { type: 'string', pattern: '^(?:a{40,}b){26}$' }, 'pattern', '{26}'],
    ['gemini', { type: 'string', pattern: '^[\\b]$' }, 'pattern', '[\\b]'],
    ['openai-strict', { type: 'string', format: 'uri' }, 'format', 'uri'],
    [
      'openai-strict',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      'uniqueItems',
      'No two items',
    ],
    ['openai-strict', { type: 'string', default: 'x' }, 'default', '"x"'],
    ['gemini', { type: 'string', format: 'email' }, 'format', 'email'],
    ['gemini', { type: 'number', multipleOf: 0.5 }, 'multipleOf', '0.5'],
    ['gemini', { type: 'integer', enum: [1, 2] }, 'enum', '1, 2'],
    ['gemini', { type: 'string', enum: ['', 'a'] }, 'enum', '"", "a"'],
    ['gemini', { type: 'number', exclusiveMinimum: 0 }, 'exclusiveMinimum', 'Greater than 0'],
    ['anthropic', { type: 'array', items: { type: 'string' }, contains: { const: 'a' } }, 'contains', '"a"'],
  ];
  it.each(IN_WORDS)('SCH-17, SCH-18: %s: of %j the %s stands in words', (dialect, node, keyword, words) => {
    const original = {
      type: 'object',
      properties: { a: node },
      required: ['a'],
      additionalProperties: false,
    };
    const { definition, changes } = describeIn(dialect, original);
    const shown = propertyNode(definition.inputSchema, 'a');
    expect(shown).not.toHaveProperty(keyword);
    expect(shown.description).toContain(words);
    expect(changes).toContainEqual({
      pointer: '/properties/a',
      keyword,
      change: 'moved_to_description',
      text: shown.description,
    });
  });

  it('a pattern that every engine has stays', () => {
    const pattern = '^(?:a{40}b{1000}){1}[\\d.]\\b(?:c{25}){40}$';
    const properties = { a: { type: 'string', pattern } };
    const original = { type: 'object', properties, required: ['a'], additionalProperties: false };
    for (const dialect of PROVIDERS)
      expect(describeIn(dialect, original).definition.inputSchema).toMatchObject({ properties });
  });

  it('SCH-21, SCH-22, SCH-24: dates stay texts, no marker stays, and words beside a reference do', () => {
    for (const dialect of PROVIDERS) {
      const dates = describeIn(dialect, CARRIED.dates ?? {}).definition.inputSchema;
      expect(propertyNode(dates, 'at')).toMatchObject({ type: 'string', format: 'date-time' });
      expect(dates).not.toHaveProperty('$schema');
      const $defs = {
        Money: { type: 'object', properties: { cents: { type: 'integer' } }, additionalProperties: false },
      };
      const money = { $ref: '#/$defs/Money', description: 'Gross amount', title: 'Amount' };
      const original = {
        type: 'object',
        properties: { money },
        required: ['money'],
        additionalProperties: false,
        $defs,
      };
      const node = propertyNode(describeIn(dialect, original).definition.inputSchema, 'money');
      expect(node).toMatchObject({ description: 'Gross amount', title: 'Amount' });
      expect(node).not.toHaveProperty('$ref');
    }
  });

  it('SCH-03: a discriminated union becomes anyOf with the tag of each branch', () => {
    const tags = (dialect: DialectName) =>
      JSON.stringify(describeIn(dialect, CARRIED.discriminated ?? {}).definition);
    expect(tags('openai-strict')).toContain('"kind":{"type":"string","const":"email"}');
    expect(tags('anthropic')).toContain('"kind":{"type":"string","const":"sms"}');
    expect(tags('gemini')).toContain('"kind":{"type":"string","enum":["sms"]}');
  });

  it('an exact maximum length is a plain one, and named as narrowed', () => {
    for (const dialect of PROVIDERS) {
      const { definition, changes } = describeIn(dialect, CARRIED.lengths ?? {});
      expect(propertyNode(definition.inputSchema, 'exact')).toEqual({
        type: 'string',
        minLength: 2,
        maxLength: 4,
      });
      expect(changes).toContainEqual({
        pointer: '/properties/exact',
        keyword: 'anyOf',
        change: 'narrowed',
        text: 'maxLength: 4',
      });
    }
  });
});

describe('what a dialect cannot carry is refused', () => {
  const self = { $ref: '#/$defs/JsonValue' };
  const json: JsonSchema = {
    type: 'object',
    properties: { any: { ...self, description: 'Whatever' } },
    additionalProperties: false,
    $defs: {
      JsonValue: {
        type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
        items: self,
        additionalProperties: self,
      },
    },
  };
  const closed = (a: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { a },
    required: ['a'],
    additionalProperties: false,
  });
  const union = { anyOf: [closed({ type: 'string' }), closed({ type: 'integer' })] };
  const REFUSED: readonly (readonly [DialectName, string, JsonSchema, string])[] = [
    ['openai-strict', 'free-form objects', FREE.freeForm ?? {}, '#/properties/extra'],
    ['openai-strict', 'any JSON value', json, '#/properties/any'],
    ['openai-strict', 'open objects', FREE.open ?? {}, '# '],
    ['openai-strict', 'lists of anything', FREE.list ?? {}, '#/properties/list'],
    ['openai-strict', 'tuples', FREE.tuple ?? {}, '#/properties/pair'],
    ['openai-strict', 'tuples of draft 7', FREE.draft7 ?? {}, '#/properties/pair'],
    ['openai-strict', 'maps', FREE.patterns ?? {}, '#/properties/map'],
    ['openai-strict', 'a union at the root', union, '# '],
    ['anthropic', 'a union at the root', union, '# '],
    [
      'anthropic',
      'references out of the document',
      closed({ $ref: 'https://example.com/a' }),
      '#/properties/a',
    ],
    ['anthropic', 'references to nothing', closed({ $ref: '#/$defs/No' }), '#/properties/a'],
    ['gemini', 'a union at the root', union, '# '],
    ['gemini', 'recursion', RECURSIVE.folder ?? {}, '#/$defs/Folder/properties/children/items'],
    ['gemini', 'any JSON value', json, '#/properties/any'],
    ['gemini', 'free-form objects', FREE.freeForm ?? {}, '#/properties/extra'],
    ['gemini', 'null alone', closed({ type: 'null' }), '#/properties/a'],
    ['gemini', 'empty objects', closed({ type: 'object', additionalProperties: false }), '#/properties/a'],
  ];
  it.each(REFUSED)('SCH-09, SCH-14: %s: %s', (dialect, _, schema, place) => {
    const problems = problemsOf(() => describeIn(dialect, schema));
    expect(new Set(codesOf(problems))).toEqual(new Set(['outside_dialect']));
    expect(problems.map((one) => one.place.tool)).toContain('dialects.try@1.0.0');
    const messages = problems.map(({ message }) => message).join('\n');
    expect(messages).toContain(dialect);
    expect(messages).toContain(place);
  });

  it('is refused all at once', () => {
    const both = {
      type: 'object',
      properties: { a: {}, b: { type: 'array' }, c: { type: 'string' } },
      additionalProperties: false,
    };
    expect(problemsOf(() => describeIn('gemini', both))).toHaveLength(2);
  });

  it('is also refused where inlining would take more than a bound', () => {
    const level = (next: number): JsonSchema => ({
      type: 'object',
      properties: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { $ref: `#/$defs/L${next}` }])),
      additionalProperties: false,
    });
    const levels = Array.from({ length: 12 }, (_, index) => [`L${index}`, level(index + 1)] as const);
    const $defs = { ...Object.fromEntries(levels), L12: { type: 'string' } };
    const original = { ...level(0), $defs };
    expect(codesOf(problemsOf(() => describeIn('gemini', original)))).toContain('outside_dialect');
    expect(describeIn('openai-strict', original).definition.inputSchema).toHaveProperty('$defs.L11');
  });
});
