/**
 * What the audit trail says of calls.
 * Invariant: every call with side effects is in it, from its beginning to its end, and nothing that it sent.
 */

import * as fc from 'fast-check';
import { AUDIT_KINDS, type AuditEvent, type InvokeOptions, MemoryLedger, ToolError } from 'toolcrib';
import { auditedToolkit, keepingSink, shortly } from '../../fixtures/audited-toolkit';
import { forAllAwaited } from '../../fixtures/for-all';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';

const clerk = { id: 'ada', scopes: [] };

it.each([true, false])(
  'has the beginning of a call before it runs, and its end, later %p',
  async (isLater) => {
    const seen: string[][] = [];
    const { run, events, toolkit } = await auditedToolkit(
      () => {
        seen.push(shortly(events));
        throw new Error('secret');
      },
      { isLater },
    );
    await run({ note: 'secret' }, { principal: clerk, callId: 'c1', conversationId: 'v1' });
    expect(seen).toEqual([['call_started']]);
    await toolkit.close();
    expect(shortly(events)).toEqual(['call_started', 'call_ended unknown']);
    const argumentHash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const who = {
      tool: 'test.run@1.0.0',
      principalId: 'ada',
      callId: 'c1',
      conversationId: 'v1',
      argumentHash,
    };
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(events).toEqual([
      { time, kind: 'call_started', ...who },
      { time, kind: 'call_ended', outcome: 'unknown', code: 'internal_error', ...who },
    ]);
  },
);

it.each([
  [
    'a failure that certainly did nothing',
    'failed',
    () => Promise.reject(new ToolError({ code: 'no', message: 'no', retryable: false })),
  ],
  ['a line that went dead', 'unknown', () => Promise.reject(new Error('dead'))],
  [
    'an outcome that the author does not know',
    'unknown',
    () => Promise.reject(new ToolError({ code: 'outcome_unknown', message: 'lost', retryable: false })),
  ],
  ['a handler that is late', 'unknown', () => new Promise(() => {})],
])('says how %s ended: %s', async (_, outcome, handler) => {
  const { run, events } = await auditedToolkit(handler);
  await run({ note: 'n' }, { timeoutMs: 20 });
  expect(events[1]).toMatchObject({ kind: 'call_ended', outcome });
});

it('says of a failure its code alone', async () => {
  const { run, events } = await auditedToolkit(() => {
    throw new ToolError({ code: 'too_late', message: 'the parcel of Grace has left', retryable: false });
  });
  await run({ note: 'to Grace' });
  expect(events[1]).toMatchObject({
    kind: 'call_ended',
    outcome: 'failed',
    code: 'too_late',
    principalId: null,
  });
  expect(JSON.stringify(events)).not.toContain('Grace');
});

it.each(['write', 'destructive'] as const)('has calls of %s tools', async (kind) => {
  const { run, events } = await auditedToolkit(() => 'done', { kind });
  await run();
  expect(shortly(events)).toEqual(['call_started', 'call_ended succeeded']);
});

it('has no calls of tools without side effects, but denials of every tool', async () => {
  const { run, events } = await auditedToolkit(() => 'done', { kind: 'none', toolScopes: ['orders:read'] });
  await run({}, { principal: { id: 'ada', scopes: ['orders:read'] } });
  await run({ id: 'no number' }, { principal: { id: 'ada', scopes: ['orders:read'] } });
  expect(events).toEqual([]);
  await run({ id: 1 }, { principal: clerk, callId: 'c2' });
  const denied = { kind: 'denied', code: 'insufficient_scope', principalId: 'ada', callId: 'c2' };
  expect(events).toEqual([{ time: expect.any(String), tool: 'test.run@1.0.0', ...denied }]);
});

it('has calls of tools with side effects that were answered before they started', async () => {
  const { run, events } = await auditedToolkit(() => 'done', {
    kind: 'write',
    rateLimit: { perPrincipal: { limit: 1, windowMs: 60_000 } },
  });
  await run({ id: 'no number' }, { principal: clerk });
  await run({}, { principal: clerk });
  expect(shortly(events)).toEqual(['call_refused invalid_input', 'call_refused rate_limited']);
});

it('says of a call that comes again that it got the recorded answer', async () => {
  const { run, events } = await auditedToolkit(() => 'done', { ledger: new MemoryLedger() });
  await run({}, { callId: 'c1' });
  await run({}, { callId: 'c1' });
  expect(shortly(events)).toEqual([
    'call_started',
    'call_ended succeeded',
    'call_started',
    'call_ended succeeded',
  ]);
  expect(events.map(({ replayed }) => replayed)).toEqual([undefined, undefined, undefined, true]);
});

