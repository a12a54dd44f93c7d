/**
 * What `check` says of single fields: near misses that are sound, and schemas that no DTO stands behind.
 * Invariant: a field that is bounded in any way that the schema or the validator enforces is left alone.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { inputContract, type JsonSchema, outputContract } from 'toolcrib';
import { findFindings } from '../../../src/cli/check/find';
import { type Decorators, dtoOf, dtoWith } from '../../fixtures/dto-with';
import { makeSpec } from '../../fixtures/hand-made-spec';

/** The words of a field that lacks none. */
function words(examples?: unknown) {
  return JSONSchema(Object({ description: 'A field', ...(examples === undefined ? {} : { examples }) }));
}

/** The codes of what is found in a tool that takes a schema as it is. */
function codesIn(schema: JsonSchema): readonly string[] {
  const input = { ...inputContract(dtoWith()), schema };
  const { dto: _, ...raw } = input;
  return findFindings([makeSpec('a.b', '1.0.0', { owner: 'Crib', input: raw })]).map(({ code }) => code);
}

function codesOf(property: string, decorators: Decorators, examples?: unknown): readonly string[] {
  const input = inputContract(dtoOf({ [property]: [words(examples), ...decorators] }));
  return findFindings([makeSpec('a.b', '1.0.0', { owner: 'Crib', input })]).map(({ code }) => code);
}

enum Level {
  Low,
  High,
}

describe('a DTO', () => {
  it.each<[string, string, Decorators, examples?: unknown]>([
    ['a text within bounds', 'v', [IsString(), Length(1, 5)]],
    ['a text that is not empty', 'v', [IsString(), IsNotEmpty(), MaxLength(5)]],
    ['a text that is not empty, by a rule for any type', 'v', [IsNotEmpty(), MaxLength(5)]],
    ['a pattern that bounds the length', 'v', [Matches(/^[a-z]{3}$/)], ['abc']],
    ['a pattern beside a bound', 'v', [Matches(/^a+$/), MaxLength(9)], ['a']],
    ['listed texts', 'v', [IsIn(['a', 'b'])]],
    ['listed numbers', 'v', [IsEnum(Level)]],
    ['a date', 'v', [IsDate(), Type(() => Date)]],
    ['a number within bounds', 'v', [IsNumber(), Min(0), Max(1)]],
    ['a positive number within bounds', 'v', [IsPositive(), Max(1)]],
    ['an optional number within bounds', 'v', [IsOptional(), IsInt(), Min(0), Max(1)]],
    ['a flag', 'v', [IsBoolean()]],
    ['a bounded array', 'v', [ArrayMaxSize(3), IsIn(['a', 'b'], { each: true })]],
    ['a set of listed values', 'v', [ArrayUnique(), IsEnum(Level, { each: true })]],
    ['a text named for money', 'price', [IsString(), Length(1, 5)]],
  ])('with %s is sound', (_, property, decorators, ...[examples]) => {
    expect(codesOf(property, decorators, examples)).toEqual([]);
  });

  it.each<[string, readonly string[], Decorators, examples?: unknown]>([
    [
      'an integer of JSON’s own bounds',
      ['unbounded_number'],
      [IsInt(), Max(Number.MAX_SAFE_INTEGER), Min(0)],
    ],
    ['a nullable text', ['unbounded_string', 'possibly_empty_string'], [IsOptional(), IsString()]],
    ['two patterns of no bound', ['missing_example', 'unbounded_string'], [Matches(/^a+/), Matches(/b$/)]],
    ['an array of unknown elements', ['unbounded_array', 'free_form_value'], [IsArray()]],
    ['a rule that the schema cannot express', ['validator_only_rule'], [IsEmail(), MaxLength(254)]],
    ['an empty list of examples', ['missing_example'], [Matches(/^a$/)], []],
  ])('with %s has %j', (_, codes, decorators, ...[examples]) => {
    expect(codesOf('v', decorators, examples)).toEqual(codes);
  });

  it('takes null for an example of an optional field', () => {
    const rules = [IsOptional(), IsEmail(), MaxLength(254)];
    expect(codesOf('v', rules, [null, 'a@b.co'])).toEqual(['validator_only_rule']);
  });

  it('has its examples of the class count for its fields', () => {
    const dto = dtoOf({ v: [words(), Matches(/^a$/)] });
    JSONSchema({ examples: [{ v: 'a' }] })(dto);
    const spec = makeSpec('a.b', '1.0.0', { owner: 'Crib', input: inputContract(dto) });
    expect(findFindings([spec])).toEqual([]);
  });

  it('has a pointer that leads to the field, whatever its name', () => {
    const input = inputContract(dtoOf({ 'a/b ~%': [IsBoolean()] }));
    const [found] = findFindings([makeSpec('a.b', '1.0.0', { owner: 'Crib', input })]);
    expect(found?.place.schemaPath).toBe('#/inputSchema/properties/a~1b%20~0%25');
    expect(codesOf('a/b ~%', [IsBoolean()], [true])).toEqual([]);
    expect(codesOf('a/b ~%', [IsBoolean()], [1])).toEqual(['invalid_example']);
  });

  it('that holds itself ends', () => {
    const folder = dtoOf({ name: [words(), IsString(), Length(1, 9)] }, 'Folder');
    const input = inputContract(folder);
    const spec = makeSpec('a.b', '1.0.0', {
      owner: 'Crib',
      input,
      output: outputContract({ kind: 'class', cls: folder }),
    });
    expect(findFindings([spec])).toEqual([]);
  });
});

