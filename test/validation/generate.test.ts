/**
 * The functions that are generated for a DTO, beside the loops that stand in for them.
 * Invariant: both give the same copies, refusals and instances, whatever the names, and read each member once.
 */
import { Expose, Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { type Class, DEFAULT_INPUT_LIMITS, type InputLimits, inputContract } from 'toolcrib';
import { mayGenerateCode } from '../../src/validation/code-generation';
import { gateOfClass } from '../../src/validation/gate';
import { type Hydration, prepareHydration } from '../../src/validation/hydrate';
import { snapshot } from '../../src/validation/snapshot';
import { makeDto } from '../drift/spec';
import { anyValue } from '../fixtures/any-value';
import { composedCases } from '../fixtures/composed-dtos';
import { dtoOf } from '../fixtures/dto-with';
import { isJsonObject } from '../fixtures/strict-schema';
import { parsedValue, refusalOf } from '../fixtures/verdicts';

jest.mock('../../src/validation/code-generation', () => ({ mayGenerateCode: jest.fn(() => true) }));

function bothOf(cls: Class): readonly Hydration<object>[] {
  return [true, false].map((may) => {
    jest.mocked(mayGenerateCode).mockReturnValue(may);
    return prepareHydration(cls);
  });
}

/** Says what an instance is made of, classes and all. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (typeof value !== 'object' || value === null) return value;
  return [value.constructor.name, Object.entries(value).map(([key, one]) => [key, shapeOf(one)])];
}

/** The copy of raw arguments, the keys of its objects in one order, or their refusal. */
function copied({ copy }: Hydration<object>, raw: unknown, limits: InputLimits): unknown {
  const outcome = snapshot(raw, limits, copy);
  return outcome.ok ? outcome.value : outcome.violations;
}

const SPEC_AND_DOCUMENTS = composedCases().chain(({ spec, documents }) =>
  fc.record({
    spec: fc.constant(spec),
    documents: fc.array(fc.oneof(fc.constantFrom(...documents), anyValue), { maxLength: 8 }),
    maxElements: fc.integer({ min: 1, max: 40 }),
    maxDepth: fc.integer({ min: 1, max: 6 }),
    maxBytes: fc.integer({ min: 1, max: 200 }),
  }),
);

describe('generated functions', () => {
  it('copy and refuse as the copier does, and hydrate as the loop does', () => {
    let hydrated = 0;
    fc.assert(
      fc.property(SPEC_AND_DOCUMENTS, ({ spec, documents, ...tight }) => {
        const { cls } = makeDto(spec);
        const [generated, plain] = bothOf(cls);
        if (generated?.copy === undefined || plain === undefined) throw new Error('nothing was generated');
        expect(plain.copy).toBeUndefined();
        for (const raw of documents) {
          expect(copied(generated, raw, tight)).toEqual(copied(plain, raw, tight));
          expect(copied(generated, raw, DEFAULT_INPUT_LIMITS)).toEqual(
            copied(plain, raw, DEFAULT_INPUT_LIMITS),
          );
          const json = snapshot(raw);
          if (!json.ok || !isJsonObject(json.value) || gateOfClass(cls).check(json.value).length > 0)
            continue;
          hydrated += 1;
          expect(shapeOf(generated.hydrate(json.value))).toEqual(shapeOf(plain.hydrate(json.value)));
        }
      }),
      { seed: 20260131, numRuns: 300 },
    );
    expect(hydrated).toBeGreaterThan(100);
  }, 60_000);

  const NAMES = [
    `"];globalThis.broken=1;["`,
    `'`,
    '`$' + '{globalThis.broken=1}`',
    '\u2028globalThis.broken=1\u2029',
    '\\u0022',
    '*/globalThis.broken=1/*',
    '\n',
    '\0',
    '0',
    'json',
    'copier',
    'Class0',
  ];

  it('take any name for what it is', async () => {
    const cls = dtoOf(Object.fromEntries(NAMES.map((name) => [name, [IsInt()]])));
    const raw = Object.fromEntries(NAMES.map((name, at) => [name, at]));
    expect(Object.entries(await parsedValue(cls, raw)).sort()).toEqual(Object.entries(raw).sort());
    expect(await refusalOf(cls, { ...raw, '0': 'x', "'": 'x' })).toEqual(["/' isInt", '/0 isInt']);
    expect(globalThis).not.toHaveProperty('broken');
  });

  it('take any tag for what it is', async () => {
    const tag = `"];globalThis.broken=1;["`;
    class Variant {
      @IsString() [tag]!: string;
    }
    class Holder {
      @ValidateNested()
      @Type(() => Object, {
        keepDiscriminatorProperty: true,
        discriminator: { property: tag, subTypes: [{ name: tag, value: Variant }] },
      })
      one!: Variant;
    }
    expect((await parsedValue(Holder, { one: { [tag]: tag } })).one).toBeInstanceOf(Variant);
    expect(globalThis).not.toHaveProperty('broken');
  });
});

class Leaf {
  @IsInt() n!: number;
}
class Root {
  @IsString() text!: string;
  @IsOptional() @IsInt() count?: number;
  @IsOptional() @ValidateNested() @Type(() => Leaf) leaf?: Leaf;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Leaf) leaves?: Leaf[];
  @Allow() free?: unknown;
}

