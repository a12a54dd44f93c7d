/**
 * What becomes of the things that handlers answer where no output is declared.
 * Invariant: an answer is JSON, equal to what JSON.stringify writes of it, or a failure that says where not.
 */
import { toWire } from 'toolcrib';
import { type RecordedOptions, type RunHandler, runOnce, toolkitRunning } from '../fixtures/recorded-toolkit';

async function resultOf(handler: RunHandler, options?: RecordedOptions) {
  const { result } = await runOnce(handler, options);
  expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual(toWire(result));
  return result;
}

/** The failure of an output that is refused at a path. */
function refusedAt(path: string): object {
  return {
    success: false,
    error: { code: 'invalid_output', retryable: false, detail: { violations: [{ path, rule: 'isJson' }] } },
  };
}

const SECRET = 'hunter2-EXAMPLE';

function fail(): never {
  throw new Error(SECRET);
}

const circular: { name: string; self?: unknown } = { name: 'a' };
circular.self = circular;
const mutual = { rows: [{ parent: {} }] };
mutual.rows.push({ parent: mutual });

const nothing: readonly (readonly [string, unknown, unknown])[] = [
  ['undefined', undefined, null],
  ['null', null, null],
  ['an empty text', '', ''],
  ['an empty list', [], []],
  ['an empty object', {}, {}],
  ['false', false, false],
  ['zero', 0, 0],
];

const notJson: readonly (readonly [string, unknown, string])[] = [
  ['ENV-07: a BigInt', 1n, ''],
  ['ENV-07: a BigInt in an object', { id: 12345678901234567890n }, '/id'],
  ['ENV-07: a BigInt in a list of rows', { rows: [{ n: 1 }, { n: 1n }] }, '/rows/1/n'],
  ['ENV-08: an object that holds itself', circular, '/self'],
  ['ENV-08: objects that hold each other', mutual, '/rows/1/parent'],
  [
    'ENV-08: a getter that throws',
    {
      get x() {
        return fail();
      },
    },
    '/x',
  ],
  [
    'ENV-08: a getter that throws, inside',
    {
      rows: [
        {
          get x() {
            return fail();
          },
        },
      ],
    },
    '/rows/0/x',
  ],
  ['ENV-08: a toJSON that throws', { toJSON: fail }, ''],
  ['ENV-08: a toJSON that throws, inside', { rows: [{ toJSON: fail }] }, '/rows/0'],
  ['NaN', { n: Number.NaN }, '/n'],
  ['Infinity', [Number.POSITIVE_INFINITY], '/0'],
  ['a map, which JSON.stringify would empty', { m: new Map([['a', 1]]) }, '/m'],
  ['an error, which JSON.stringify would empty', { e: new Error(SECRET) }, '/e'],
  ['a function in a list', [fail], '/0'],
];

describe('an answer of nothing', () => {
  it.each(nothing)('ENV-10: is a success, when it is %s', async (_case, output, expected) => {
    const result = await resultOf(() => output);
    expect(result).toStrictEqual({ success: true, result: expected });
    expect(toWire(result)).toStrictEqual({ isError: false, result: expected });
    expect(await resultOf(() => Promise.resolve(output))).toStrictEqual(result);
  });

  it('ENV-10: is refused of a function and of a symbol', async () => {
    expect(await resultOf(() => fail)).toMatchObject({ error: { code: 'invalid_output' } });
    expect(await resultOf(() => Symbol('x'))).toMatchObject({ error: { code: 'invalid_output' } });
  });
});

describe('an answer that is no JSON', () => {
  it.each(notJson)('is refused with its path and without its contents: %s', async (_case, output, path) => {
    for (const kind of ['none', 'write', 'destructive'] as const) {
      const result = await resultOf(() => output, { kind });
      expect(result).toMatchObject(refusedAt(path));
      expect(JSON.stringify(result)).not.toContain(SECRET);
    }
  });

  it.each([
    [
      'a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    [
      'a proxy whose every trap throws',
      () => new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail }),
    ],
    [
      'a revoked proxy inside',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return { rows: [proxy] };
      },
    ],
    ['a thenable whose then throws', () => Object.fromEntries([['then', fail]])],
    ['a thenable whose then getter throws', () => Object.defineProperty({}, 'then', { get: fail })],
    [
      'a thenable that gives a BigInt',
      () => Object.fromEntries([['then', (resolve: (value: unknown) => void) => resolve(1n)]]),
    ],
  ] as const)('ENV-08: is a failure, when it is %s', async (_case, handler) => {
    const result = await resultOf(handler);
    expect(result).toMatchObject({ success: false, error: { retryable: false } });
    expect(['invalid_output', 'internal_error']).toContain(result.success ? 'success' : result.error.code);
  });

  it('ENV-08: is out of time, when it is a thenable that never settles', async () => {
    const result = await resultOf(() => Object.fromEntries([['then', () => {}]]), { tool: { timeoutMs: 1 } });
    expect(result).toMatchObject({ success: false, error: { code: 'timeout' } });
  });

  it('ENV-08: ends for objects without end', async () => {
    const endless: object = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    const growing = { toJSON: (): object => ({ growing }) };
    for (const output of [endless, growing]) {
      expect(await resultOf(() => output)).toMatchObject({
        success: false,
        error: { code: 'invalid_output' },
      });
    }
  });

  it('ENV-08: ends soon for a small object that JSON would write out at great length', async () => {
    let reads = 0;
    let shared: object = Object.defineProperty({}, 'leaf', {
      enumerable: true,
      get: () => {
        reads += 1;
        return 'leaf';
      },
    });
    for (let level = 0; level < 16; level += 1) shared = { left: shared, right: shared };
    const result = await resultOf(() => shared, { maxResultBytes: 100 });
    expect(result).toMatchObject({ success: false, error: { code: 'invalid_output' } });
    expect(reads).toBeLessThan(2 ** 16);
  });
});

