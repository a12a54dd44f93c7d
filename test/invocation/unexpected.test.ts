/**
 * What is said of the action of a call that failed unexpectedly.
 * Invariant: an action that may have happened is never passed over in silence, and nothing is said of any other.
 */
import { type SideEffectKind, ToolError } from 'toolcrib';
import { type RecordedOptions, type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

const SAYS_SO = expect.stringContaining('action');
const SAYS_NOTHING = expect.not.stringContaining('action');

async function failed(handler: RunHandler, kind: SideEffectKind, options: RecordedOptions = {}) {
  const { run, log, toolkit } = await toolkitRunning(handler, { kind, ...options });
  const result = await run({}, { callId: 'c1' });
  const entries = (await toolkit.ledger?.list())?.map(({ state }) => state);
  return { result, log, entries };
}

const boom: RunHandler = () => {
  throw new TypeError('boom');
};

it.each(['write', 'destructive'] as const)('of a %s tool it is not known', async (kind) => {
  for (const maskUnexpectedErrors of [true, false]) {
    const { result, log, entries } = await failed(boom, kind, { maskUnexpectedErrors });
    expect(result).toMatchObject({ error: { code: 'internal_error', retryable: false, message: SAYS_SO } });
    expect(log).toMatchObject([{ fields: { code: 'internal_error', outcome: 'unknown' } }]);
    expect(entries).toEqual(['unknown']);
  }
});

it('of a tool that only reads nothing is said', async () => {
  const { result, log } = await failed(boom, 'none');
  expect(result).toMatchObject({ error: { code: 'internal_error', message: SAYS_NOTHING } });
  expect(log[0]?.fields).not.toHaveProperty('outcome');
});

it.each([
  ['a status that says that nothing was done', () => Promise.reject({ status: 401 })],
  [
    'a ToolError',
    () => Promise.reject(new ToolError({ code: 'full', message: 'It is full.', retryable: false })),
  ],
])('of %s nothing is said', async (_case, handler) => {
  const { result, log, entries } = await failed(handler, 'write');
  expect(result).toMatchObject({ error: { message: SAYS_NOTHING } });
  for (const { fields } of log) expect(fields).not.toHaveProperty('outcome');
  expect(entries).toEqual([]);
});

it('of a handler that had answered it is said that it acted', async () => {
  const { result, log } = await failed(() => 'done', 'write', {
    interceptors: [
      {
        stage: 'resolve',
        run: async (_call, next) => {
          await next();
          throw new Error('late');
        },
      },
    ],
  });
  expect(result).toMatchObject({ error: { code: 'internal_error', message: SAYS_SO } });
  expect(log).toMatchObject([{ fields: { outcome: 'executed' } }]);
});

it('of a call whose handler did not begin nothing is said', async () => {
  const { result, log } = await failed(() => 'done', 'write', {
    interceptors: [
      {
        stage: 'execute',
        run: async () => {
          throw new Error('early');
        },
      },
    ],
  });
  expect(result).toMatchObject({ error: { code: 'internal_error', message: SAYS_NOTHING } });
  expect(log[0]?.fields).not.toHaveProperty('outcome');
});
