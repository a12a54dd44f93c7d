/**
 * The trail in a file: order, rotation, recovery, its one writer and its head.
 * Invariant: what was acknowledged is in the trail, in order, whatever happened to the process.
 */
import { createHash } from 'node:crypto';
import fs, {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as fc from 'fast-check';
import { canonicalize } from 'json-canonicalize';
import type { AuditEvent } from 'toolcrib';
import { FileAudit, verifyAudit } from 'toolcrib/audit';
import { forAllAwaited } from '../fixtures/for-all';
import { toolkitRunning } from '../fixtures/recorded-toolkit';
import { appendAll, eventOf, recordsOf, type TrailFolder, trailFolder } from './trails';

let trail: TrailFolder;
beforeEach(() => {
  trail = trailFolder();
});
afterEach(() => trail.remove());

const texts = fc.string({ unit: 'binary', maxLength: 20 });
const events: fc.Arbitrary<AuditEvent> = fc.record(
  {
    time: fc.constant('2026-11-30T12:00:00.000Z'),
    kind: fc.constantFrom('call_started', 'call_ended', 'denied', 'settled'),
    tool: texts,
    principalId: fc.option(texts),
    conversationId: texts,
    callId: texts,
    code: texts,
    by: texts,
    missing: fc.nat(),
    replayed: fc.constant(true as const),
  },
  { requiredKeys: ['time', 'kind'] },
);
/** As calls make them, which are written in another way where they are plain. */
const words = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  fc.constantFrom('ada', 'c-1'),
  texts,
);
const ofCalls: fc.Arbitrary<AuditEvent> = fc.record(
  {
    time: fc.constant('2026-11-30T12:00:00.000Z'),
    kind: fc.constantFrom('call_started', 'call_ended'),
    tool: words,
    principalId: words,
    callId: words,
    argumentHash: words,
    conversationId: words,
    code: words,
    outcome: fc.constantFrom('succeeded', 'failed'),
  },
  { requiredKeys: ['time', 'kind', 'tool', 'principalId', 'callId', 'argumentHash'] },
);

it('writes each record as canonical JSON without its hash, which is that of it, and chains it', async () => {
  const audit = await trail.open();
  await forAllAwaited(fc.array(fc.oneof(events, ofCalls), { minLength: 1, maxLength: 5 }), async (some) => {
    for (const event of some) await audit.append(event);
  });
  await audit.close();
  let previousHash = '0'.repeat(64);
  for (const [at, line] of trail.lines().entries()) {
    const { hash, ...record } = JSON.parse(line);
    const body = canonicalize(record);
    expect(line).toBe(`${body.slice(0, -1)},"hash":"${hash}"}`);
    expect(hash).toBe(createHash('sha256').update(body).digest('hex'));
    expect(record).toMatchObject({ sequence: at + 1, previousHash });
    previousHash = hash;
  }
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true, head: { hash: previousHash } });
});

it.each([true, false])('keeps the order of concurrent appends, fsync %p', async (fsync) => {
  const audit = await trail.open({ fsync });
  await Promise.all(Array.from({ length: 200 }, (_, at) => audit.append(eventOf(at))));
  await audit.close();
  const records = await recordsOf(trail.file);
  expect(records.map(({ callId }) => callId)).toEqual(Array.from({ length: 200 }, (_, at) => `call-${at}`));
});

it.each([true, false])('takes records one after the other, fsync %p', async (fsync) => {
  const audit = await trail.open({ fsync });
  await appendAll(audit, 1, 5);
  expect(audit.head.sequence).toBe(5);
  await audit.close();
});

it.each([true, false])('goes on where it ended, over files that were put aside, fsync %p', async (fsync) => {
  for (let from = 1; from <= 100; from += 20) {
    const audit = await trail.open({ fsync, maxBytes: 2_000 });
    // Together, so that there are few flushes of the disk.
    await Promise.all(Array.from({ length: 20 }, (_, at) => audit.append(eventOf(from + at))));
    await audit.close();
  }
  expect(
    readdirSync(dirname(trail.file)).filter((name) => /^audit\.\d{12}\.jsonl$/.test(name)).length,
  ).toBeGreaterThan(3);
  const records = await recordsOf(trail.file);
  expect(records.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true, lines: 100, problems: [] });
});

