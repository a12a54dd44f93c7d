/**
 * Handlers whose answer comes never, late, twice, or in the shape of a promise that is none.
 * Invariant: each ends at the latest with its deadline.
 */

import { host, OWN_WARNING } from './host';
import { afterDeadline, ending, type Misbehaviour, TIMEOUT_MS } from './misbehaviour';

type Settle = (value: unknown) => void;
type Then = (resolve: Settle, reject: Settle) => unknown;

const THEN = 'then';

/** An object with a method `then`. */
function thenable(then: Then): object {
  return Object.fromEntries([[THEN, then]]);
}

/** What is no promise when it is first asked, and one that never settles when it is asked again. */
function lateThenable(): object {
  let asked = 0;
  const get = () => {
    asked += 1;
    return asked < 2 ? undefined : () => {};
  };
  return Object.defineProperty({ a: 1 }, THEN, { get });
}

const no = (): never => {
  throw new Error('hostile');
};

class Speciesless extends Promise<unknown> {
  static override get [Symbol.species](): PromiseConstructor {
    return no();
  }
}

class Thrower extends Promise<unknown> {
  // biome-ignore lint/suspicious/noThenProperty: the very trap
  override then(): never {
    return no();
  }
}

function selfResolved(): Promise<unknown> {
  let resolve: Settle = () => {};
  const promise = new Promise<unknown>((done) => {
    resolve = done;
  });
  resolve(promise);
  return promise;
}

function blocking(): string {
  const until = performance.now() + TIMEOUT_MS + 10;
  while (performance.now() < until);
  return 'blocked';
}

async function manySteps(): Promise<number> {
  let sum = 0;
  for (let step = 0; step < 5_000; step += 1) sum += await step;
  return sum;
}

/** Every handler that settles in a way of its own. */
export const SETTLES: readonly Misbehaviour[] = [
  ...ending('timeout', [
    ['never settles', () => new Promise(() => {})],
    ['resolves too late', () => new Promise((resolve) => afterDeadline(() => resolve('late')))],
    ['rejects too late', () => new Promise((_, reject) => afterDeadline(() => reject(new Error('late'))))],
    ['rejects with undefined too late', () => new Promise((_, reject) => afterDeadline(() => reject()))],
    ['gives a thenable that never settles', () => thenable(() => {})],
    ['gives a thenable that settles too late', () => thenable((resolve) => afterDeadline(() => resolve(1)))],
    [
      'gives a thenable of a promise that never settles',
      () => thenable((resolve) => resolve(new Promise(() => {}))),
    ],
    [
      'rejects with the reason of its signal',
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ],
    [
      'resolves because of its signal',
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    ],
  ]),
  ...ending('internal_error', [
    [
      'rejects and then resolves',
      () => new Promise((resolve, reject) => [reject(new Error('no')), resolve(1)]),
    ],
    ['resolves with a promise that rejects', async () => Promise.reject(undefined)],
    ['gives a promise that resolves with itself', selfResolved],
    ['gives a thenable that throws', () => thenable(no)],
    ['gives a thenable that rejects with nothing', () => thenable((_, reject) => reject(undefined))],
    ['gives a thenable whose then cannot be read', () => Object.defineProperty({}, THEN, { get: no })],
    ['gives a promise without a species', () => Speciesless.resolve(1)],
    ['gives a promise whose then throws', () => Thrower.resolve(1)],
  ]),
  ...ending('done', [
    ['resolves twice', () => new Promise((resolve) => [resolve(1), resolve(2)])],
    [
      'resolves and then throws',
      () =>
        new Promise((resolve) => {
          resolve(1);
          no();
        }),
    ],
    ['gives a thenable that settles twice', () => thenable((resolve, reject) => [resolve(1), reject(2)])],
    [
      'gives a thenable that settles and throws',
      () =>
        thenable((resolve) => {
          resolve(1);
          no();
        }),
    ],
    [
      'gives thenables within thenables',
      () => thenable((one) => one(thenable((two) => two(thenable((three) => three(1)))))),
    ],
    ['gives what turns into a thenable late', async () => lateThenable()],
    ['blocks the process beyond its deadline', blocking],
    ['takes many steps', manySteps],
    ['warns the process', () => host.emitWarning('on purpose', OWN_WARNING)],
    [
      'tells progress that is none',
      ({ progress }) => {
        Reflect.apply(progress, undefined, [{ progress: Number.NaN, self: no }]);
      },
    ],
  ]),
];