describe('an answer that is JSON', () => {
  it('ENV-08: may hold one object twice', async () => {
    const shared = { n: 1 };
    expect(await resultOf(() => ({ a: shared, b: [shared, shared] }))).toStrictEqual({
      success: true,
      result: { a: { n: 1 }, b: [{ n: 1 }, { n: 1 }] },
    });
  });

  it('ENV-12: may be a list or a scalar, and is not wrapped', async () => {
    for (const output of [[{ id: 'a' }], [], 3, 'text', true, [[1], [2]]]) {
      expect(toWire(await resultOf(() => output))).toStrictEqual({ isError: false, result: output });
    }
  });

  it('ENV-06: passes as data where it looks like an envelope', async () => {
    const error = { code: 'e1', message: 'found in log', retryable: false };
    const lookAlikes = [
      { isError: true, error },
      { success: false, error },
      { success: true, result: 1 },
      { content: [{ type: 'text', text: 'upstream failed' }], isError: true },
    ];
    for (const output of lookAlikes) {
      const result = await resultOf(() => output);
      expect(result).toStrictEqual({ success: true, result: output });
      expect(toWire(result)).toStrictEqual({ isError: false, result: output });
    }
  });

  it('SEC-11: is not scrubbed', async () => {
    const output = {
      commit: '3f786850e387550fdab836ed7e6dc881de23001b',
      id: '6f1c1d1e-0000-4000-8000-000000000001',
      contact: 'ann@example.org',
      png: 'iVBORw0KGgoAAAANSUhEUg==',
      text: 'token=1532 Bearer t0k-EXAMPLE',
    };
    expect(await resultOf(() => output)).toStrictEqual({ success: true, result: output });
  });

  it.each([
    ['a date', new Date('2026-01-31T09:30:00Z'), '2026-01-31T09:30:00.000Z'],
    ['what a toJSON gives', { toJSON: () => '12.50' }, '12.50'],
    [
      'an object without its undefined members and methods',
      { a: 1, none: undefined, method: () => 1 },
      { a: 1 },
    ],
    ['null for undefined in a list', [undefined], [null]],
    [
      'the value of a boxed number, text or boolean',
      [Object(1), Object('a'), Object(false)],
      [1, 'a', false],
    ],
    ['zero without a sign', -0, 0],
  ])('is written as JSON.stringify writes it: %s', async (_case, output, expected) => {
    const wrapped = { inside: [output] };
    expect(await resultOf(() => output)).toStrictEqual({ success: true, result: expected });
    expect(await resultOf(() => wrapped)).toStrictEqual({ success: true, result: { inside: [expected] } });
  });

  it('is a copy: what the handler does to its object later changes nothing', async () => {
    const kept: { rows: number[] } = { rows: [1] };
    const result = await resultOf(() => kept);
    kept.rows.push(2);
    expect(result).toStrictEqual({ success: true, result: { rows: [1] } });
  });
});

describe('the bound of an answer', () => {
  const bytes = (length: number) => 'é'.repeat((length - 2) / 2);

  it.each([
    ["the tool's", { tool: { maxResultBytes: 100 } }, 100],
    ["the tool's before the toolkit's", { tool: { maxResultBytes: 100 }, maxResultBytes: 50 }, 100],
    ["the toolkit's", { maxResultBytes: 50 }, 50],
    ['1 MiB where nobody states one', {}, 1_048_576],
  ] as const)('is %s, in bytes of UTF-8', async (_case, options, limit) => {
    const { run } = await toolkitRunning(({ id = 0 }) => bytes(id), options);
    expect(await run({ id: limit })).toEqual({ success: true, result: bytes(limit) });
    expect(await run({ id: limit + 2 })).toMatchObject({
      success: false,
      error: { code: 'invalid_output', retryable: false },
    });
  });
});
