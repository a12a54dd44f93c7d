/**
 * The way of arguments from a model back to the gate.
 * Invariant: what the gate's schema takes can be written in every dialect that carries it, and comes back as
 * something that it takes; no input makes `restore` throw, hang or change anything in place.
 */
import { Type } from 'class-transformer';
import { IsIn, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { DIALECT_NAMES, type DialectName, inputContract, type JsonSchema } from 'toolcrib';
import { anyValue } from '../../fixtures/any-value';
import { CARRIED, FREE, RECURSIVE } from '../../fixtures/dialect-schemas';
import { describeIn } from '../../fixtures/in-dialect';
import { acceptedBy, asModelWrites, takes, withoutNulls } from '../../fixtures/schema-values';

const carried = Object.entries(CARRIED);
// What is written in draft 7 is not judged by 2020-12.
const free = Object.entries(FREE).filter(([name]) => name !== 'draft7');
const cases: readonly (readonly [DialectName, string, JsonSchema])[] = [
  ...[...carried, ...Object.entries(RECURSIVE)].map(
    ([name, schema]) => ['openai-strict', name, schema] as const,
  ),
  ...carried.map(([name, schema]) => ['gemini', name, schema] as const),
  ...[...carried, ...Object.entries(RECURSIVE), ...free].map(
    ([name, schema]) => ['anthropic', name, schema] as const,
  ),
];

it.each(cases)('%s carries what %s takes, there and back', (dialect, _, schema) => {
  const { definition, changes, restore } = describeIn(dialect, schema);
  fc.assert(
    fc.property(acceptedBy(schema), (value) => {
      const written = asModelWrites(value, definition.inputSchema, changes);
      expect(takes(definition.inputSchema, written)).toBe(true);
      const before = JSON.stringify(written);
      const restored = restore(written);
      expect(JSON.stringify(written)).toBe(before);
      expect(takes(schema, restored)).toBe(true);
      expect(withoutNulls(JSON.parse(JSON.stringify(restored)))).toEqual(withoutNulls(value));
    }),
    { seed: 20260131, numRuns: 60 },
  );
});

const restorers = cases.map(([dialect, , schema]) => describeIn(dialect, schema).restore);

it('hands on or restores whatever it gets, and throws nothing', () => {
  fc.assert(
    fc.property(fc.oneof(anyValue, fc.jsonValue()), (value) => {
      for (const restore of restorers) restore(value);
    }),
  );
});

it('hands on the very same arguments where nothing is to be undone', () => {
  const args = { text: 'a', count: 1, ratio: 1, flag: true };
  for (const dialect of DIALECT_NAMES) {
    expect(describeIn(dialect, CARRIED.scalars ?? {}).restore(args)).toBe(args);
  }
  const { restore } = describeIn('openai-strict', CARRIED.optionals ?? {});
  const full = { note: null, page: 2, choice: 'a', verbose: true };
  expect(restore(full)).toBe(full);
});

describe('hostile arguments', () => {
  const { restore } = describeIn('openai-strict', RECURSIVE.root ?? {});
  const filter = describeIn('openai-strict', RECURSIVE.filter ?? {}).restore;

  function deep(levels: number, wrap: (inner: unknown) => unknown): unknown {
    let value: unknown = null;
    for (let level = 0; level < levels; level += 1) value = wrap(value);
    return value;
  }

  it('of 10,000 levels are handed on', () => {
    const chain = deep(10_000, (next) => ({ name: 'a', next }));
    expect(restore(chain)).toBeInstanceOf(Object);
    const tree = deep(10_000, (part) => ({ kind: 'and', parts: [part] }));
    expect(filter({ where: tree })).toBeInstanceOf(Object);
  });

  it('of as many levels as a gate takes are restored to the last', () => {
    const chain = restore(deep(60, (next) => ({ name: 'a', next })));
    expect(JSON.stringify(chain)).not.toContain('null');
  });

  it('that hold themselves, or one part many times, come back', () => {
    const ring: { name: string; next?: unknown } = { name: 'a' };
    ring.next = ring;
    expect(restore(ring)).toBeDefined();
    const shared = deep(200, (part) => ({ kind: 'and', parts: [part, part] }));
    expect(filter({ where: shared })).toBeDefined();
  });

  it('with __proto__ keep it a key, and pollute nothing', () => {
    const args = JSON.parse('{"name":"a","next":null,"__proto__":{"polluted":true}}');
    const restored = restore(args);
    expect(Object.getPrototypeOf(restored)).toBe(Object.prototype);
    expect(JSON.stringify(restored)).toBe('{"name":"a","__proto__":{"polluted":true}}');
    expect({}).not.toHaveProperty('polluted');
  });

  it('that throw when they are read are handed on', () => {
    const trap = {
      name: 'a',
      get next(): never {
        throw new Error('read');
      },
    };
    expect(restore(trap)).toBe(trap);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(restore(proxy)).toBe(proxy);
  });

  it('of 100,000 parts are restored', () => {
    const parts = Array.from({ length: 100_000 }, () => ({ kind: 'is', field: 'a', ignoreCase: null }));
    const restored = filter({ where: { kind: 'and', parts } });
    expect(JSON.stringify(restored)).not.toContain('null');
  });
});

describe('names and nulls', () => {
  it('a renamed property comes back by its own name, unless that is there too', () => {
    const { restore } = describeIn('gemini', CARRIED.keywords ?? {});
    expect(restore({ strict_: true, additionalProperties_: 'a' })).toEqual({
      strict: true,
      additionalProperties: 'a',
    });
    const both = { strict: true, strict_: false };
    expect(restore(both)).toBe(both);
  });

  it('a null that the gate takes stays', () => {
    const { restore } = describeIn('openai-strict', CARRIED.nullables ?? {});
    expect(restore({ both: null, pick: null, one: null, number: null, yes: null })).toEqual({
      both: null,
      pick: null,
    });
  });

  it('in a union the branch that the arguments were made for decides', () => {
    const { restore } = describeIn('openai-strict', CARRIED.shapes ?? {});
    expect(restore({ either: { a: 'x', n: null } })).toEqual({ either: { a: 'x' } });
    expect(restore({ either: { b: 'x', n: null } })).toEqual({ either: { b: 'x', n: null } });
    expect(restore({ either: [{ c: null }] })).toEqual({ either: [{}] });
    const tagged = describeIn('openai-strict', CARRIED.discriminated ?? {}).restore;
    const sms = { kind: 'sms', phone: '1', flash: null };
    expect(tagged({ channel: sms })).toEqual({ channel: { kind: 'sms', phone: '1' } });
    const unknown = { channel: { kind: 'post', flash: null } };
    expect(tagged(unknown)).toBe(unknown);
  });

  it('a free-form object in a branch of a union stops nothing', () => {
    const { restore } = describeIn('anthropic', inputContract(Owner).schema);
    expect(restore({ pet: { kind: 'dog', a_b: 'x', meta: { k: 1 } } })).toEqual({
      pet: { kind: 'dog', 'a b': 'x', meta: { k: 1 } },
    });
    expect(restore({ pet: { kind: 'cat', a_b: 'x', meta: {} } })).toEqual({
      pet: { kind: 'cat', a_b: 'x', meta: {} },
    });
  });

  it('listed objects tell branches of a union apart', () => {
    const branch = (name: string, values: JsonSchema) => ({
      type: 'object',
      properties: { tag: { enum: [values] }, [name]: { type: 'string' } },
      additionalProperties: false,
    });
    const properties = { one: { anyOf: [branch('a_b', { x: 1 }), branch('a b', { x: 2 })] } };
    const { restore } = describeIn('anthropic', { type: 'object', properties, additionalProperties: false });
    const first = { one: { tag: { x: 1 }, a_b: 'x' } };
    expect(restore(first)).toEqual(first);
    expect(restore({ one: { tag: { x: 2 }, a_b: 'x' } })).toEqual({ one: { tag: { x: 2 }, 'a b': 'x' } });
  });

  it('what undeclared properties hold comes back too', () => {
    const entry = { type: 'object', properties: { 'a b': { type: 'string' } }, additionalProperties: false };
    const original = {
      type: 'object',
      properties: { 'c d': { type: 'string' }, e: { type: 'object' } },
      additionalProperties: { $ref: '#/$defs/Entry' },
      $defs: { Entry: entry },
    };
    const { definition, restore } = describeIn('anthropic', original);
    const written = { c_d: 'x', e: { a_b: 'y' }, one: { a_b: 'y' } };
    expect(takes(definition.inputSchema, written)).toBe(true);
    expect(restore(written)).toEqual({ 'c d': 'x', e: { a_b: 'y' }, one: { 'a b': 'y' } });
    const own = { 'c d': { a_b: 'x' } };
    expect(restore(own)).toBe(own);
  });

  it('a branch that declares every key goes before one that takes undeclared keys', () => {
    const open = { type: 'object', properties: { c: { type: 'string' } } };
    const exact = { type: 'object', properties: { 'a b': { type: 'string' } }, additionalProperties: false };
    const properties = { either: { anyOf: [open, exact] } };
    const { restore } = describeIn('anthropic', { type: 'object', properties, additionalProperties: false });
    expect(restore({ either: { a_b: 'x' } })).toEqual({ either: { 'a b': 'x' } });
    expect(restore({ either: { a_b: 'x', c: 'y' } })).toEqual({ either: { a_b: 'x', c: 'y' } });
  });
});

class Cat {
  @IsIn(['cat']) kind!: 'cat';
  @IsOptional() @IsString() a_b?: string;
  @IsOptional() @IsObject() meta?: object;
}
class Dog {
  @IsIn(['dog']) kind!: 'dog';
  @IsOptional() @IsString() 'a b'?: string;
  @IsOptional() @IsObject() meta?: object;
}
class Owner {
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: Cat, name: 'cat' },
        { value: Dog, name: 'dog' },
      ],
    },
    keepDiscriminatorProperty: true,
  })
  pet!: Cat | Dog;
}
