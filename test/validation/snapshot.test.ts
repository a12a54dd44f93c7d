/**
 * The copy of raw arguments, its bounds, and that it is JSON.
 * Invariant: whatever is given, copying ends with a verdict; it never throws and never overflows the stack.
 */
import fc from 'fast-check';
import { DEFAULT_INPUT_LIMITS, type InputLimits, type JsonValue, type Violation } from 'toolcrib';
import { snapshot } from '../../src/validation/snapshot';
import { anyValue } from '../fixtures/any-value';

const RUNS = { seed: 20260131, numRuns: 300 };
const WIDE: InputLimits = { maxDepth: 1_000, maxElements: 100_000, maxBytes: 10_000_000 };
const JSON_VALUES = fc
  .jsonValue({ maxDepth: 5 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));

/** The violation of arguments that are not copied. */
function checkLimits(raw: unknown, limits?: InputLimits): Violation | undefined {
  const outcome = snapshot(raw, limits);
  return outcome.ok ? undefined : outcome.violations[0];
}

function partsOf(value: JsonValue): readonly JsonValue[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function countOf(value: JsonValue): number {
  return partsOf(value).reduce<number>((sum, part) => sum + countOf(part), 1);
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...partsOf(value).map(depthOf));
}

/** Bytes of the texts and of the names of properties; places in an array have no name. */
function bytesOf(value: JsonValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  const names =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const own = names.reduce((sum, name) => sum + Buffer.byteLength(name), 0);
  return partsOf(value).reduce<number>((sum, part) => sum + bytesOf(part), own);
}

function nest(levels: number, inner: unknown = 'x'): unknown {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { kids: value };
  return value;
}

describe('the bounds', () => {
  it.each([
    ['maxDepth', depthOf],
    ['maxElements', countOf],
    ['maxBytes', bytesOf],
  ] as const)('%s admits exactly so much', (bound, measure) => {
    fc.assert(
      fc.property(JSON_VALUES, (value) => {
        const size = measure(value);
        expect(checkLimits(value, { ...WIDE, [bound]: size })).toBeUndefined();
        if (size === 0) return;
        expect(checkLimits(value, { ...WIDE, [bound]: size - 1 })).toMatchObject({ path: '', rule: bound });
      }),
      RUNS,
    );
  });

  it('admit all small JSON by default', () => {
    fc.assert(
      fc.property(JSON_VALUES, (value) => checkLimits(value) === undefined),
      RUNS,
    );
  });

  it('HYD-11: stop at the default depth, however deep the value is', () => {
    const { maxDepth } = DEFAULT_INPUT_LIMITS;
    expect(checkLimits(nest(maxDepth))).toBeUndefined();
    for (const levels of [maxDepth + 1, 2_000, 200_000]) {
      expect(checkLimits(nest(levels))).toMatchObject({ path: '', rule: 'maxDepth' });
    }
  });

  it('stop at 1,000 levels, whatever depth is asked for', () => {
    const limits = { ...WIDE, maxDepth: 1_000_000 };
    expect(checkLimits(nest(1_000), limits)).toBeUndefined();
    for (const levels of [1_001, 10_000, 200_000]) {
      expect(checkLimits(nest(levels), limits)).toMatchObject({ path: '', rule: 'maxDepth' });
    }
  });

  it('count bytes as UTF-8, of names too', () => {
    const limits = { ...WIDE, maxBytes: 8 };
    expect(checkLimits({ ä: '💩' }, limits)).toBeUndefined();
    expect(checkLimits({ äöü: '💩' }, limits)).toMatchObject({ rule: 'maxBytes' });
  });

  it('end on a value that holds itself', () => {
    const ring: { self?: unknown } = {};
    ring.self = ring;
    const list: unknown[] = [];
    list.push(list, list);
    const [a, b]: { to?: unknown }[] = [{}, {}];
    Object.assign(a ?? {}, { to: b });
    Object.assign(b ?? {}, { to: [a] });
    for (const value of [ring, list, a]) {
      expect(checkLimits(value)).toMatchObject({ path: '', rule: expect.stringMatching(/^max/) });
    }
  });

  it('count a value as often as it stands in the arguments', () => {
    const shared = { a: 1 };
    expect(checkLimits([shared, shared], { ...WIDE, maxElements: 5 })).toBeUndefined();
    expect(checkLimits([shared, shared], { ...WIDE, maxElements: 4 })).toMatchObject({ rule: 'maxElements' });
  });
});

