/**
 * Hostile arguments, by their number: alone, deep, wide, long, circular, and put into arguments that are valid.
 * Invariant: the same number gives the same value for the same target.
 */
import { hostileObject, hostileScalar, KEYS, MARK, put } from './hostile-parts';
import { type Random, randomOf } from './random';

/** A value and what it is. */
export interface Hostile {
  readonly kind: string;
  readonly value: unknown;
}

const DEEP = 10_000;
const WIDE = 100_000;

function nest(levels: number, wrap: (inner: unknown) => unknown, end: unknown): unknown {
  let value = end;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

function keyed(key: string): (inner: unknown) => unknown {
  return (inner) => {
    const one = {};
    put(one, key, inner);
    return one;
  };
}

function circular(key: string): unknown {
  const one = {};
  put(one, key, [one]);
  return one;
}

/** One value in so many is heavy. */
const HEAVY_EVERY = 199;

/** What takes long to make or to read, each in its turn. */
const HEAVY: readonly [
  readonly [string, (random: Random) => unknown],
  ...(readonly [string, (random: Random) => unknown])[],
] = [
  ['deep object', (random) => nest(DEEP, keyed(random.pick(KEYS)), hostileScalar(random))],
  ['deep array', (random) => nest(DEEP, (inner) => [inner], hostileScalar(random))],
  ['deep mix', (random) => nest(DEEP, (inner) => (random.below(2) === 0 ? [inner, inner] : { a: inner }), 1)],
  ['wide array', (random) => Array.from({ length: WIDE }, () => random.below(3))],
  ['wide array of objects', () => Array.from({ length: WIDE }, () => ({}))],
  ['wide object', () => Object.fromEntries(Array.from({ length: WIDE }, (_, at) => [`k${at}`, at]))],
  [
    'long text',
    (random) => random.pick(['a', '\ud83d', '\u{1F4A9}', '\0', '.', 'a@', ' ']).repeat(1_200_000),
  ],
  ['long key', (random) => keyed('~/'.repeat(600_000))(hostileScalar(random))],
  ['text at the limit', (random) => random.pick(['a', '0', '.', '-', 'a@', '%', 'é']).repeat(400_000)],
  [
    'array at the limit',
    (random) => Array.from({ length: 15_000 }, (_, at) => random.pick([at, `k${at}`, 1])),
  ],
  ['like texts at the limit', () => Array.from({ length: 15_000 }, (_, at) => `${'k'.repeat(40)}${at}`)],
  ['objects at the limit', () => Array.from({ length: 9_000 }, (_, at) => ({ at }))],
];

const SOUP_DEPTH = 4;

function soup(random: Random, depth: number): unknown {
  const choice = random.below(depth === 0 ? 3 : 8);
  if (choice < 2) return hostileScalar(random);
  if (choice === 2) return hostileObject(random)[1];
  const size = random.below(4);
  if (choice < 5) return Array.from({ length: size }, () => soup(random, depth - 1));
  const one = {};
  for (let at = 0; at < size; at += 1) put(one, random.pick(KEYS), soup(random, depth - 1));
  return one;
}

function part(random: Random): Hostile {
  const choice = random.below(600);
  if (choice < 150) return { kind: 'scalar', value: hostileScalar(random) };
  if (choice < 400) {
    const [kind, value] = hostileObject(random);
    return { kind, value };
  }
  if (choice < 440) return { kind: 'injection', value: JSON.parse(`{"__proto__":{"${MARK}":1}}`) };
  if (choice < 460) return { kind: 'circular', value: circular(random.pick(KEYS)) };
  return { kind: 'soup', value: soup(random, SOUP_DEPTH) };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Puts a part somewhere into valid arguments, over a member or under a new name. */
function mutate(random: Random, valid: object, value: unknown): void {
  const keys = Object.keys(valid);
  const key =
    random.below(3) === 0 || keys.length === 0 ? random.pick(KEYS) : keys[random.below(keys.length)];
  if (key === undefined) return;
  const inner: unknown = Object.hasOwn(valid, key) ? Reflect.get(valid, key) : undefined;
  if (isContainer(inner) && random.below(3) > 0) mutate(random, inner, value);
  else if (Array.isArray(valid) && !/^\d+$/.test(key)) valid.push(value);
  else if (random.below(6) === 0) Reflect.deleteProperty(valid, key);
  else put(valid, key, value);
}

/** Makes what a target accepts, and what it finds hard. */
export interface Makers {
  valid(): object;
  hard(): object;
}

/** The hostile arguments of a number, for a target. */
export function hostileOf(number: number, target: Makers): Hostile {
  const random = randomOf(number);
  const heavy = HEAVY[(number / HEAVY_EVERY) % HEAVY.length];
  const { kind, value } = heavy === undefined ? part(random) : { kind: heavy[0], value: heavy[1](random) };
  if (random.below(5) === 0) return { kind, value };
  if (random.below(60) === 0) return { kind: 'hard for it', value: target.hard() };
  const whole = target.valid();
  if (random.below(12) === 0) return { kind: 'valid', value: whole };
  mutate(random, whole, value);
  return { kind: `${kind} in valid arguments`, value: whole };
}