it('goes on where the process ended between putting a file aside and beginning the next', async () => {
  const audit = await trail.open({ maxBytes: 2_000 });
  await appendAll(audit, 1, 20);
  await audit.close();
  const last = trail.lines().length;
  rmSync(trail.file);
  rmSync(`${trail.file}.head`);
  const again = await trail.open({ maxBytes: 2_000 });
  expect(again.head.sequence).toBe(20 - last);
  await again.append(eventOf(1));
  await again.close();
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true });
});

it('removes an unfinished last line, wherever it was torn', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 3);
  await audit.close();
  const whole = readFileSync(trail.file);
  const line = Buffer.from(`${trail.lines().at(-1)}`);
  for (let cut = 1; cut < line.length; cut += 11) {
    const torn = Buffer.concat([whole, line.subarray(0, cut)]);
    writeFileSync(trail.file, torn);
    await expect(verifyAudit(trail.file)).resolves.toMatchObject({
      problems: [{ code: 'torn_line', line: 4 }],
    });
    const again = await trail.open();
    // Who only looks changes nothing.
    expect(readFileSync(trail.file)).toEqual(torn);
    again.ready();
    expect(readFileSync(trail.file)).toEqual(whole);
    await again.close();
  }
});

it('does not open a file whose last record was changed, or that ends before its head', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 3);
  await audit.close();
  const whole = readFileSync(trail.file, 'utf8');
  writeFileSync(trail.file, whole.replace('call-3', 'call-4'));
  await expect(trail.open()).rejects.toMatchObject({ code: 'broken' });
  truncateSync(trail.file, whole.indexOf('\n') + 1);
  await expect(trail.open()).rejects.toMatchObject({ code: 'truncated' });
  // Without its last line feed the last record is not there, and what is evidence stays.
  writeFileSync(trail.file, whole.slice(0, -1));
  await expect(trail.open()).rejects.toMatchObject({ code: 'truncated' });
  expect(readFileSync(trail.file, 'utf8')).toBe(whole.slice(0, -1));
  writeFileSync(`${trail.file}.head`, 'nothing');
  await expect(trail.open()).rejects.toMatchObject({ code: 'broken' });
});

it.each([true, false])(
  'has one writer, also in one process, and any number who look, fsync %p',
  async (fsync) => {
    const audit = await trail.open({ fsync });
    const other = await trail.open({ fsync });
    await appendAll(audit, 1, 3);
    const looking = await trail.open({ fsync });
    expect(looking.head).toEqual(audit.head);
    expect(() => looking.ready()).toThrow(expect.objectContaining({ code: 'locked' }));
    expect(() => other.append(eventOf(4))).toThrow(expect.objectContaining({ code: 'locked' }));
    await looking.close();
    await audit.close();
    expect(existsSync(`${trail.file}.lock`)).toBe(false);
    // It goes on where the one before ended, and not where it was itself opened.
    await other.append(eventOf(4));
    await other.close();
    await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true, lines: 4 });
  },
);

it('has given the end of a call to the operating system before the call is answered', async () => {
  const sink = await trail.open();
  const { run, toolkit } = await toolkitRunning(() => 'done', { kind: 'write', audit: { sink } });
  const endsSeen = async (callId: string) => {
    await run({}, { callId });
    // Nothing but the answer was waited for, and a process that is killed now runs nothing more.
    const ends = trail.lines().map((line): AuditEvent => JSON.parse(line));
    return ends.filter((event) => event.kind === 'call_ended' && event.callId === callId).length;
  };
  expect(await endsSeen('alone')).toBe(1);
  const ids = Array.from({ length: 20 }, (_, at) => `c${at}`);
  expect(await Promise.all(ids.map(endsSeen))).toEqual(ids.map(() => 1));
  await toolkit.close();
  await sink.close();
});

