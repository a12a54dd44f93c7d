/**
 * Hostile scalars, keys and objects, of which hostile values are put together.
 * Invariant: making one throws nothing and takes no longer than a moment; what it does when it is read is its own.
 */
import type { Random } from './random';

/** What a hostile prototype would give to every object that inherits from it. */
export const MARK = 'injected';

/** Names that mean something to an object, and names that are hard to write. */
export const KEYS: readonly [string, ...string[]] = [
  '__proto__',
  ...['constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'hasOwnProperty', '__defineGetter__'],
  ...[
    'then',
    'length',
    'name',
    '0',
    '-1',
    '',
    ' ',
    '/',
    '~1',
    '\0',
    '\u{1F4A9}',
    '\ud83d',
    'a.b',
    'k'.repeat(300),
  ],
];

/** Sets an own member, whatever its name. */
export function put(into: object, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

class Instance {
  readonly text = 'a';
  get more(): string {
    return 'b';
  }
}

class Listed extends Array<unknown> {}

const fails = (): never => {
  throw new Error('a hostile member was read');
};

const TRAPS: readonly (keyof ProxyHandler<object>)[] = [
  ...([
    'get',
    'has',
    'ownKeys',
    'getOwnPropertyDescriptor',
    'getPrototypeOf',
    'isExtensible',
    'set',
  ] as const),
  ...([
    'defineProperty',
    'deleteProperty',
    'preventExtensions',
    'setPrototypeOf',
    'apply',
    'construct',
  ] as const),
];

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function changing(): unknown {
  let reads = 0;
  return Object.defineProperty({}, 'a', {
    enumerable: true,
    get: () => {
      reads += 1;
      return reads % 2 === 1 ? 'text' : { [MARK]: reads };
    },
  });
}

function lengthy(length: unknown): unknown {
  return new Proxy([], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) });
}

const scalars: readonly [() => unknown, ...(() => unknown)[]] = [
  () => null,
  () => undefined,
  () => true,
  () => 0,
  () => -0,
  // What 1e400 is read as.
  () => Number.POSITIVE_INFINITY,
  () => Number.NEGATIVE_INFINITY,
  () => Number.NaN,
  () => 2 ** 53,
  () => 5e-324,
  () => 1e-7,
  () => 1.5,
  () => '',
  () => 'a',
  () => '\ud83d',
  () => 'x\udca9y',
  () => '\0',
  () => '\u{1F4A9}',
  () => '2026-02-30T25:61:61Z',
  () => '2026-01-31T09:30:00Z',
  () => 'a@b.co',
  () => `${'a'.repeat(300)}!`,
  () => '__proto__',
  () => 10n,
  () => Symbol('s'),
  () => () => 'a',
];

const objects: readonly [readonly [string, () => unknown], ...(readonly [string, () => unknown])[]] = [
  ['null prototype', () => Object.assign(Object.create(null), { a: 1 })],
  ['class instance', () => new Instance()],
  ['array subclass', () => Listed.from([1, 2])],
  ['map', () => new Map([['a', 1]])],
  ['set', () => new Set([1])],
  ['date', () => new Date(0)],
  ['invalid date', () => new Date(Number.NaN)],
  ['regular expression', () => /a/g],
  ['boxed text', () => Object('a')],
  ['boxed number', () => Object(1)],
  ['boxed bigint', () => Object(1n)],
  ['boxed symbol', () => Object(Symbol('s'))],
  ['error', () => new Error('e')],
  ['promise', () => Promise.resolve(1)],
  ['thenable', () => Object.fromEntries([['then', (settle: (value: unknown) => void) => settle(1)]])],
  ['weak map', () => new WeakMap()],
  ['bytes', () => new Uint8Array(8)],
  ['buffer', () => Buffer.from('abc')],
  ['array buffer', () => new ArrayBuffer(8)],
  [
    'generator',
    () =>
      (function* () {
        yield 1;
      })(),
  ],
  ['sparse array', () => Object.assign([], { 5: 1 })],
  ['array of the greatest length', () => Object.assign([], { length: 2 ** 32 - 1 })],
  ['array with members', () => Object.assign([1], { a: 1, toJSON: () => 'x' })],
  ['getter that throws', () => Object.defineProperty({}, 'a', { enumerable: true, get: fails })],
  ['getter that changes', changing],
  ['getter in an array', () => Object.defineProperty([1], '0', { enumerable: true, get: fails })],
  ['toJSON', () => ({ toJSON: () => ({ [MARK]: 1 }) })],
  ['hostile conversion', () => ({ toString: fails, valueOf: fails, [Symbol.toPrimitive]: fails })],
  ['lying tag', () => ({ [Symbol.toStringTag]: 'Array' })],
  ['tag that throws', () => Object.defineProperty({}, Symbol.toStringTag, { get: fails })],
  ['inherits a member', () => Object.create({ [MARK]: 1, a: 1 })],
  ['inherits from an array', () => Object.create([1, 2])],
  ['revoked proxy', () => revoked({})],
  ['revoked proxy of an array', () => revoked([])],
  ['proxy of nothing', () => new Proxy({}, {})],
  ['proxy within proxy', () => new Proxy(new Proxy({ a: 1 }, {}), {})],
  ['proxy with a getter of everything', () => new Proxy({}, { ownKeys: () => ['a'], get: () => MARK })],
  [
    'proxy with endless members',
    () => {
      const handler: ProxyHandler<object> = {
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        get: (_target, key) => (typeof key === 'symbol' ? undefined : new Proxy({}, handler)),
      };
      return new Proxy({}, handler);
    },
  ],
  ...[1e9, -1, Number.NaN, '3', 1n, null, 0.5].map(
    (length) => [`length ${String(length)}`, () => lengthy(length)] as const,
  ),
  ...TRAPS.flatMap((trap) => [
    [`proxy of an object: ${trap} throws`, () => new Proxy({ a: 1 }, { [trap]: fails })] as const,
    [`proxy of an array: ${trap} throws`, () => new Proxy([1], { [trap]: fails })] as const,
    [`proxy of a function: ${trap} throws`, () => new Proxy(() => 1, { [trap]: fails })] as const,
  ]),
];

/** A hostile scalar. */
export function hostileScalar(random: Random): unknown {
  return random.pick(scalars)();
}

/** A hostile object, and what it is. */
export function hostileObject(random: Random): readonly [string, unknown] {
  const [kind, make] = random.pick(objects);
  return [kind, make()];
}
