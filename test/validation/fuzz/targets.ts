/**
 * The contracts that hostile values are given to: DTOs of every shape, and raw schemas of both drafts.
 * Invariant: what `valid` makes is accepted, and is new each time.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  MinDate,
  ValidateNested,
} from 'class-validator';
import { type Class, type InputContract, inputContract, NoInput, schemaInputContract } from 'toolcrib';

/** A contract, and what it accepts. */
export interface Target {
  readonly name: string;
  readonly contract: InputContract;
  valid(): object;
  /** Arguments that this contract alone finds hard. */
  hard(): object;
}

class Flat {
  @IsString() text!: string;
  @IsInt() count!: number;
  @IsBoolean() flag!: boolean;
  @IsOptional() @IsEmail() mail?: string;
}

class Line {
  @IsString() sku!: string;
  @IsInt() qty!: number;
}

class Nested {
  @ArrayMaxSize(50)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  @ValidateNested() @Type(() => Flat) flat!: Flat;
}

class Tree {
  @IsInt() value!: number;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Tree)
  children?: Tree[];
}

class Free {
  @IsObject() free!: object;
  @IsArray() list!: unknown[];
}

class Dated {
  @IsDate() @Type(() => Date) at!: Date;
  @IsOptional() @IsDate() @MinDate(new Date(0)) @Type(() => Date) from?: Date;
  @IsISO8601() text!: string;
}

class Patterned {
  @Matches(/^[a-z]+(-[a-z]+)*$/) slug!: string;
  @Length(1, 5) short!: string;
  @IsUrl() url!: string;
  @IsIn(['a', 1, null]) one!: string | number | null;
}

class Unique {
  @ArrayUnique() any!: unknown[];
  @ArrayUnique() @IsString({ each: true }) texts!: string[];
}

class Defaulted {
  @IsInt() page: number = 1;
  @IsOptional() @IsString() text?: string = 'a';
  @IsOptional() @IsString({ each: true }) tags?: string[] = ['x'];
}

function ofClass(cls: Class<object>, valid: () => object, hard = valid): Target {
  return { name: cls.name, contract: inputContract(cls), valid, hard };
}

function ofSchema(name: string, schema: object, valid: () => object, hard = valid): Target {
  return { name: `schema: ${name}`, contract: schemaInputContract(schema), valid, hard };
}

function nest(levels: number, wrap: (inner: unknown) => object): object {
  let value = wrap(1);
  for (let level = 1; level < levels; level += 1) value = wrap(value);
  return value;
}

const flat = (): object => ({ text: 'a', count: 1, flag: true, mail: 'a@b.co' });
const branch = (op: string): object => ({
  type: 'object',
  required: ['op', 'left'],
  properties: { op: { const: op }, left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } },
});

/** All targets, the same in every process. */
export const TARGETS: readonly [Target, ...Target[]] = [
  ofClass(Flat, flat),
  ofClass(Nested, () => ({
    lines: [
      { sku: 'a', qty: 1 },
      { sku: 'b', qty: 2 },
    ],
    flat: flat(),
  })),
  ofClass(
    Tree,
    () => ({ value: 1, children: [{ value: 2, children: [{ value: 3 }] }] }),
    () => nest(31, (inner) => ({ value: 1, children: [{ value: 2 }, inner].slice(inner === 1 ? 2 : 0) })),
  ),
  ofClass(Free, () => ({ free: { a: { b: [1] } }, list: [1, 'a', {}] })),
  ofClass(Dated, () => ({ at: '2026-01-31T09:30:00Z', from: '2026-01-31T09:30:00Z', text: '2026-01-31' })),
  ofClass(Patterned, () => ({ slug: 'a-b', short: 'ab', url: 'https://a.example', one: 'a' })),
  ofClass(
    Unique,
    () => ({ any: [1, 'a', {}], texts: ['a', 'b'] }),
    () => ({
      any: Array.from({ length: 900 }, () => ({})),
      texts: Array.from({ length: 900 }, (_, at) => `${'k'.repeat(900)}${at}`),
    }),
  ),
  ofClass(Defaulted, () => ({ page: 2, text: 'b', tags: ['y'] })),
  ofClass(NoInput, () => ({})),
  ofSchema('open', { type: 'object' }, () => ({ a: { b: [1] } })),
  ofSchema(
    'draft 7',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      required: ['id'],
      properties: {
        id: { $ref: '#/definitions/id' },
        pair: { items: [{ type: 'string' }, { type: 'integer' }] },
      },
      additionalProperties: false,
      definitions: { id: { type: 'string', pattern: '^[a-z]+$' } },
    },
    () => ({ id: 'a', pair: ['a', 1] }),
  ),
  ofSchema(
    'overlapping recursion',
    {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { anyOf: [{ type: 'number' }, branch('add'), branch('mul'), branch('not')] } },
    },
    () => ({ root: { op: 'add', left: 1, right: { op: 'mul', left: 2, right: 3 } } }),
    () => ({ root: nest(60, (left) => ({ op: 'add', left })) }),
  ),
  ofSchema(
    'names',
    {
      type: 'object',
      propertyNames: { maxLength: 12 },
      patternProperties: { '^n': { type: 'number' } },
      properties: { list: { type: 'array', uniqueItems: true }, constructor: { type: 'string' } },
      unevaluatedProperties: { type: ['string', 'object'] },
    },
    () => ({ n1: 1, list: [1, { a: 1 }], constructor: 'a', other: 'b' }),
  ),
];
