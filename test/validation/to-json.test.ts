/**
 * A handler's output as JSON.
 * Invariant: what comes out is what JSON.stringify would write; what it would lose or fail on is refused.
 */
import fc from 'fast-check';
import { toJson } from '../../src/validation/to-json';
import { anyValue } from '../fixtures/any-value';
import { violationsIn } from '../fixtures/verdicts';

const RUNS = { seed: 20260131, numRuns: 500 };

/** The JSON of an output; fails the test when it was refused. */
function jsonOf(output: unknown): unknown {
  const outcome = toJson(output);
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.violations)}`);
  return outcome.value;
}

/** The one place and rule of a refusal. */
function refusalOf(output: unknown): string {
  const [violation, ...others] = violationsIn(toJson(output));
  expect(others).toEqual([]);
  return `${violation?.path} ${violation?.rule}`;
}

class Money {
  constructor(
    readonly amount: number,
    private readonly note?: string,
  ) {}
  get double(): number {
    return this.amount * 2;
  }
  format(): string {
    return `${this.amount} ${this.note}`;
  }
}

describe('an output that JSON carries', () => {
  it('is copied unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(jsonOf(value))).toBe(JSON.stringify(value));
      }),
      RUNS,
    );
  });

  it('is what JSON.stringify writes, or is refused', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const outcome = toJson(value);
        if (outcome.ok) expect(JSON.stringify(outcome.value)).toBe(JSON.stringify(value) ?? 'null');
      }),
      RUNS,
    );
  });

  it.each([
    ['undefined', undefined, null],
    ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a URL', new URL('https://b.co/a'), 'https://b.co/a'],
    ['an instance', new Money(2, 'x'), { amount: 2, note: 'x' }],
    ['absent members', { a: undefined, b: () => 1, c: Symbol('s'), d: 1 }, { d: 1 }],
    ['undefined in an array', [1, undefined, 2], [1, null, 2]],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    ['a hole in an array', [1, , 2], [1, null, 2]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      'members that streams have as methods',
      { on: true, emit: 2, pipe: 'x' },
      { on: true, emit: 2, pipe: 'x' },
    ],
    ['inherited members', Object.create({ inherited: 1 }), {}],
  ])('may be %s', (_, output, json) => {
    expect(jsonOf(output)).toEqual(json);
  });

  it('may say itself what it is, and sees the key that it stands at', () => {
    const keyed = { toJSON: (key: string) => `at ${key}` };
    expect(jsonOf(keyed)).toBe('at ');
    expect(jsonOf({ a: keyed, list: [keyed] })).toEqual({ a: 'at a', list: ['at 0'] });
    expect(jsonOf({ toJSON: () => ({ b: new Date(0) }) })).toEqual({ b: '1970-01-01T00:00:00.000Z' });
  });

  it('may hold one object in several places', () => {
    const shared = { a: [1] };
    const json = jsonOf({ one: shared, two: shared, list: [shared, shared] });
    expect(json).toEqual({ one: shared, two: shared, list: [shared, shared] });
    expect(json).not.toBe(shared);
  });

  it('keeps a __proto__ key a key, and pollutes nothing', () => {
    const json = jsonOf(JSON.parse('{"__proto__":{"isAdmin":true},"a":{"__proto__":1}}'));
    expect(JSON.stringify(json)).toBe('{"__proto__":{"isAdmin":true},"a":{"__proto__":1}}');
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
    expect(Object.hasOwn({}, 'isAdmin') || 'isAdmin' in {}).toBe(false);
  });

  it('is a copy: later changes do not show', () => {
    const output = { list: [1] };
    const json = jsonOf(output);
    output.list.push(2);
    expect(json).toEqual({ list: [1] });
  });
});

describe('an output that JSON does not carry', () => {
  const ODD: readonly (readonly [string, unknown])[] = [
    ['a bigint', 1n],
    ['a boxed bigint', Object(1n)],
    ['NaN', Number.NaN],
    ['an invalid Date', new Date(Number.NaN)],
    ['Infinity', Number.NEGATIVE_INFINITY],
    ['a Map', new Map([['a', 1]])],
    ['a Set', new Set([1])],
    ['a WeakMap', new WeakMap()],
    ['a Promise', Promise.resolve(1)],
    ['an Error', new RangeError('secret')],
    ['a RegExp', /secret/],
    ['a toJSON that gives a bigint', { toJSON: () => 1n }],
  ];

  it.each(ODD)('is refused where it stands: %s', (_, odd) => {
    expect(refusalOf(odd)).toBe(' isJson');
    expect(refusalOf({ 'a/b': [1, odd] })).toBe('/a~1b/1 isJson');
    expect(JSON.stringify(violationsIn(toJson({ a: odd })))).not.toContain('secret');
  });

  it('is refused where it holds itself', () => {
    const ring: { a: { back?: unknown } } = { a: {} };
    ring.a.back = ring;
    expect(refusalOf(ring)).toBe('/a/back isJson');
    const list: unknown[] = [];
    list.push([list]);
    expect(refusalOf(list)).toBe('/0/0 isJson');
  });

  it('is refused where it ends nowhere', () => {
    const endless = { toJSON: (): unknown => ({ next: endless }) };
    expect(violationsIn(toJson(endless))).toMatchObject([{ rule: 'isJson' }]);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(violationsIn(toJson(deep))).toMatchObject([{ rule: 'isJson' }]);
  });

  it('is refused where reading it throws', () => {
    const fail = (): never => {
      throw new Error('secret');
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing: readonly unknown[] = [
      {
        get a() {
          return fail();
        },
      },
      { toJSON: fail },
      {
        get toJSON() {
          return fail();
        },
      },
      new Proxy({ a: 1 }, { get: fail }),
      new Proxy({}, { ownKeys: fail }),
      proxy,
    ];
    for (const output of throwing) {
      const violations = violationsIn(toJson({ output }));
      expect(violations).toMatchObject([{ rule: 'isJson' }]);
      expect(JSON.stringify(violations)).not.toContain('secret');
    }
    expect(refusalOf({ deep: [throwing[0]] })).toBe('/deep/0/a isJson');
  });

  it('never makes the conversion throw', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(() => toJson(value)).not.toThrow();
      }),
      RUNS,
    );
  });
});
