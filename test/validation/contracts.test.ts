/**
 * Input contracts.
 * Invariant: `parse` settles for whatever it is given, accepts only what the schema accepts, and converts
 * nothing.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { DEFAULT_INPUT_LIMITS, inputContract, NoInput } from 'toolcrib';
import { compileStrictly } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf, violationsIn } from '../fixtures/verdicts';

class Echo {
  @IsString() @MaxLength(5) text!: string;
}
class Optional {
  @IsOptional() @IsInt() limit = 10;
}
class Tree {
  @IsString() id!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) kids?: Tree[];
}
class Free {
  @IsInt() n!: number;
  @IsObject() meta!: Record<string, unknown>;
  @Allow() any?: unknown;
}

function treeOf(levels: number): unknown {
  let tree: unknown = { id: 'x' };
  for (let level = 1; level < levels; level += 1) tree = { id: 'x', kids: [tree] };
  return tree;
}

describe('HYD-01: text that looks like a boolean', () => {
  class Delete {
    @IsUUID() id!: string;
    @IsBoolean() confirm!: boolean;
  }
  class Typed {
    @IsBoolean() @Type(() => Boolean) confirm!: boolean;
  }

  it.each(['false', 'true', '', '0', 0, 1, null, [], {}])('is refused: %j', async (confirm) => {
    const id = '6f1c1d1e-0000-4000-8000-000000000001';
    expect(await refusalOf(Delete, { id, confirm })).toEqual(['/confirm isBoolean']);
    expect(await refusalOf(Typed, { confirm })).toEqual(['/confirm isBoolean']);
  });

  it('leaves real booleans as they are', async () => {
    expect(await parsedValue(Typed, { confirm: false })).toEqual({ confirm: false });
    expect(await parsedValue(Typed, { confirm: true })).toEqual({ confirm: true });
  });
});

describe('HYD-02: values that a conversion would invent', () => {
  class Refund {
    @IsInt() @Type(() => Number) cents!: number;
    @IsString() @Type(() => String) note!: string;
  }

  it.each([
    [{ cents: '', note: 'x' }, '/cents isInt'],
    [{ cents: ' ', note: 'x' }, '/cents isInt'],
    [{ cents: '12', note: 'x' }, '/cents isInt'],
    [{ cents: '12abc', note: 'x' }, '/cents isInt'],
    [{ cents: true, note: 'x' }, '/cents isInt'],
    [{ cents: [5], note: 'x' }, '/cents isInt'],
    [{ cents: null, note: 'x' }, '/cents isInt'],
    [{ cents: 5, note: { a: 1 } }, '/note isString'],
    [{ cents: 5, note: 5 }, '/note isString'],
    [{ cents: 5, note: null }, '/note isString'],
  ])('are refused: %j', async (raw, refusal) => {
    expect(await refusalOf(Refund, raw)).toEqual([refusal]);
  });
});

describe('HYD-05: arguments that are not an object', () => {
  it.each(['hi', '', 5, 0, true, false, [{ text: 'a' }], []])('give one violation: %j', async (raw) => {
    expect(await refusalOf(Echo, raw)).toEqual([' isObject']);
    expect(await refusalOf(NoInput, raw)).toEqual([' isObject']);
  });

  it('count as none where they are null or undefined', async () => {
    for (const raw of [null, undefined]) {
      expect(await refusalOf(Echo, raw)).toEqual(['/text isDefined']);
      expect(await parsedValue(Optional, raw)).toEqual({ limit: 10 });
      expect(await accepts(NoInput, raw)).toBe(true);
    }
  });

  it('say what kind arrived, and not what it was', async () => {
    const messages = [];
    for (const raw of ['S3CR3T', 5, true, ['S3CR3T']]) {
      const [violation] = violationsIn(await inputContract(Echo).parse(raw));
      messages.push(violation?.message);
    }
    expect(new Set(messages).size).toBe(messages.length);
    expect(messages.join()).not.toContain('S3CR3T');
  });
});

describe('HYD-09: keys that reach Object.prototype', () => {
  const HOSTILE = '{"isAdmin":true}';
  const pollutes = () => 'isAdmin' in {};

  it.each([
    [`{"n":1,"meta":{},"__proto__":${HOSTILE}}`, '/__proto__'],
    [`{"n":1,"meta":{},"constructor":{"prototype":${HOSTILE}}}`, '/constructor'],
    [`{"n":1,"meta":{"__proto__":${HOSTILE}}}`, '/meta/__proto__'],
    [`{"n":1,"meta":{"constructor":"x"}}`, '/meta/constructor'],
    [`{"n":1,"meta":{"a":[{"b":{"__proto__":${HOSTILE}}}]}}`, '/meta/a/0/b/__proto__'],
    [`{"n":1,"meta":{},"any":{"toString":1}}`, '/any/toString'],
    [`{"n":1,"meta":{},"any":[{"hasOwnProperty":1}]}`, '/any/0/hasOwnProperty'],
  ])('are reported where they stand: %s', async (text, path) => {
    expect(await refusalOf(Free, JSON.parse(text))).toEqual([`${path} whitelistValidation`]);
    expect(pollutes()).toBe(false);
  });

  it('are not in an instance', async () => {
    const value = await parsedValue(Free, JSON.parse('{"n":1,"meta":{"prototype":{"isAdmin":true}}}'));
    expect(value).not.toHaveProperty('isAdmin');
    expect(Object.keys(value.meta)).toEqual(['prototype']);
    expect('isAdmin' in value.meta).toBe(false);
    expect(pollutes()).toBe(false);
  });
});

describe('HYD-11: arguments that are too deep or too many', () => {
  const contract = inputContract(Tree);

  it('are refused at the limit, and the next call works', async () => {
    for (const levels of [200, 2_000, 50_000]) {
      expect(violationsIn(await contract.parse(treeOf(levels)))).toMatchObject([
        { path: '', rule: 'maxDepth' },
      ]);
    }
    expect((await contract.parse(treeOf(10))).ok).toBe(true);
  });

  it('are accepted as deep as a wider limit goes', async () => {
    const wide = { ...DEFAULT_INPUT_LIMITS, maxDepth: 1_000_000 };
    expect((await contract.parse(treeOf(499), wide)).ok).toBe(true);
    expect(violationsIn(await contract.parse(treeOf(50_000), wide))).toMatchObject([{ rule: 'maxDepth' }]);
  });

  it('are accepted up to the limit', async () => {
    const levels = DEFAULT_INPUT_LIMITS.maxDepth / 2;
    expect((await contract.parse(treeOf(levels))).ok).toBe(true);
    expect((await contract.parse(treeOf(levels + 1))).ok).toBe(false);
  });

  it('are refused in free-form values too, and when they hold themselves', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = { deep };
    expect(await refusalOf(Free, { n: 1, meta: { deep } })).toEqual([' maxDepth']);
    const ring: { n: number; meta?: unknown } = { n: 1 };
    ring.meta = ring;
    expect(await refusalOf(Free, ring)).toEqual([' maxDepth']);
  });

  it('are bounded by the limits of the call', async () => {
    const limits = { maxDepth: 2, maxElements: 10, maxBytes: 40 };
    const outcomes = [
      [treeOf(2), 'maxDepth'],
      [{ id: 'x', kids: Array.from({ length: 20 }, () => 1) }, 'maxElements'],
      [{ id: 'x'.repeat(60) }, 'maxBytes'],
    ] as const;
    for (const [raw, rule] of outcomes) {
      expect(violationsIn(await contract.parse(raw, limits))).toMatchObject([{ path: '', rule }]);
    }
    expect((await contract.parse({ id: 'x' }, limits)).ok).toBe(true);
  });
});

describe('parse', () => {
  it('settles for whatever it is given, and accepts only what the schema accepts', async () => {
    const contract = inputContract(Free);
    const admits = compileStrictly(contract.schema);
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    });
    const record = fc.record({ n: fc.oneof(fc.integer(), anything), meta: anything, any: anything });
    await fc.assert(
      fc.asyncProperty(fc.oneof(record, anything), async (raw) => {
        const outcome = await contract.parse(raw);
        if (outcome.ok) expect(admits(raw)).toBe(true);
      }),
      { seed: 20260131, numRuns: 500 },
    );
  });

  it('settles for objects that are not what they seem', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const odd: readonly unknown[] = [
      new Proxy({}, {}),
      new Proxy([], {}),
      proxy,
      new (class Money {
        amount = 1;
      })(),
      Object.create(null),
    ];
    for (const one of odd) {
      for (const raw of [one, { n: 1, meta: one }, { n: 1, meta: {}, any: [one] }]) {
        expect(typeof (await inputContract(Free).parse(raw)).ok).toBe('boolean');
      }
    }
  });

  it('gives the handler nothing that a getter says only after the gate', async () => {
    for (let honest = 0; honest < 12; honest += 1) {
      let reads = 0;
      const raw = {
        get text() {
          reads += 1;
          return reads > honest ? 5 : 'a';
        },
      };
      const outcome = await inputContract(Echo).parse(raw);
      if (outcome.ok) expect(outcome.value).toEqual({ text: 'a' });
    }
  });

  it('takes an object without a prototype as any other', async () => {
    const raw = Object.assign(Object.create(null), { n: 1, meta: Object.create(null) });
    expect(await parsedValue(Free, raw)).toEqual({ n: 1, meta: {} });
  });

  it('counts an inherited member as absent', async () => {
    expect(await accepts(Echo, Object.create({ text: 'a' }))).toBe(false);
    const given = Object.create({ text: 'a' }, { text: { value: 'b', enumerable: true } });
    expect(await parsedValue(Echo, given)).toEqual({ text: 'b' });
  });

  it('takes an undefined member as absent', async () => {
    expect(await parsedValue(Optional, { limit: undefined })).toEqual({ limit: 10 });
    expect(await refusalOf(Echo, { text: undefined })).toEqual(['/text isDefined']);
  });

  it('gives the same answer warm or cold, alone or among others', async () => {
    class Sized {
      @IsInt() @Min(1) n!: number;
    }
    const [cold, warm] = [inputContract(Sized), inputContract(Sized)];
    warm.warm();
    warm.warm();
    const raws = [{ n: 1 }, { n: 0 }, {}, { n: 'x' }];
    const answers = await Promise.all(
      raws.flatMap((raw) => [cold.parse(raw), warm.parse(raw), cold.parse(raw)]),
    );
    for (const at of raws.keys()) {
      const [one, ...others] = answers.slice(at * 3, at * 3 + 3);
      for (const other of others) expect(other).toEqual(one);
    }
    expect(Object.isFrozen(cold)).toBe(true);
  });
});
