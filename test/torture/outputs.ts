/**
 * Handlers whose output is not JSON, not what was declared, or JSON of an odd kind.
 * Invariant: each makes its output anew; no output takes more than a moment to make.
 */
import { Readable } from 'node:stream';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { ending, type Misbehaviour, type Named } from './misbehaviour';

class CountOutput {
  @IsInt()
  count!: number;
}

const no = (): never => {
  throw new Error('hostile');
};

/** A DTO that class-transformer writes; what each member holds decides how it goes wrong. */
class Written {
  @Exclude() @IsString() passwordHash = 't0k-EXAMPLE';

  @Expose({ name: 'made' })
  @Transform(({ value }) => (typeof value === 'function' ? value() : value), { toPlainOnly: true })
  @IsInt()
  make: unknown = 1;

  @IsOptional()
  @ValidateNested()
  @Type(() => Written)
  next?: Written;
}

/** What a DTO makes of a value; its JSON holds no secret. */
function writtenWith(make: () => unknown): Written {
  return Object.assign(new Written(), { make });
}

function writtenCircle(): Written {
  const output = new Written();
  output.next = output;
  return output;
}

class Eager {
  @Expose() @IsInt() get later(): unknown {
    return Promise.reject(new Error('t0k-EXAMPLE'));
  }
}

class Chain {
  @Expose() get next(): Chain {
    return new Chain();
  }
}

function circular(): object {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

/** An object that has a new object under every key, without end. */
function bottomless(): object {
  return {
    get more() {
      return bottomless();
    },
  };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

class List extends Array<number> {
  static override get [Symbol.species](): ArrayConstructor {
    return no();
  }
}

const notJson: readonly (readonly [name: string, make: () => unknown])[] = [
  ['a BigInt', () => 1n],
  ['a BigInt deep inside', () => ({ rows: [{ n: 12345678901234567890n }] })],
  ['a circle', circular],
  ['a throwing getter', () => Object.defineProperty({}, 'x', { get: no, enumerable: true })],
  ['a throwing toJSON', () => ({ toJSON: no })],
  ['a toJSON that gives a BigInt', () => ({ toJSON: () => 1n })],
  ['a proxy without keys', () => new Proxy({}, { ownKeys: no })],
  ['a proxy that gives nothing', () => new Proxy({ a: 1 }, { getOwnPropertyDescriptor: no })],
  [
    'a proxy with an endless array',
    () => new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : 1) }),
  ],
  ['a revoked proxy inside', () => ({ inside: revoked() })],
  ['a bottomless object', bottomless],
  ['too deep', () => deep(100_000)],
  ['a huge text', () => 'x'.repeat(3_000_000)],
  ['a huge list', () => new Array(2_000_000).fill(7)],
  ['a symbol', () => Symbol('x')],
  ['a function', () => no],
  ['a Map', () => new Map([['a', 1]])],
  ['a Set', () => new Set([1])],
  ['a WeakMap', () => new WeakMap()],
  ['a Buffer', () => Buffer.from('secret')],
  ['a stream', () => Readable.from(['secret'])],
  ['a web stream', () => new ReadableStream()],
  ['a Response', () => new Response('secret')],
  ['a generator', () => (function* () {})()],
  ['an async generator', () => (async function* () {})()],
  ['what cannot be iterated', () => ({ [Symbol.iterator]: no })],
  ['what has a throwing tag', () => Object.defineProperty({}, Symbol.toStringTag, { get: no })],
  ['not a number', () => ({ n: Number.NaN })],
  ['a date that is none', () => new Date(Number.NaN)],
  ['infinity', () => Number.POSITIVE_INFINITY],
  ['an error', () => new Error('returned')],
  ['a number in a box that throws', () => Object.assign(Object(1), { valueOf: no })],
  ['a promise inside', () => ({ later: Promise.resolve(1) })],
  ['promises inside that reject', () => ({ a: Promise.reject(new Error('a')), b: [Promise.reject()] })],
  ['a regular expression', () => /x/],
  ['what toJSON rejects', () => ({ toJSON: () => [Promise.reject(new Error('late'))] })],
  [
    'a getter that rejects',
    () => ({
      get later() {
        return { one: Promise.reject(new Error('one')), two: Promise.reject(new Error('two')) };
      },
    }),
  ],
];