it('has the pause of a run that its handler asks for', async () => {
  const pause = new Error('asks somebody');
  const { run, events } = await auditedToolkit(() => {
    throw pause;
  });
  await expect(run({}, { isPause: (error) => error === pause })).rejects.toBe(pause);
  expect(shortly(events)).toEqual(['call_started', 'call_ended paused']);
});

it('has the trace of the call, and cuts ids that are too long', async () => {
  const { run, events } = await auditedToolkit(() => 'done');
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const traced = (traceparent: string): InvokeOptions & { readonly traceContext: object } => ({
    callId: 'c'.repeat(5_000),
    traceContext: { traceparent },
  });
  await run({}, traced(`00-${trace}-b7ad6b7169203331-01`));
  expect(events[1]).toMatchObject({ traceId: trace, callId: `${'c'.repeat(256)}…` });
  await run({}, traced('none'));
  expect(events[3]?.traceId).toBeUndefined();
  // W3C Trace Context: version ff is forbidden, as is a parent of zeros, and 00 has no more members.
  for (const unsound of [
    `ff-${trace}-b7ad6b7169203331-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-b7ad6b7169203331-01garbage`,
  ]) {
    await run({}, traced(unsound));
    expect(events.at(-1)).not.toHaveProperty('traceId');
  }
});

it('has the trace that somebody who watches the call has begun', async () => {
  const traceId = 'a'.repeat(32);
  const observers = [{ began: () => ({ traceId }) }];
  const { run, events } = await auditedToolkit(() => 'done', { observers, toolScopes: ['run'] });
  await run({}, { principal: { id: 'ada', scopes: ['run'] } });
  await run({}, { principal: { id: 'mallory', scopes: [] } });
  expect(events.map((event) => [event.kind, event.traceId])).toEqual([
    ['call_started', traceId],
    ['call_ended', traceId],
    ['denied', traceId],
  ]);
});

it.each([
  ['another failure', { success: false, error: { code: 'not_found', message: 'no', retryable: false } }],
  ['a result', { success: true, result: 'nothing' }],
] as const)('has a denial that an interceptor makes %s of', async (_what, answer) => {
  const { run, events } = await auditedToolkit(() => 'done', {
    toolScopes: ['run'],
    interceptors: [
      {
        stage: 'authorise',
        run: async (_call, next) => {
          await next();
          return answer;
        },
      },
    ],
  });
  await run({}, { principal: { id: 'mallory', scopes: [] } });
  expect(events).toMatchObject([{ kind: 'denied', code: 'insufficient_scope', principalId: 'mallory' }]);
  expect(events).toHaveLength(1);
});

it('has no credential that a caller has put into an id, and every other id as it is', async () => {
  const { run, events } = await auditedToolkit(() => 'done', { redact: { values: ['open-sesame'] } });
  const principal = { id: 'ada@example.com', scopes: [] };
  const token = `ghp_${'a1B2'.repeat(9)}`;
  await run({}, { principal, callId: 'postgres://ada:s3cr3t-0f-ada@db/a', conversationId: token });
  await run({}, { principal: { ...principal, id: `Bearer ${token}` }, callId: 'open-sesame' });
  expect(JSON.stringify(events)).not.toMatch(/s3cr3t|ghp_|sesame/);
  expect(events[0]).toMatchObject({ principalId: 'ada@example.com', conversationId: '[redacted]' });
  const ids = { callId: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', conversationId: 'whatsapp:+41790000000' };
  await run({}, { principal, ...ids });
  expect(events.at(-1)).toMatchObject(ids);
});

it('has as many ends as beginnings for any mix of calls', async () => {
  const events: AuditEvent[] = [];
  // The sink takes one turn.
  const settled = () => new Promise(setImmediate);
  const { run } = await toolkitRunning(
    ({ id = 0 }) => {
      if (id % 3 === 1) throw new Error('broken');
      return id;
    },
    { kind: 'write', audit: { sink: keepingSink(events, true) }, circuitBreaker: false, toolScopes: ['run'] },
  );
  const calls = fc.array(
    fc.record({ id: fc.oneof(fc.nat({ max: 9 }), fc.constant('x')), scopes: fc.subarray(['run']) }),
  );
  await forAllAwaited(calls, async (some) => {
    events.length = 0;
    await Promise.all(
      some.map(({ id, scopes }, at) => run({ id }, { principal: { id: 'ada', scopes }, callId: `${at}` })),
    );
    await settled();
    const of = (kind: AuditEvent['kind']) => events.filter((event) => event.kind === kind).length;
    expect(of('call_started')).toBe(of('call_ended'));
    expect(of('call_started') + of('call_refused') + of('denied')).toBe(some.length);
    expect(events.every(({ kind }) => AUDIT_KINDS.includes(kind))).toBe(true);
  });
});