describe('a schema without a DTO', () => {
  const text = { type: 'string', description: 'A field', minLength: 1, maxLength: 5 };

  it.each<[string, JsonSchema, readonly string[]]>([
    ['nothing', { type: 'object' }, []],
    ['a sound text', { type: 'object', properties: { v: text } }, []],
    ['no words', { properties: { v: { ...text, description: ' ' } } }, ['missing_description']],
    ['a default that it refuses', { properties: { v: { ...text, default: '' } } }, ['invalid_default']],
    [
      'examples that are no list',
      { properties: { v: { ...text, examples: 'a' }, w: { ...text, examples: ['a', ''] } }, examples: {} },
      ['invalid_example', 'invalid_example', 'invalid_example'],
    ],
    ['a default that it takes', { properties: { v: { ...text, default: 'a' } } }, []],
    ['a value of any kind', { properties: { v: { description: 'A field' } } }, ['free_form_value']],
    [
      'a reference to a text',
      { properties: { v: { $ref: '#/$defs/T', description: 'A field' } }, $defs: { T: { type: 'string' } } },
      ['unbounded_string', 'possibly_empty_string'],
    ],
    [
      'a bound in allOf',
      {
        properties: {
          v: { type: 'string', description: 'A field', allOf: [{ minLength: 1 }, { maxLength: 2 }] },
        },
      },
      [],
    ],
    [
      'a choice of which one is unbounded',
      { properties: { v: { description: 'A field', oneOf: [text, { type: 'number', minimum: 0 }] } } },
      ['unbounded_number'],
    ],
    [
      'fields within a choice',
      { properties: { v: { description: 'A field', anyOf: [{ type: 'object', properties: { w: text } }] } } },
      [],
    ],
    [
      'a constant',
      { properties: { v: { description: 'A field', const: 'a' }, w: { description: 'A field', const: 7 } } },
      [],
    ],
    [
      'a text that may not be empty',
      { properties: { v: { ...text, minLength: 0, not: { enum: [''] } } } },
      [],
    ],
    [
      'a date-time that is only named one',
      { properties: { v: { type: 'string', format: 'date-time', description: 'A field' } } },
      ['possibly_empty_string'],
    ],
    [
      'a reference that is escaped',
      { properties: { v: { $ref: '#/$defs/a%20~1b', description: 'A field' } }, $defs: { 'a /b': text } },
      [],
    ],
    [
      'a node that refers to itself',
      {
        properties: { v: { $ref: '#/$defs/T', description: 'A field' } },
        $defs: {
          T: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/T' }, anyOf: [{ $ref: '#/$defs/T' }] },
        },
      },
      [],
    ],
  ])('with %s', (_, schema, codes) => {
    expect(codesIn(schema)).toEqual(codes);
  });
});
