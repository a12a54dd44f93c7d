/**
 * Calls whose action may have happened, and nobody knows (TEL-02).
 * Invariant: what is counted is what the ledger leaves unknown, whatever code the caller is answered.
 */
import { type InvokeOptions, MemoryLedger, ToolError } from 'toolcrib';
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk, sum } from '../fixtures/in-memory-sdk';
import { type RecordedOptions, type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';
import { makeUntyped } from '../fixtures/untyped-declarations';

const never: RunHandler = () => new Promise(() => {});
const broken: RunHandler = () => Promise.reject(new Error('broke off'));

/** What happens, the handler, the toolkit, the code that its caller gets, and how many outcomes nobody knows. */
const CASES: readonly (readonly [string, RunHandler, RecordedOptions, string, number])[] = [
  ['a write that does not end in time', never, { kind: 'write', timeoutMs: 5 }, 'outcome_unknown', 1],
  ['a write that throws', broken, { kind: 'write' }, 'internal_error', 1],
  ['a destructive call that throws', broken, { kind: 'destructive' }, 'internal_error', 1],
  ['a write whose output is wrong', () => 1n, { kind: 'write' }, 'invalid_output', 0],
  ['a write that is well', () => 'done', { kind: 'write' }, 'success', 0],
  ['a read that throws', broken, {}, 'internal_error', 0],
  ['a read that does not end in time', never, { timeoutMs: 5 }, 'timeout', 0],
  [
    'a write whose author says that it failed',
    () => {
      throw new ToolError({ code: 'no_such_order', message: 'None.', retryable: false });
    },
    { kind: 'write' },
    'no_such_order',
    0,
  ],
];

async function counted(handler: RunHandler, options: RecordedOptions, call: () => InvokeOptions) {
  const sdk = inMemorySdk();
  const ledger = new MemoryLedger();
  const { run, log } = await toolkitRunning(handler, {
    ledger,
    observers: [telemetry(sdk.providers)],
    logCalls: true,
    ...options,
  });
  const result = await run({}, { callId: 'call-1', ...call() });
  const unknown = await ledger.list({ state: 'unknown' });
  const counts = sum((await sdk.points()).get(METRICS.unknownOutcomes.name));
  return { code: result.success ? 'success' : result.error.code, unknown, counts, log, sdk };
}

it.each(CASES)('of %s', async (_what, handler, options, code, expected) => {
  const found = await counted(handler, options, () => ({}));
  expect([found.code, found.counts, found.unknown.length]).toEqual([code, expected, expected]);
});

it('of a write that is cancelled after it began, which the log leads to', async () => {
  const cancel = new AbortController();
  const begins: RunHandler = (input, context) => {
    cancel.abort();
    return never(input, context);
  };
  const found = await counted(begins, { kind: 'write' }, () => ({ signal: cancel.signal }));
  expect([found.code, found.counts]).toEqual(['cancelled', 1]);
  const [entry] = found.unknown;
  expect(found.log).toMatchObject([
    {
      level: 'warn',
      fields: { code: 'cancelled', callId: 'call-1', outcomeUnknown: true, ledgerKey: entry?.key },
    },
  ]);
  expect(found.sdk.spans()).toMatchObject([{ attributes: { 'toolcrib.outcome_unknown': true } }]);
});

it('of a write that is cancelled before it began none is counted', async () => {
  const found = await counted(never, { kind: 'write' }, () => ({ signal: AbortSignal.abort() }));
  expect([found.code, found.counts, found.unknown.length]).toEqual(['cancelled', 0, 0]);
});

it('of a write that pauses none is counted, since its entry is paused', async () => {
  const sdk = inMemorySdk();
  const ledger = new MemoryLedger();
  const observers = [telemetry(sdk.providers)];
  const pause = new Error('ask');
  const handler: RunHandler = () => Promise.reject(pause);
  const { run } = await toolkitRunning(handler, { kind: 'write', ledger, observers });
  await expect(run({}, { isPause: (error) => error === pause })).rejects.toBe(pause);
  expect(await ledger.list({ state: 'paused' })).toHaveLength(1);
  expect(sum((await sdk.points()).get(METRICS.unknownOutcomes.name))).toBe(0);
});

it('of a caller whose id is no text nothing is said that could fail', async () => {
  const principal = { id: 1n, scopes: [] };
  const { toolkit, log } = await toolkitRunning(() => 'done', { kind: 'write', logCalls: true });
  const invoke = toolkit.invoke.bind(toolkit);
  expect(await makeUntyped(invoke, 'test.run', {}, { principal })).toMatchObject({ success: false });
  expect(log.at(-1)?.fields).not.toHaveProperty('ledgerKey');
});

it('of a call whose business key cannot be made no key is said, since there is no entry', async () => {
  const idempotencyKey = () => {
    throw new Error('no');
  };
  const found = await counted(
    () => 'done',
    { kind: 'write', tool: { idempotencyKey } },
    () => ({}),
  );
  expect([found.code, found.counts, found.unknown.length]).toEqual(['internal_error', 0, 0]);
  expect(found.log).toHaveLength(2);
  for (const { fields } of found.log) expect(fields).not.toHaveProperty('ledgerKey');
});

it('every entry about such a call has the key of the ledger', async () => {
  const { log, unknown } = await counted(broken, { kind: 'write' }, () => ({ conversationId: 'talk-1' }));
  const ledgerKey = unknown[0]?.key;
  expect(ledgerKey).toMatch(/^[0-9a-f]{64}$/);
  expect(log).toHaveLength(2);
  for (const { fields } of log) {
    expect(fields).toMatchObject({ ledgerKey, callId: 'call-1', conversationId: 'talk-1' });
  }
});