it('refuses options that there are not, and a folder that is not there', async () => {
  const open = (options: object) => Reflect.apply(FileAudit.open, FileAudit, [options]);
  await expect(open({ file: trail.file, sync: true })).rejects.toThrow(/sync/);
  await expect(open({ file: trail.file, maxBytes: 0 })).rejects.toThrow(/maxBytes/);
  await expect(open({ file: trail.file, fsync: 'yes' })).rejects.toThrow(/fsync/);
  await expect(open({})).rejects.toThrow(TypeError);
  for (const odd of [undefined, null, trail.file, { file: '' }]) {
    await expect(Reflect.apply(FileAudit.open, FileAudit, [odd])).rejects.toThrow(/FileAudit.open/);
  }
  await expect(open({ file: dirname(trail.file) })).rejects.toMatchObject({ code: 'unusable_file' });
  await expect(open({ file: `${trail.file}/none/a.jsonl` })).rejects.toMatchObject({ code: 'unusable_file' });
});

it('stops reading at what the writer has yet to finish', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 2);
  appendFileSync(trail.file, '{"half":');
  expect(await recordsOf(trail.file)).toHaveLength(2);
  await audit.close();
});

describe('a disk that is full', () => {
  afterEach(() => jest.restoreAllMocks());

  /** Lets writes take a part of what they are given, and then fail or not, until it is told to stop. */
  function fillDisk(fails: boolean): { empty(): void } {
    const { writeSync } = fs;
    const spy = jest.spyOn(fs, 'writeSync').mockImplementation((...args: readonly unknown[]) => {
      const [fd, lines, from, length] = args;
      const part = String(lines).slice(Number(from), Math.min(Number(length), 100));
      const written = writeSync(Number(fd), part);
      if (fails) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return written;
    });
    return { empty: () => spy.mockRestore() };
  }

  it.each([true, false])('takes no part of a record, the write fails: %p', async (fails) => {
    const audit = await trail.open();
    await appendAll(audit, 1, 2);
    const disk = fillDisk(fails);
    expect(() => audit.append(eventOf(3))).toThrow();
    expect(audit.head.sequence).toBe(2);
    disk.empty();
    await appendAll(audit, 4, 5);
    await audit.close();
    const records = await recordsOf(trail.file);
    expect(records.map(({ callId }) => callId)).toEqual(['call-1', 'call-2', 'call-4', 'call-5']);
    await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true });
  });

  it('takes no end of a call, and says so, alone or with the next record', async () => {
    const audit = await trail.open();
    const ended = async (number: number) => audit.append({ ...eventOf(number), kind: 'call_ended' });
    await appendAll(audit, 1, 1);
    const disk = fillDisk(true);
    await expect(Promise.allSettled([ended(2), ended(3)])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    const withNext = expect(ended(4)).rejects.toThrow();
    expect(() => audit.append(eventOf(5))).toThrow();
    await withNext;
    expect(trail.lines()).toHaveLength(1);
    disk.empty();
    await Promise.all([ended(6), ended(7), audit.append(eventOf(8))]);
    await ended(9);
    await audit.close();
    const records = await recordsOf(trail.file);
    expect(records.map(({ callId }) => callId)).toEqual([1, 6, 7, 8, 9].map((number) => `call-${number}`));
    await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true });
  });

  it('loses no end of a call that the toolkit was told of', async () => {
    const sink = await trail.open();
    let disk: { empty(): void } | undefined;
    const handler = () => {
      disk = fillDisk(true);
      return 'done';
    };
    const { run, toolkit, log } = await toolkitRunning(handler, { kind: 'write', audit: { sink } });
    await expect(run()).resolves.toMatchObject({ success: true });
    await new Promise(setImmediate);
    expect(log.map(({ level, fields }) => [level, fields])).toMatchObject([
      ['error', { audit: 'call_ended', outcome: 'succeeded' }],
    ]);
    disk?.empty();
    await toolkit.close();
    await sink.close();
    const records = await recordsOf(trail.file);
    expect(records.map(({ kind }) => kind)).toEqual(['call_started', 'call_ended']);
  });
});