describe('what is not JSON', () => {
  const ODD: readonly (readonly [string, unknown])[] = [
    ['a Date', new Date(0)],
    ['a Map', new Map([['a', 1]])],
    ['a Set', new Set([1])],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a RegExp', /a/],
    ['an Error', new Error('e')],
    ['a Promise', Promise.resolve(1)],
    ['bytes', new Uint8Array(2)],
    ['a boxed number', Object(5)],
    ['a boxed text', Object('a')],
  ];

  it.each(ODD)('is named by its place: %s', (_, odd) => {
    expect(checkLimits(odd)).toMatchObject({ path: '', rule: 'isJson' });
    expect(checkLimits({ a: 1, 'b/c': [0, odd] })).toMatchObject({ path: '/b~1c/1', rule: 'isJson' });
  });

  it('may be undefined, which JSON leaves out', () => {
    expect(checkLimits(undefined)).toBeUndefined();
    expect(checkLimits({ a: undefined })).toBeUndefined();
  });

  it('may throw when it is read', () => {
    const fail = () => {
      throw new Error('secret');
    };
    const throwing: readonly unknown[] = [
      {
        get a() {
          return fail();
        },
      },
      new Proxy({}, { ownKeys: fail }),
      new Proxy({ a: 1 }, { get: fail }),
      new Proxy({ a: 1 }, { getOwnPropertyDescriptor: fail }),
      { [Symbol.toStringTag]: 'Object', inner: new Proxy([1], { get: fail }) },
    ];
    for (const value of throwing) {
      const violation = checkLimits({ value });
      expect(violation).toMatchObject({ rule: 'isJson' });
      expect(violation?.message).not.toContain('secret');
    }
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(checkLimits({ proxy })).toMatchObject({ rule: 'isJson' });
  });

  it('never makes the check throw', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(() => checkLimits(value)).not.toThrow();
      }),
      RUNS,
    );
  });
});

describe('the copy', () => {
  it('is equal to any JSON, with its keys in their order, and shares nothing with it', () => {
    fc.assert(
      fc.property(JSON_VALUES, (value) => {
        const outcome = snapshot(value);
        if (!outcome.ok) throw new Error('the value was not copied');
        expect(JSON.stringify(outcome.value)).toBe(JSON.stringify(value));
        if (typeof value === 'object' && value !== null) expect(outcome.value).not.toBe(value);
      }),
      RUNS,
    );
  });

  it('reads every member once', () => {
    const reads = jest.fn(() => 'a');
    const raw = Object.defineProperty({}, 'text', { get: reads, enumerable: true });
    expect(snapshot(raw)).toEqual({ ok: true, value: { text: 'a' } });
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('leaves out what is undefined or inherited', () => {
    expect(snapshot(Object.assign(Object.create({ up: 1 }), { own: 1, none: undefined }))).toEqual({
      ok: true,
      value: { own: 1 },
    });
  });

  it('HYD-09: keeps __proto__ as a key of its own, so that it can be refused', () => {
    const outcome = snapshot(JSON.parse('{"n":1,"__proto__":{"isAdmin":true}}'));
    if (!outcome.ok) throw new Error('the value was not copied');
    expect(Object.keys(Object(outcome.value))).toEqual(['n', '__proto__']);
    expect('isAdmin' in Object(outcome.value)).toBe(false);
  });
});
