/**
 * Sinks that fail, hang or come back.
 * Invariant: what must be recorded first does not run without, no answer is lost, and no record is written twice.
 */
import { type AuditEvent, createToolkit } from 'toolcrib';
import { AuditTrail } from '../../../src/invocation/audit/trail';
import { Scrubber } from '../../../src/invocation/scrub';
import { eventOf } from '../../audit/trails';
import { keepingSink, scriptedSink, shortly } from '../../fixtures/audited-toolkit';
import { byHand } from '../../fixtures/ledger-calls';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';

const fails = () => {
  throw new Error('the disk is full: postgres://audit:s3cr3t-0f-audit@db/audit');
};
const rejects = async () => fails();
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const never = () => new Promise<void>(() => {});
const REFUSED = { success: false, error: { code: 'unavailable', retryable: true, retryAfterMs: 5_000 } };

it.each([
  ['destructive', undefined, true],
  ['write', undefined, true],
  ['destructive', 'refuse', true],
  ['write', 'refuse', true],
  ['destructive', 'refuse_destructive', true],
  ['write', 'refuse_destructive', false],
  ['destructive', 'allow', false],
  ['write', 'allow', false],
] as const)('a call of a %s tool under %s is refused: %p', async (kind, onFailure, isRefused) => {
  for (const append of [fails, rejects]) {
    let ran = 0;
    const audit = { sink: { append }, ...(onFailure === undefined ? {} : { onFailure }) };
    const { run, log } = await toolkitRunning(() => ++ran, { kind, audit });
    const result = await run({ note: 'private' }, { callId: 'c1' });
    expect(result).toMatchObject(isRefused ? REFUSED : { success: true, result: 1 });
    expect(ran).toBe(isRefused ? 0 : 1);
    expect(log[0]?.fields).toMatchObject({ tool: 'test.run@1.0.0', callId: 'c1', audit: 'call_started' });
    expect(JSON.stringify(log)).not.toMatch(/s3cr3t|private/);
  }
});

it('nothing is claimed by a call that was refused', async () => {
  const events: AuditEvent[] = [];
  const sink = scriptedSink(rejects, keepingSink(events).append);
  const { run, toolkit } = await toolkitRunning(() => 'done', { kind: 'write', audit: { sink } });
  expect(await run({}, { callId: 'c1' })).toMatchObject(REFUSED);
  expect(await toolkit.ledger?.list()).toEqual([]);
  expect(shortly(events)).toEqual(['call_refused unavailable']);
  expect(await run({}, { callId: 'c1' })).toMatchObject({ success: true });
});

it('a sink that hangs is waited for until the deadline of the call, which then has not run', async () => {
  let ran = 0;
  const { run, log } = await toolkitRunning(() => ++ran, {
    kind: 'destructive',
    audit: { sink: { append: never } },
    tool: { timeoutMs: 20 },
  });
  expect(await run()).toMatchObject(REFUSED);
  expect(ran).toBe(0);
  expect(log[0]?.fields).toMatchObject({ code: 'unavailable' });
});

it('a call that is cancelled while it waits for the sink has not run, and says so in the trail', async () => {
  const events: AuditEvent[] = [];
  const writing = byHand<void>();
  const sink = scriptedSink(() => writing.promise, keepingSink(events).append);
  let ran = 0;
  const { run } = await toolkitRunning(() => ++ran, { kind: 'write', audit: { sink } });
  const controller = new AbortController();
  const running = run({}, { signal: controller.signal });
  setImmediate(() => controller.abort());
  expect(await running).toMatchObject({ error: { code: 'cancelled' } });
  expect(ran).toBe(0);
  writing.resolve();
  await new Promise(setImmediate);
  expect(events).toMatchObject([{ kind: 'call_ended', outcome: 'failed', code: 'cancelled' }]);
});

