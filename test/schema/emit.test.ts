/**
 * The schema of a whole DTO: self-contained, closed, and stable.
 * Invariant: definitions go by class identity, and every reference resolves inside the same schema.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsDate,
  IsEmail,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { inputContract, NoInput, outputContract } from 'toolcrib';
import { type Dto, dtoOf } from '../fixtures/dto-with';
import {
  containersOf,
  expectSound,
  propertyNode,
  referencesOf,
  resolvePointer,
} from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf } from '../fixtures/verdicts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function nested(cls: Dto, each = false): PropertyDecorator[] {
  return [ValidateNested({ each }), Type(() => cls)];
}

class Leaf {
  @IsString() sku!: string;
  @IsOptional() @IsInt() @Min(1) count?: number;
}

class Order {
  @ValidateNested({ each: true }) @Type(() => Leaf) lines!: Leaf[];
  @ValidateNested() @Type(() => Leaf) first!: Leaf;
  @IsOptional() @ValidateNested() @Type(() => Leaf) last?: Leaf;
  @Type(() => Date) @IsDate() at!: Date;
  @IsObject() meta!: object;
}

class Folder {
  @IsString() name!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Folder) children?: Folder[];
}

class Ping {
  @IsInt() n!: number;
  @IsOptional() @ValidateNested() @Type(() => Pong) pong?: object;
}

class Pong {
  @IsString() s!: string;
  @IsOptional() @ValidateNested() @Type(() => Ping) ping?: Ping;
}

describe('the schema of a DTO', () => {
  it('SCH-02: holds the definition of everything that it refers to', () => {
    const { schema } = inputContract(Order);
    expectSound(schema);
    const references = referencesOf(schema);
    expect([...references.keys()].sort()).toEqual(['#/$defs/JsonValue', '#/$defs/Leaf']);
    expect(resolvePointer(schema, '#/$defs/Leaf')).toEqual({
      type: 'object',
      properties: {
        sku: { type: 'string' },
        count: { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ['sku'],
      additionalProperties: false,
    });
    expect(propertyNode(schema, 'lines')).toEqual({ type: 'array', items: { $ref: '#/$defs/Leaf' } });
    expect(propertyNode(schema, 'first')).toEqual({ $ref: '#/$defs/Leaf' });
    expect(propertyNode(schema, 'last')).toEqual({ anyOf: [{ $ref: '#/$defs/Leaf' }, { type: 'null' }] });
  });

  it('names its dialect, is closed, and lists what is required in the order of declaration', () => {
    const { schema } = inputContract(Order);
    expect(schema).toMatchObject({ $schema: DIALECT, type: 'object', additionalProperties: false });
    expect(schema.required).toEqual(['lines', 'first', 'at', 'meta']);
    expect(Object.keys(schema.properties ?? {})).toEqual(['lines', 'first', 'last', 'at', 'meta']);
  });

  it('is the same text every time', () => {
    const text = JSON.stringify(inputContract(Order).schema);
    inputContract(Folder);
    expect(JSON.stringify(inputContract(Order).schema)).toBe(text);
  });

  it('does not depend on what other classes were described before', () => {
    const make = () => {
      const inner = dtoOf({ a: [IsInt()] }, 'Inner');
      return { inner, outer: dtoOf({ one: nested(inner) }, 'Outer') };
    };
    const [first, second] = [make(), make()];
    inputContract(second.inner);
    expect(inputContract(second.outer).schema).toEqual(inputContract(first.outer).schema);
  });

  it('SCH-15: every spelling of no arguments gives the same empty closed object', async () => {
    class Nothing {}
    const { schema } = inputContract(Nothing);
    expectSound(schema);
    expect(schema).toEqual({ $schema: DIALECT, type: 'object', properties: {}, additionalProperties: false });
    expect(inputContract(NoInput).schema).toEqual(schema);
    expect(await accepts(Nothing, {})).toBe(true);
    expect(await refusalOf(Nothing, { a: 1 })).toEqual(['/a whitelistValidation']);
  });

  it('takes any property name that Object.prototype lacks', async () => {
    const names = ['length', 'name', 'then', 'prototype', 'a/b', 'c~d', 'with space', 'ünï', '$ref', '0'];
    const cls = dtoOf(Object.fromEntries(names.map((name) => [name, [IsInt()]])));
    expectSound(inputContract(cls).schema);
    const raw = Object.fromEntries(names.map((name) => [name, 1]));
    expect(await parsedValue(cls, raw)).toEqual(raw);
    for (const name of names) expect(await accepts(cls, { ...raw, [name]: 'a' })).toBe(false);
  });
});

describe('the definitions', () => {
  it('SCH-01: two classes of one name stay two definitions', async () => {
    const billing = dtoOf({ invoiceId: [IsString()] }, 'Filter');
    const staff = dtoOf({ badge: [IsInt(), Min(1)] }, 'Filter');
    const cls = dtoOf({ invoice: nested(billing), person: nested(staff) });
    const { schema } = inputContract(cls);
    expectSound(schema);
    const [one, other] = ['invoice', 'person'].map((name) =>
      resolvePointer(schema, String(propertyNode(schema, name).$ref)),
    );
    expect(one).toMatchObject({ required: ['invoiceId'] });
    expect(other).toMatchObject({ required: ['badge'] });
    expect(JSON.stringify(one)).not.toContain('badge');
    expect(JSON.stringify(other)).not.toContain('invoiceId');
    expect(await accepts(cls, { invoice: { invoiceId: 'a' }, person: { badge: 1 } })).toBe(true);
    expect(await refusalOf(cls, { invoice: { badge: 1 }, person: { badge: 1 } })).toEqual([
      '/invoice/badge whitelistValidation',
      '/invoice/invoiceId isDefined',
    ]);
  });

  it('SCH-01: two tools with a class of one name each see their own', () => {
    const billing = dtoOf({ where: nested(dtoOf({ invoiceId: [IsString()] }, 'Filter')) });
    const staff = dtoOf({ where: nested(dtoOf({ badge: [IsInt()] }, 'Filter')) });
    expect(JSON.stringify(inputContract(billing).schema)).not.toContain('badge');
    expect(JSON.stringify(inputContract(staff).schema)).not.toContain('invoiceId');
  });

  it('survive awkward class names', async () => {
    const names = [
      'Filter',
      'Filter_2',
      'Filter',
      '',
      'JsonValue',
      'Größe',
      'a/b~c',
      'constructor',
      '__proto__',
    ];
    const parts = names.map((name) => dtoOf({ n: [IsInt()] }, name));
    const cls = dtoOf({
      free: [Allow()],
      ...Object.fromEntries(parts.map((part, at) => [`p${at}`, nested(part)])),
    });
    const { schema } = inputContract(cls);
    expectSound(schema);
    const raw = Object.fromEntries(parts.map((_, at) => [`p${at}`, { n: at }]));
    expect(await parsedValue(cls, { ...raw, free: { n: 'x' } })).toMatchObject(raw);
    expect(new Set(parts.map((_, at) => propertyNode(schema, `p${at}`).$ref)).size).toBe(parts.length);
  });

  it('SCH-09: a class that holds itself is a reference, at the root and below it', async () => {
    const { schema } = inputContract(Folder);
    expectSound(schema);
    const tree = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }, { name: 'd' }] };
    const value = await parsedValue(Folder, tree);
    expect(value).toEqual(tree);
    expect(value.children?.[0]?.children?.[0]).toBeInstanceOf(Folder);
    expect(await refusalOf(Folder, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toEqual([
      '/children/0/children/0/name isDefined',
    ]);
    const holder = dtoOf({ root: nested(Folder) });
    expectSound(inputContract(holder).schema);
    expect(await accepts(holder, { root: tree })).toBe(true);
  });

  it('SCH-09: two classes that hold each other end in finite schemas', async () => {
    expectSound(inputContract(Ping).schema);
    expectSound(inputContract(Pong).schema);
    expect(await parsedValue(Ping, { n: 1, pong: { s: 'a', ping: { n: 2 } } })).toEqual({
      n: 1,
      pong: { s: 'a', ping: { n: 2 } },
    });
    expect(await refusalOf(Ping, { n: 1, pong: { s: 'a', ping: { n: 'x' } } })).toEqual([
      '/pong/ping/n isInt',
    ]);
  });
});

describe('free-form values', () => {
  it('leave no place without a shape', () => {
    const cls = dtoOf({
      any: [Allow()],
      list: [IsArray()],
      map: [IsObject()],
    });
    const { schema } = inputContract(cls);
    expectSound(schema);
    const empty = containersOf(schema).filter((one) => !Array.isArray(one) && Object.keys(one).length === 0);
    expect(empty).toEqual([]);
  });

  it('take any JSON, at any depth', async () => {
    const cls = dtoOf({ any: [Allow()], list: [IsArray()], map: [IsObject()] });
    const value = { a: [1, 'b', null, true, { c: [[]] }] };
    const raw = { any: value, list: [value, [value]], map: { value, prototype: 1 } };
    expect(await parsedValue(cls, raw)).toEqual(raw);
  });
});

describe('the schema of an output', () => {
  it('of a list is an array of one definition', () => {
    const { schema } = outputContract({ kind: 'list', cls: Leaf });
    expect(schema).toMatchObject({ $schema: DIALECT, type: 'array', items: { $ref: '#/$defs/Leaf' } });
    if (schema !== undefined) expectSound(schema);
  });

  it.each(['number', 'string', 'boolean'] as const)('of a %s is its type', (type) => {
    expect(outputContract({ kind: 'scalar', type }).schema).toEqual({ $schema: DIALECT, type });
  });
});

describe('the places of validator-only rules', () => {
  it('exist in the schema, whatever the property is called', () => {
    const part = dtoOf({ 'e/mail~of a ü%41': [IsEmail()], list: [IsEmail({}, { each: true })] }, 'Part');
    const cls = dtoOf({
      mail: [IsEmail()],
      'a/b': [IsEmail()],
      'c~d': [IsEmail()],
      parts: nested(part, true),
    });
    const { schema, validatorOnlyRules } = inputContract(cls);
    expect(validatorOnlyRules).toHaveLength(5);
    expect(new Set(validatorOnlyRules.map(({ schemaPath }) => schemaPath)).size).toBe(5);
    for (const { schemaPath, text } of validatorOnlyRules) {
      expect(resolvePointer(schema, schemaPath)).toMatchObject({
        description: expect.stringContaining(text),
      });
    }
  });
});
