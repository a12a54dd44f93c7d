/**
 * The fields of a schema as a list.
 * Invariant: every declared property is in it, in the order of declaration, and it ends for every schema.
 */
import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { inputContract, type JsonSchema } from 'toolcrib';
import { fieldsOf } from '../../../src/cli/review/fields';

class Tree {
  @IsInt() value!: number;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
  @IsOptional() @IsObject() labels?: object;
}

function paths(schema: JsonSchema): readonly string[] {
  return fieldsOf(schema).map(({ path, type }) => `${path}: ${type}`);
}

it('follows nested classes, and a class that holds itself once', () => {
  const listed = paths(inputContract(Tree).schema);
  expect(listed.slice(0, 2)).toEqual(['value: integer', 'children: array or null']);
  expect(listed).toContain('children[]: object');
  expect(listed).toContain('children[].value: integer');
  expect(listed).toContain('labels: object or null');
  expect(listed.length).toBeLessThan(20);
});

it('tells required and optional fields apart, and elements from both', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'array', items: { type: 'string' } }, b: {} },
  };
  expect(fieldsOf(schema).map(({ path, required }) => [path, required])).toEqual([
    ['a', true],
    ['a[]', undefined],
    ['b', false],
  ]);
});

it('gathers the words of a field and of what it refers to', () => {
  const schema = {
    type: 'object',
    properties: {
      a: {
        anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }],
        description: 'Here',
        default: null,
        allOf: [{ maxProperties: 2 }],
      },
    },
    $defs: {
      A: { type: 'object', description: 'There', properties: { n: { type: 'number', examples: [1] } } },
    },
  };
  expect(fieldsOf(schema)).toEqual([
    {
      path: 'a',
      type: 'object or null',
      required: false,
      constraints: ['at most 2 properties'],
      description: 'Here; There',
      default: null,
      examples: [],
    },
    {
      path: 'a.n',
      type: 'number',
      required: false,
      constraints: [],
      description: '',
      default: undefined,
      examples: [1],
    },
  ]);
});

it.each<[JsonSchema, readonly string[]]>([
  [{ type: 'number' }, [': number']],
  [{ type: 'array', items: { type: 'string' } }, [': array', '[]: string']],
  [{ type: 'object', properties: {} }, []],
  [
    { type: 'object', properties: { a: { enum: ['x', 1] }, b: { const: null } } },
    ['a: one of "x", 1', 'b: null'],
  ],
  [
    { type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } },
    ['a: string or integer'],
  ],
  [{ type: 'object', properties: { a: true, b: {} } }, ['b: any JSON']],
  [{ type: 'object', additionalProperties: { type: 'string' } }, [': object', '.*: string']],
  [{ $ref: '#' }, [': any JSON']],
  [
    { type: 'object', properties: { a: { $ref: '#/$defs/none' }, b: { $ref: 'https://example.com/' } } },
    ['a: any JSON', 'b: any JSON'],
  ],
])('of %j are %j', (schema, expected) => {
  expect(paths(schema)).toEqual(expected);
});
