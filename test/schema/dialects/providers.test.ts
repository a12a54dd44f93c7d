/**
 * Projected schemas against the packages of the providers that they are for.
 * Invariant: no package throws, and none loses what `changes` does not name.
 */
import Ajv2020 from 'ajv/dist/2020';
import type { DialectName, JsonSchema } from 'toolcrib';
import { CARRIED, FREE, RECURSIVE, SAMPLES } from '../../fixtures/dialect-schemas';
import { describeIn } from '../../fixtures/in-dialect';
import {
  declaredByGenAi,
  declaredByGoogle,
  toStrictJsonSchema,
  transformJSONSchema,
} from '../../fixtures/provider-transforms';
import { compileStrictly, containersOf, referencesOf } from '../../fixtures/strict-schema';

const everywhere = Object.entries({ ...CARRIED, ...SAMPLES });
const withReferences = [...everywhere, ...Object.entries(RECURSIVE)];
const all = [...withReferences, ...Object.entries(FREE)];
const metaSchema = new Ajv2020({ validateFormats: false });

it('the fixtures are at least 25 forms, and sound', () => {
  expect(all.length).toBeGreaterThanOrEqual(25);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const ownDialect = all.filter(([name]) => name !== 'draft7');
  for (const [, schema] of ownDialect) expect(() => ajv.compile(schema)).not.toThrow();
});

function expectSoundIn(dialect: DialectName, original: JsonSchema): JsonSchema {
  const { definition } = describeIn(dialect, original);
  const { inputSchema } = definition;
  expect(metaSchema.validateSchema(inputSchema)).toBe(true);
  expect(() => compileStrictly(inputSchema)).not.toThrow();
  expect([...referencesOf(inputSchema).values()]).not.toContain(undefined);
  expect(JSON.parse(JSON.stringify(inputSchema))).toEqual(inputSchema);
  for (const part of containersOf(inputSchema)) expect(Object.isFrozen(part)).toBe(true);
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
    expect(inputSchema).not.toHaveProperty(keyword);
  expect(inputSchema.type).toBe('object');
  return inputSchema;
}

describe('openai-strict', () => {
  it.each(withReferences)('SCH-16: %s passes through the strict transform unchanged', (_, original) => {
    const schema = expectSoundIn('openai-strict', original);
    expect(toStrictJsonSchema(structuredClone(schema))).toEqual(schema);
    for (const part of containersOf(schema)) {
      if (!('properties' in part) || !isObject(part.properties)) continue;
      if (!('type' in part) || typeof part.type !== 'string') continue;
      expect(part).toHaveProperty('additionalProperties', false);
      expect(part).toHaveProperty('required', Object.keys(part.properties));
    }
  });
});

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Holds a node against what Anthropic's transform made of it. */
function expectKept(node: unknown, made: unknown): void {
  if (!isObject(node) || !isObject(made)) {
    expect(made).toEqual(node);
    return;
  }
  const said = String(made.description ?? '');
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'properties' || keyword === '$defs') {
      if (made[keyword] === undefined) expect(said).toContain(JSON.stringify(value));
      else
        for (const [name, one] of Object.entries(value ?? {})) expectKept(one, Object(made[keyword])[name]);
    } else if (keyword === 'anyOf' && Array.isArray(value)) {
      value.forEach((one, index) => {
        expectKept(one, Object(made.anyOf)[index]);
      });
    } else if (keyword === 'items') expectKept(value, made.items);
    else if (keyword === 'description') expect(said.startsWith(String(value))).toBe(true);
    else if (keyword === 'additionalProperties' && value !== false) {
      expect(said).toContain('Takes other properties too.');
    } else if (JSON.stringify(made[keyword]) !== JSON.stringify(value)) {
      expect(said).toContain(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
}

describe('anthropic', () => {
  it.each(all)(
    'SCH-14: %s passes through the transform, which keeps all or says it in words',
    (_, original) => {
      const schema = expectSoundIn('anthropic', original);
      expectKept(schema, transformJSONSchema(structuredClone(schema)));
    },
  );
});

describe('gemini', () => {
  it.each(everywhere)('%s is declared by both packages to the letter', (_, original) => {
    const { inputSchema } = describeIn('gemini', original).definition;
    const isEmpty = Object.keys(Object(inputSchema.properties)).length === 0;
    expect(declaredByGenAi(inputSchema)).toEqual(isEmpty ? undefined : inputSchema);
    expect(declaredByGoogle(inputSchema)).toEqual(inputSchema);
    for (const part of containersOf(inputSchema)) {
      if ('anyOf' in part) expect(Object.keys(part)).toEqual(['anyOf']);
      if ('enum' in part && Array.isArray(part.enum)) {
        for (const value of part.enum) expect(value).toEqual(expect.stringMatching(/./));
      }
      if ('type' in part && part.type === 'array') expect(part).toHaveProperty('items.type');
    }
  });
});
