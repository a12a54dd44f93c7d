/**
 * What others do to the files of a trail: moved, removed, replaced, rewritten, or named twice.
 * Invariant: no record is acknowledged that is not in the trail, and no evidence is written over.
 */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { FileAudit, functionSink, verifyAudit } from 'toolcrib/audit';
import { appendAll, eventOf, recordsOf, type TrailFolder, trailFolder } from './trails';

let trail: TrailFolder;
beforeEach(() => {
  trail = trailFolder();
});
afterEach(() => {
  jest.restoreAllMocks();
  trail.remove();
});

const beside = (name: string) => join(dirname(trail.file), name);

/** Lets the millisecond go by for which a writer does not look again. */
function aMillisecondLater(): void {
  const later = performance.now() + 1;
  jest.spyOn(performance, 'now').mockReturnValue(later);
}

const failing = (code: string) => expect.objectContaining({ code });

const CHANGES = {
  removed: () => rmSync(trail.file),
  moved: () => renameSync(trail.file, beside('audit.jsonl.1')),
  replaced: () => {
    copyFileSync(trail.file, beside('copy'));
    renameSync(beside('copy'), trail.file);
  },
  emptied: () => truncateSync(trail.file, 0),
  'written by another': () => appendFileSync(trail.file, 'x'),
} as const;

it.each([true, false])(
  'takes nothing once its file is not the one that it wrote, fsync %p',
  async (fsync) => {
    for (const change of Object.values(CHANGES)) {
      const folder = trailFolder();
      trail.remove();
      trail = folder;
      const audit = await trail.open({ fsync });
      await appendAll(audit, 1, 3);
      change();
      aMillisecondLater();
      for (const kind of ['call_started', 'call_ended'] as const) {
        const appending = async () => audit.append({ ...eventOf(4), kind });
        await expect(appending()).rejects.toEqual(failing('changed'));
      }
      expect(audit.head.sequence).toBe(3);
      await audit.close();
      jest.restoreAllMocks();
    }
  },
);

it('goes on once its file is back', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 3);
  renameSync(trail.file, beside('away'));
  aMillisecondLater();
  expect(() => audit.append(eventOf(4))).toThrow(failing('changed'));
  renameSync(beside('away'), trail.file);
  await appendAll(audit, 4, 4);
  await audit.close();
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true, lines: 4 });
});

it('is sound to who verifies it while it is written and put aside', async () => {
  const audit = await trail.open({ maxBytes: 20_000 });
  await appendAll(audit, 1, 50);
  let isWriting = true;
  const writing = (async () => {
    for (let number = 51; isWriting; number += 1) {
      await appendAll(audit, number, number);
      await new Promise(setImmediate);
    }
  })();
  try {
    for (let round = 0; round < 5; round += 1) {
      const { ok, problems } = await verifyAudit(trail.file);
      expect({ ok, problems }).toEqual({ ok: true, problems: [] });
    }
  } finally {
    isWriting = false;
    await writing;
  }
  await audit.close();
  const { sequence } = audit.head;
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true, lines: sequence });
});

it('puts no file aside over another one', async () => {
  const audit = await trail.open({ maxBytes: 1_000 });
  await appendAll(audit, 1, 2);
  const kept = beside('audit.000000000001.jsonl');
  writeFileSync(kept, 'evidence');
  expect(() => audit.append(eventOf(3))).toThrow(failing('unusable_file'));
  expect(readFileSync(kept, 'utf8')).toBe('evidence');
  rmSync(kept);
  await appendAll(audit, 3, 9);
  await audit.close();
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true, lines: 9 });
});

it.each([undefined, 700])(
  'does not open a longer trail that was written anew, files of %p bytes',
  async (maxBytes) => {
    const options = maxBytes === undefined ? {} : { maxBytes };
    const audit = await trail.open(options);
    await appendAll(audit, 1, 3);
    await audit.close();
    const head = readFileSync(`${trail.file}.head`);
    rmSync(dirname(trail.file), { recursive: true });
    mkdirSync(dirname(trail.file));
    const forger = await trail.open(options);
    await appendAll(forger, 11, 20);
    await forger.close();
    writeFileSync(`${trail.file}.head`, head);
    const lines = trail.lines();
    await expect(trail.open()).rejects.toEqual(failing('broken'));
    expect(trail.lines()).toEqual(lines);
    expect(readFileSync(`${trail.file}.head`)).toEqual(head);
  },
);

it('is one trail by every name of its file', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 2);
  const name = beside('other.jsonl');
  symlinkSync(trail.file, name);
  const other = await FileAudit.open({ file: name });
  expect(() => other.append(eventOf(3))).toThrow(failing('locked'));
  await audit.close();
  await other.append(eventOf(3));
  await other.close();
  expect(existsSync(`${name}.head`)).toBe(false);
  expect(await recordsOf(name)).toHaveLength(3);
  await expect(verifyAudit(name)).resolves.toMatchObject({ ok: true, recordedHead: { sequence: 3 } });
});

it('opens a trail whose head the machine lost with its power', async () => {
  const audit = await trail.open({ fsync: true });
  await appendAll(audit, 1, 2);
  await audit.close();
  for (const lost of ['', '\0'.repeat(67)]) {
    writeFileSync(`${trail.file}.head`, lost);
    await expect(verifyAudit(trail.file)).resolves.toMatchObject({ problems: [{ code: 'no_head' }] });
    const next = await trail.open({ fsync: true });
    await next.append(eventOf(3));
    await next.close();
    await expect(verifyAudit(trail.file)).resolves.toMatchObject({ ok: true });
  }
  writeFileSync(`${trail.file}.head`, `0:${'f'.repeat(64)}`);
  await expect(trail.open()).rejects.toEqual(failing('broken'));
});

it.each([
  { sequence: -1, hash: 'f'.repeat(64) },
  { sequence: 2.5, hash: 'f'.repeat(64) },
  { sequence: Number.NaN, hash: 'f'.repeat(64) },
  { sequence: '2', hash: 'f'.repeat(64) },
  { sequence: 2, hash: 'F'.repeat(64) },
  { sequence: 0, hash: 'f'.repeat(64) },
  '2:f',
  null,
])('takes no head that is none: %p', async (head) => {
  const audit = await trail.open();
  await appendAll(audit, 1, 3);
  await audit.close();
  const given: object = { head };
  await expect(verifyAudit(trail.file, given)).rejects.toThrow(TypeError);
  expect(() => functionSink(() => {}, given)).toThrow(TypeError);
});