it('the end of a call that cannot be written is no loss of its answer, and is written later', async () => {
  const events: AuditEvent[] = [];
  const keep = keepingSink(events).append;
  const sink = scriptedSink(keep, rejects, keep);
  const { run, toolkit, log } = await toolkitRunning(() => 'done', { kind: 'write', audit: { sink } });
  expect(await run({}, { callId: 'c1' })).toEqual({ success: true, result: 'done' });
  expect(shortly(events)).toEqual(['call_started']);
  expect(log).toMatchObject([
    { level: 'error', fields: { audit: 'call_ended', outcome: 'succeeded', callId: 'c1' } },
  ]);
  await toolkit.close();
  expect(shortly(events)).toEqual(['call_started', 'call_ended succeeded']);
  expect(events.map(({ callId }) => callId)).toEqual(['c1', 'c1']);
});

it('what was kept is written as soon as the sink takes records again', async () => {
  const events: AuditEvent[] = [];
  const keep = keepingSink(events).append;
  const { run } = await toolkitRunning(() => 'done', {
    kind: 'write',
    audit: { sink: scriptedSink(keep, rejects, keep) },
  });
  await run({}, { callId: 'c1' });
  await run({}, { callId: 'c2' });
  await new Promise(setImmediate);
  expect(events.map(({ kind, callId }) => `${kind} ${callId}`).toSorted()).toEqual([
    'call_ended c1',
    'call_ended c2',
    'call_started c1',
    'call_started c2',
  ]);
});

it('what does not fit any more is counted, and stands in the trail as a gap', async () => {
  const events: AuditEvent[] = [];
  let isBroken = true;
  const append = (event: AuditEvent) => (isBroken ? fails() : void events.push(event));
  const settings = { sink: { append }, onFailure: 'refuse' } as const;
  const trail = new AuditTrail(settings, { logger: silent, scrubber: new Scrubber() });
  for (let number = 0; number < 10_003; number += 1) await trail.note(eventOf(number));
  isBroken = false;
  await trail.close();
  expect(events).toHaveLength(10_001);
  expect(events.at(-1)).toEqual({ time: expect.any(String), kind: 'gap', missing: 3 });
});

it('nothing is written twice where the sink takes records again while the toolkit closes', async () => {
  const events: AuditEvent[] = [];
  let isDown = true;
  const settled = () => new Promise(setImmediate);
  const sink = {
    append: async (event: AuditEvent) => {
      await settled();
      if (isDown) throw new Error('down');
      events.push(event);
    },
  };
  const trail = new AuditTrail({ sink, onFailure: 'allow' }, { logger: silent, scrubber: new Scrubber() });
  for (let number = 0; number < 20; number += 1) trail.give(eventOf(number));
  for (let turn = 0; turn < 3; turn += 1) await settled();
  isDown = false;
  const closing = trail.close();
  for (let number = 20; number < 30; number += 1) {
    trail.give(eventOf(number));
    await settled();
  }
  await closing;
  expect(new Set(events.map(({ callId }) => callId)).size).toBe(30);
  expect(events).toHaveLength(30);
});

it('closing waits for what the sink holds', async () => {
  const flushed = jest.fn(async () => {});
  const { toolkit } = await toolkitRunning(() => 'done', {
    audit: { sink: { append() {}, flush: flushed } },
  });
  await toolkit.close();
  expect(flushed).toHaveBeenCalledTimes(1);
});

it('closing says what is lost, and names no tool where there is none', async () => {
  const { run, toolkit, log } = await toolkitRunning(() => 'done', {
    kind: 'write',
    audit: { sink: { append: fails }, onFailure: 'allow' },
  });
  await run();
  await toolkit.close();
  const last = log.at(-1);
  expect(last).toMatchObject({ level: 'error', fields: { audit: 'gap' } });
  expect(last?.fields).not.toHaveProperty('tool');
  expect(last?.fields).not.toHaveProperty('callId');
});

it.each([
  [{}, /sink/],
  [{ sink: {} }, /append/],
  [{ sink: { append() {} }, onFailure: 'ignore' }, /onFailure/],
  [{ sink: { append() {} }, file: 'a' }, /file/],
  [null, /audit/],
])('%p is no audit', async (audit, words) => {
  const options = { discover: { classes: [] }, logger: silent, audit };
  await expect(Reflect.apply(createToolkit, undefined, [options])).rejects.toThrow(words);
});
