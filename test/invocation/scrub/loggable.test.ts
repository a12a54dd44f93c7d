/**
 * What a logger gets.
 * Invariant: no secret reaches it, whatever a handler logs, and nothing that is logged is changed or breaks a call.
 */
import { Scrubber } from '../../../src/invocation/scrub';
import { scrubbingLogger } from '../../../src/invocation/scrub/loggable';
import { type LogEntry, recordingLogger, runOnce } from '../../fixtures/recorded-toolkit';
import { makeUntyped } from '../../fixtures/untyped-declarations';

function logged(fields: object): unknown {
  const log: LogEntry[] = [];
  scrubbingLogger(recordingLogger(log), new Scrubber()).warn(fields);
  return log[0]?.fields;
}

it('masks by key and by value in every container, and changes nothing of what it is given', () => {
  const given = {
    list: ['Bearer t0k-EXAMPLE'],
    map: new Map([['auth', 'Bearer t0k-EXAMPLE']]),
    set: new Set(['password=EXAMPLE']),
    url: new URL('https://u:pw-EXAMPLE@h.example/x'),
    password: { value: 'EXAMPLE', tries: 3 },
    pin: 987_654,
    error: Object.assign(new Error('key sk_live_EXAMPLE', { cause: 'token=EXAMPLE' }), { input: 'EXAMPLE' }),
    order: 7,
    at: new Date(0),
  };
  const fields = logged(given);
  expect(JSON.stringify(fields)).not.toContain('EXAMPLE');
  expect(fields).toMatchObject({
    order: 7,
    at: '1970-01-01T00:00:00.000Z',
    pin: '[redacted]',
    password: { tries: 3 },
  });
  expect(given.list).toEqual(['Bearer t0k-EXAMPLE']);
  expect(given.password.value).toBe('EXAMPLE');
});

it('ends on values that hold themselves, are deep, are huge, or cannot be read', () => {
  const circular: Record<string, unknown> = { a: 1 };
  circular.self = circular;
  let deep: object = {};
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  const broken = {
    get secret(): string {
      throw new Error('no');
    },
    toJSON: 1,
  };
  const endless = { toJSON: () => endless };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const wide = Array.from({ length: 100_000 }, (_, at) => ({ at }));
  const all = {
    circular,
    deep,
    broken,
    big: 1n,
    bytes: Buffer.alloc(9),
    sym: Symbol('x'),
    endless,
    proxy: revoked.proxy,
    wide,
  };
  const text = JSON.stringify(logged(all));
  expect(text.length).toBeLessThan(100_000);
  expect(logged(all)).toMatchObject({ circular: { a: 1, self: '[circular]' }, big: '1', bytes: '[9 bytes]' });
});

it('leaves texts out once there were many long ones', () => {
  const long = 'so it was. '.repeat(5_000);
  const given = { texts: Array.from({ length: 900 }, () => long), last: 'short' };
  expect(JSON.stringify(logged(given)).length).toBeLessThan(600_000);
  expect(logged(given)).toMatchObject({ texts: expect.arrayContaining([long]), last: '[left out]' });
});

it('takes a message that has no text, which breaks no call', async () => {
  const message = {
    toString() {
      throw new Error('no');
    },
  };
  const { result, log } = await runOnce((_input, { logger }) => {
    makeUntyped(logger.info, { at: 1 }, message);
    return 'done';
  });
  expect(result).toEqual({ success: true, result: 'done' });
  expect(log).toMatchObject([{ fields: { at: 1 } }]);
});

it('is what handlers log through, with their message', async () => {
  const lines: unknown[] = [];
  const level = (fields: object, message?: string) => {
    lines.push([fields, message]);
  };
  const logger = { debug: level, info: level, warn: level, error: level };
  await runOnce(
    (_input, context) => {
      context.logger.info({ note: 'password=EXAMPLE' }, 'used Bearer t0k-EXAMPLE');
      makeUntyped(context.logger.info, 'a text alone');
      return 'done';
    },
    { logger },
  );
  const told = { tool: 'test.run@1.0.0', callId: expect.any(String) };
  expect(lines).toEqual([
    [{ note: 'password=[redacted]', ...told }, 'used Bearer [redacted]'],
    [{ value: 'a text alone', ...told }, undefined],
  ]);
});
