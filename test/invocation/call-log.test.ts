/**
 * The line that a toolkit logs of each call, on request.
 * Invariant: one line a call, with what tells it apart and how it ended, and without any value.
 */
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';
import { watching } from '../fixtures/watching';

const ASKED = { logCalls: true } as const;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The level of a line, the code that the call ended with, the handler, and the arguments. */
const FAILURES: readonly (readonly [string, string, RunHandler, object])[] = [
  ['error', 'internal_error', () => Promise.reject(new Error('reach postgres://me:s3cr3t-0f-m1ne@db/x')), {}],
  ['error', 'invalid_output', () => 1n, {}],
  ['warn', 'timeout', () => new Promise(() => {}), {}],
  ['info', 'invalid_input', () => 'done', { id: 'a value' }],
];

describe('the line of a call', () => {
  it('is not written unless asked for', async () => {
    const { run, log } = await toolkitRunning(() => 'done');
    await run();
    expect(log).toEqual([]);
  });

  it('tells the call, its caller, its trace and its end', async () => {
    const { observer, records } = watching();
    const { run, log } = await toolkitRunning(() => 'done', { ...ASKED, observers: [observer] });
    await run(
      { id: 41, note: 'a value' },
      {
        callId: 'call-1',
        principal: { id: 'ann', scopes: [] },
        conversationId: 'talk-1',
        traceContext: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
      },
    );
    expect(log).toEqual([
      {
        level: 'info',
        fields: {
          tool: 'test.run@1.0.0',
          callId: 'call-1',
          outcome: 'success',
          durationMs: expect.any(Number),
          attempts: 1,
          principal: 'ann',
          conversationId: 'talk-1',
          traceId: TRACE,
          argumentHash: records[0]?.argumentHash,
        },
      },
    ]);
    expect(JSON.stringify(log)).not.toContain('a value');
  });

  it('holds no personal data that a caller has put into an id', async () => {
    const { run, log } = await toolkitRunning(() => 'done', ASKED);
    for (const callId of ['4111111111111111', 'ann@example.com']) await run({}, { callId });
    expect(log).toHaveLength(2);
    expect(JSON.stringify(log)).not.toMatch(/4111|ann@/);
  });

  it('is written whatever the length of an id', async () => {
    const { run, log } = await toolkitRunning(() => 'done', ASKED);
    await run({}, { callId: 'sk-'.repeat(3_300_000) });
    expect(log).toMatchObject([{ fields: { outcome: 'success' } }]);
  });

  it.each(FAILURES)('is an %s where the call ended with %s', async (level, code, handler, args) => {
    const { run, log } = await toolkitRunning(handler, { ...ASKED, timeoutMs: 5 });
    await run(args);
    expect(log.at(-1)).toMatchObject({ level, fields: { outcome: 'failure', code } });
    expect(JSON.stringify(log.at(-1))).not.toMatch(/s3cr3t|a value/);
  });

  it('has one hash of the arguments of a call, also where they are refused, and what a repetition repeats', async () => {
    const { run, log } = await toolkitRunning(() => 'done', ASKED);
    const said = { conversationId: 'talk-1' };
    for (const args of [{ id: 'x' }, { id: 'x' }, { id: 'y' }]) await run(args, said);
    const fields = log.map((line) => line.fields);
    expect(fields).toMatchObject([
      { code: 'invalid_input', argumentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { code: 'retry_refused', failedWith: 'invalid_input', conversationId: 'talk-1' },
      { code: 'invalid_input' },
    ]);
    const hashes = fields.map((line) => ('argumentHash' in line ? line.argumentHash : undefined));
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it('has no hash of what is no JSON, or exceeds the limits', async () => {
    const { run, log } = await toolkitRunning(() => 'done', { ...ASKED, limits: { maxBytes: 100 } });
    for (const args of [{ id: 1n }, { note: 'x'.repeat(200) }]) await run(args);
    expect(log).toHaveLength(2);
    for (const { fields } of log) expect(fields).not.toHaveProperty('argumentHash');
  });

  it('tells a pause from a failure', async () => {
    const pause = new Error('ask');
    const { run, log } = await toolkitRunning(() => Promise.reject(pause), ASKED);
    await expect(run({}, { isPause: (error) => error === pause })).rejects.toBe(pause);
    expect(log).toMatchObject([{ level: 'info', fields: { outcome: 'paused' } }]);
  });

  it('is cut and scrubbed where a caller names no tool', async () => {
    const { toolkit, log } = await toolkitRunning(() => 'done', ASKED);
    await toolkit.invoke(`postgres://me:s3cr3t-0f-m1ne@db/${'x'.repeat(1_000)}`, {});
    expect(JSON.stringify(log)).not.toContain('s3cr3t');
    expect(JSON.stringify(log).length).toBeLessThan(600);
  });
});