/** An object whose members are getters, and how often each was read. */
function watched(members: object): { readonly value: object; readonly reads: Map<string, number> } {
  const reads = new Map<string, number>();
  const value = {};
  for (const [key, member] of Object.entries(members)) {
    const get = () => {
      reads.set(key, (reads.get(key) ?? 0) + 1);
      return member;
    };
    Object.defineProperty(value, key, { get, enumerable: true });
  }
  return { value, reads };
}

describe('the arguments of a DTO', () => {
  const MEMBERS = { text: 'a', count: 2, leaf: { n: 1 }, leaves: [{ n: 1 }], free: { a: [1] } };

  it.each([
    ['as declared', MEMBERS],
    ['with an unknown member', { ...MEMBERS, more: 1 }],
    ['with one that is undefined', { ...MEMBERS, count: undefined }],
    ['without one that is required', { count: 1 }],
  ])('are read once, member by member: %s', async (_, members) => {
    const { value, reads } = watched(members);
    await inputContract(Root).parse(value);
    expect([...reads]).toEqual(Object.keys(members).map((key) => [key, 1]));
  });

  it('are those that were read, whatever is read later', async () => {
    let reads = 0;
    const shifting = {
      get text() {
        reads += 1;
        return reads === 1 ? 'first' : 5;
      },
    };
    expect((await parsedValue(Root, shifting)).text).toBe('first');
  });

  it('have no members but their own', async () => {
    class Inherited {
      get text(): string {
        return 'of the class';
      }
    }
    expect(await refusalOf(Root, new Inherited())).toEqual(['/text isDefined']);
    expect(await refusalOf(Root, Object.create({ text: 'of the prototype' }))).toEqual(['/text isDefined']);
    expect(await parsedValue(Root, Object.assign(Object.create(null), { text: 'a' }))).toMatchObject({
      text: 'a',
    });
    Object.defineProperty(Object.prototype, 'count', { value: 5, configurable: true });
    try {
      expect((await parsedValue(Root, { text: 'a' })).count).toBeUndefined();
    } finally {
      Reflect.deleteProperty(Object.prototype, 'count');
    }
  });

  it('do not count what is inherited or hidden in the place of an unknown member', async () => {
    class Loose {
      @IsOptional() @IsInt() other?: number;
      @IsOptional() @IsInt() polluted?: number;
    }
    jest.mocked(mayGenerateCode).mockReturnValue(true);
    await refusalOf(Loose, { zz: 1 });
    for (const enumerable of [true, false]) {
      Object.defineProperty(Object.prototype, 'polluted', {
        value: 5,
        configurable: true,
        writable: true,
        enumerable,
      });
      try {
        expect(await refusalOf(Loose, { zz: 1 })).toContain('/zz whitelistValidation');
        if (!enumerable) expect((await parsedValue(Loose, { other: 1 })).polluted).toBeUndefined();
      } finally {
        Reflect.deleteProperty(Object.prototype, 'polluted');
      }
    }
    const hidden = Object.defineProperty({ zz: 1 }, 'other', { value: 5, enumerable: false });
    expect(await refusalOf(Loose, hidden)).toEqual(['/zz whitelistValidation']);
    expect(await parsedValue(Loose, { polluted: 2, other: 1 })).toEqual({ other: 1, polluted: 2 });
  });

  it('leave symbols behind', async () => {
    const outcome = await inputContract(Root).parse({
      text: 'a',
      [Symbol('s')]: new Map(),
      [Symbol.toStringTag]: 'X',
    });
    if (!outcome.ok) throw new Error('the arguments were refused');
    expect(Object.getOwnPropertySymbols(outcome.json)).toEqual([]);
    expect(outcome.json).toEqual({ text: 'a' });
  });

  it('may be a proxy that lies about its length', async () => {
    for (const length of ['9', Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, undefined]) {
      const leaves = new Proxy([], {
        get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)),
      });
      expect(await refusalOf(Root, { text: 'a', leaves })).toEqual([' maxElements']);
    }
  });
});

it('a key that another name is exposed by is read, and the name is set', async () => {
  class Renamed {
    @Expose({ name: '"];x' }) @IsInt() n!: number;
  }
  expect(await parsedValue(Renamed, { '"];x': 1 })).toEqual(Object.assign(new Renamed(), { n: 1 }));
});
