/**
 * Handlers that throw, or reject with, what nobody expects.
 * Invariant: each makes what it throws anew, so that no case sees what another has touched.
 */
import { runInNewContext } from 'node:vm';
import { ToolError, type ToolErrorOptions } from 'toolcrib';
import { ending, type Misbehaviour, type Named, throwing } from './misbehaviour';

const no = (): never => {
  throw new Error('hostile');
};

/** An error with a member whose getter throws. */
function trapped(member: PropertyKey, on: object = new Error('trapped')): object {
  return Object.defineProperty(on, member, { get: no });
}

/** A proxy that refuses everything. */
function closedProxy(target: object): object {
  const traps = ['get', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor', 'isExtensible'];
  return new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, no])));
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable(new Error('revoked'), {});
  revoke();
  return proxy;
}

function chain(length: number): Error {
  let error = new Error('the first');
  for (let at = 0; at < length; at += 1) error = new Error(`cause ${at}`, { cause: error });
  return error;
}

function ownCause(): Error {
  const error = new Error('my own cause');
  error.cause = error;
  return error;
}

function ownPart(): AggregateError {
  const error = new AggregateError([], 'my own part');
  error.errors.push(error, error);
  return error;
}

function failed(more: Partial<ToolErrorOptions> = {}): ToolError {
  return new ToolError({ code: 'torture_failed', message: 'Failed.', retryable: false, ...more });
}

/** An author's error with a member set to what its type forbids. */
function spoiled(member: string, value: unknown): ToolError {
  return Object.defineProperty(failed(), member, { value });
}

class Unasked extends Error {
  static override [Symbol.hasInstance](): boolean {
    return no();
  }
}

class Derived extends ToolError {
  override name = 'Derived';
  static override [Symbol.hasInstance](): boolean {
    return no();
  }
}

function overflow(): number {
  return 1 + overflow();
}

const made: readonly (readonly [name: string, make: () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a text', () => 'quota exceeded'],
  ['an empty text', () => ''],
  ['a number', () => Number.NaN],
  ['a BigInt', () => 1n],
  ['a symbol', () => Symbol('x')],
  ['a boolean', () => false],
  ['a function', () => no],
  ['a list', () => [new Error('one'), 2n]],
  ['a Date', () => new Date(Number.NaN)],
  ['a Map', () => new Map([['a', 1]])],
  ['a promise', () => Promise.resolve(1)],
  ['a promise that rejects', () => Promise.reject(new Error('thrown promise'))],
  ['a generator', () => (function* () {})()],
  ['an object without a prototype', () => Object.create(null)],
  ['a frozen error', () => Object.freeze(new Error('frozen'))],
  ['a frozen error without a message', () => Object.freeze(new Error())],
  ['an error of another realm', () => runInNewContext('new RangeError("elsewhere")')],
  ['an error without a prototype', () => Object.setPrototypeOf(new Error('none'), null)],
  ['an error with a throwing message', () => trapped('message')],
  ['an error with a throwing name', () => trapped('name')],
  ['an error with a throwing stack', () => trapped('stack')],
  ['an error with a throwing cause', () => trapped('cause')],
  ['an error with a throwing constructor', () => trapped('constructor')],
  ['an error with a throwing toJSON', () => trapped('toJSON')],
  ['an error with a throwing toString', () => trapped('toString')],
  ['an error with a throwing tag', () => trapped(Symbol.toStringTag)],
  ['an error with a throwing inspection', () => trapped(Symbol.for('nodejs.util.inspect.custom'))],
  ['an error with throwing parts', () => trapped('errors', new AggregateError([], 'parts'))],
  ['an error that is its own cause', ownCause],
  ['an error that is its own part', ownPart],
  ['an error with ten thousand causes', () => chain(10_000)],
  ['an error with a huge message', () => new Error('x'.repeat(4_000_000))],
  ['an error whose message is an object', () => Object.assign(new Error(), { message: { toString: no } })],
  ['an error whose name is hostile', () => Object.assign(new Error('x'), { name: '__proto__\n\u0000' })],
  ['an error whose name is a symbol', () => Object.assign(new Error('x'), { name: Symbol('n') })],
  ['an error of a class that cannot be asked', () => new Unasked('unasked')],
  ['a proxy that refuses everything', () => closedProxy(new Error('closed'))],
  ['a proxy around a ToolError', () => closedProxy(failed())],
  ['a revoked proxy', revoked],
  ['an object that has no text form', () => ({ toString: no, [Symbol.toPrimitive]: no })],
  ['what looks like an envelope', () => ({ isError: false, result: 1 })],
  ['what looks like a pause', () => ({ name: 'GraphInterrupt', interrupts: [] })],
  ['a ToolError with a throwing message', () => trapped('message', failed())],
  ['a ToolError with a throwing code', () => trapped('code', failed())],
  ['a ToolError with a code of the framework', () => spoiled('code', 'timeout')],
  ['a ToolError without a code', () => spoiled('code', undefined)],
  ['a ToolError whose message is a number', () => spoiled('message', 7)],
  ['a ToolError whose flag is a text', () => spoiled('retryable', 'yes')],
];

/** What a service answers; the wait that it asks for is too long for another attempt. */
const responseBody = () => ({
  status: 503,
  headers: { 'retry-after': '60' },
  config: { headers: { Authorization: 'Bearer t0k-EXAMPLE' } },
});
const aborted = () => new DOMException('aborted', 'AbortError');

const circular: { self?: unknown } = {};
circular.self = circular;

const foreseen: readonly Named[] = [
  [
    'throws a subclass of ToolError',
    throwing(() => new Derived({ code: 'torture_failed', message: 'm', retryable: true })),
  ],
  ['throws a ToolError', throwing(() => failed())],
  ['throws a frozen ToolError', throwing(() => Object.freeze(failed()))],
  ['throws a ToolError with a circular detail', throwing(() => spoiled('detail', circular))],
  ['throws a ToolError with a BigInt in its detail', throwing(() => spoiled('detail', { n: 1n }))],
  ['throws a ToolError with a huge detail', throwing(() => spoiled('detail', 'x'.repeat(2_000_000)))],
  ['throws a ToolError with a delay that is none', throwing(() => spoiled('retryAfterMs', Number.NaN))],
  ['throws a ToolError that is its own cause', throwing(() => Object.assign(failed(), { cause: circular }))],
];

/** Every handler that throws or rejects. */
export const THROWS: readonly Misbehaviour[] = [
  ...ending('internal_error', [
    ...made.map(([name, make]) => [`throws ${name}`, throwing(make)] as const),
    ...made.map(([name, make]) => [`rejects with ${name}`, async () => throwing(make)()] as const),
    ['overflows the stack', overflow],
    ['sets a member of its context', (context) => Object.assign(context, { callId: 'mine' })],
  ]),
  ...ending('unavailable', [
    ['throws a response body', throwing(responseBody)],
    ['rejects with a response body', async () => throwing(responseBody)()],
  ]),
  ...ending('timeout', [
    ['throws a DOMException', throwing(aborted)],
    ['rejects with a DOMException', async () => throwing(aborted)()],
  ]),
  ...ending('torture_failed', foreseen),
];