const undeclared: readonly Named[] = [
  ['answers a member of another type', () => ({ count: '3' }), CountOutput],
  ['answers an undeclared member', () => ({ count: 3, passwordHash: 'x' }), CountOutput],
  ['answers nothing for a DTO', () => undefined, CountOutput],
  ['answers a DTO for a list', () => ({ count: 3 }), [CountOutput]],
  ['answers a text for a number', () => '3', Number],
  [
    'answers a throwing getter for a DTO',
    () => Object.defineProperty({}, 'count', { get: no, enumerable: true }),
    CountOutput,
  ],
];

const written: readonly Named[] = [
  ['answers a conversion that throws', () => writtenWith(no), Written],
  [
    'answers a conversion that throws nothing',
    () =>
      writtenWith(() => {
        throw undefined;
      }),
    Written,
  ],
  ['answers a conversion that rejects', () => writtenWith(() => Promise.reject(new Error('late'))), Written],
  [
    'answers conversions to promises inside',
    () => writtenWith(() => ({ a: [Promise.reject(new Error('a'))], b: Promise.reject(new Error('b')) })),
    Written,
  ],
  ['answers a conversion to a BigInt', () => writtenWith(() => 1n), Written],
  ['answers a conversion to a Map', () => writtenWith(() => new Map()), Written],
  ['answers a conversion to what is too deep', () => writtenWith(() => deep(100_000)), Written],
  ['answers a conversion to a huge text', () => writtenWith(() => 'x'.repeat(3_000_000)), Written],
  ['answers a conversion that was not declared', () => writtenWith(() => 'text'), Written],
  ['answers a circle of instances', writtenCircle, Written],
  ['answers a circle of instances, undeclared', () => ({ list: [writtenCircle()] })],
  ['answers the written name of a member', () => ({ made: 1 }), Written],
  ['answers a Map for a DTO', () => new Map([['make', 1]]), Written],
  ['answers an exposed getter that rejects', () => new Eager(), Eager],
  ['answers instances without end', () => new Chain()],
];

const wellWritten: readonly Named[] = [
  ['answers an instance with a hidden secret', () => new Written(), Written],
  ['answers a plain object with a hidden secret', () => ({ passwordHash: 't0k-EXAMPLE', make: 1 }), Written],
  ['answers an undeclared instance with a hidden secret', () => [{ row: new Written() }]],
  ['answers a frozen instance', () => Object.freeze(new Written()), Written],
  ['answers a conversion of a function', () => writtenWith(() => 2), Written],
];

const odd: readonly (readonly [name: string, make: () => unknown])[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['an empty text', () => ''],
  ['an empty list', () => []],
  ['itself from toJSON', () => Object.assign(Object.create({ toJSON: (): object => ({}) }), { a: 1 })],
  ['an object without a prototype', () => Object.assign(Object.create(null), { a: 1 })],
  ['a key __proto__', () => JSON.parse('{"__proto__":{"a":1},"constructor":null}')],
  ['half a character', () => 'x\ud800'],
  ['control characters', () => '\u0000\u001b[2J\u202e'],
  [
    'what looks like a failure',
    () => ({ isError: true, error: { code: 'E1', message: 'm', retryable: false } }),
  ],
  ['what looks like a message', () => ({ lc_direct_tool_output: true, content: 'mine', tool_call_id: 'x' })],
  ['an array without a species', () => List.from([1, 2])],
  ['a sparse array', () => Object.assign(new Array(4), { 1: 1, 3: 2 })],
  ['a frozen object', () => Object.freeze({ a: Object.freeze([1]) })],
  ['then as a member', () => Object.fromEntries([['then', 'later']])],
  ['what has no text form', () => ({ a: 1, toString: no, [Symbol.toPrimitive]: no })],
];

/** Every handler with an odd or illegal output. */
export const OUTPUTS: readonly Misbehaviour[] = [
  ...ending('invalid_output', [
    ...notJson.map(([name, make]) => [`answers ${name}`, make] as const),
    ...notJson.slice(0, 6).map(([name, make]) => [`answers later ${name}`, async () => make()] as const),
    ...undeclared,
    ...written,
  ]),
  ...ending('done', [...odd.map(([name, make]) => [`answers ${name}`, make] as const), ...wellWritten]),
];
