/**
 * Tampering with a trail: any byte, line or order, and what is cut off.
 * Invariant: every change is found, at the line where it was made. TOOLCRIB_AUDIT=whole: 10,000 lines, every byte of some.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import type { AuditHead } from 'toolcrib';
import { verifyAudit } from 'toolcrib/audit';
import { forAllAwaited } from '../fixtures/for-all';
import { appendAll, type TrailFolder, trailFolder } from './trails';

const isWhole = process.env.TOOLCRIB_AUDIT === 'whole';
const LINES = isWhole ? 10_000 : 60;
const RUNS = isWhole ? 100 : 60;

let trail: TrailFolder;
let head: AuditHead;
let lines: readonly string[];
let bytes: Buffer;

beforeAll(async () => {
  trail = trailFolder();
  const audit = await trail.open();
  await appendAll(audit, 1, LINES);
  ({ head } = audit);
  await audit.close();
  lines = trail.lines();
  bytes = readFileSync(trail.file);
}, 60_000);
afterAll(() => trail.remove());

/** Verifies what stands in the file, held to the head that was kept. */
async function problemsOf(content: Buffer | string) {
  writeFileSync(trail.file, content);
  const { ok, problems } = await verifyAudit(trail.file, { head });
  expect(ok).toBe(problems.length === 0);
  return problems;
}

const text = (some: readonly string[]) => `${some.join('\n')}\n`;
const place = fc.nat({ max: LINES - 1 });

/** The line, from 1, that a byte stands in; a line feed is of the line that it ends. */
function lineOf(at: number): number {
  return bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
}

async function isFound(at: number, byte: number): Promise<void> {
  const changed = Buffer.from(bytes);
  changed[at] = byte;
  const [first] = await problemsOf(changed);
  expect(first).toMatchObject({ file: trail.file, line: lineOf(at) });
}

it('leaves what was not changed in peace', async () => {
  expect(await problemsOf(bytes)).toEqual([]);
});

it('is found for any byte', async () => {
  const other = fc.record({ at: fc.nat({ max: bytes.length - 1 }), by: fc.integer({ min: 1, max: 255 }) });
  await forAllAwaited(other, ({ at, by }) => isFound(at, (bytes[at] ?? 0) ^ by), RUNS);
}, 600_000);

it('is found for each byte of a line', async () => {
  const middle = Math.floor(LINES / 2);
  const from = Buffer.byteLength(text(lines.slice(0, middle)));
  const length = Buffer.byteLength(lines[middle] ?? '') + 1;
  for (let at = from; at < from + length; at += isWhole ? 1 : 9) await isFound(at, (bytes[at] ?? 0) ^ 1);
}, 600_000);

it('is found for bytes that are added or removed', async () => {
  const change = fc.record({
    at: fc.nat({ max: bytes.length - 1 }),
    byte: fc.option(fc.integer({ min: 0, max: 255 })),
  });
  await forAllAwaited(
    change,
    async ({ at, byte }) => {
      const rest = byte === null ? [bytes.subarray(at + 1)] : [Buffer.from([byte]), bytes.subarray(at)];
      const changed = Buffer.concat([bytes.subarray(0, at), ...rest]);
      // One of several equal bytes may be taken for another.
      if (changed.equals(bytes)) return;
      const [first] = await problemsOf(changed);
      expect(first?.line).toBeGreaterThanOrEqual(lineOf(at) - 1);
      expect(first?.line).toBeLessThanOrEqual(lineOf(at) + 1);
    },
    RUNS,
  );
}, 600_000);

it('is found for a line that is removed', async () => {
  await forAllAwaited(
    place,
    async (at) => {
      const [first] = await problemsOf(text(lines.toSpliced(at, 1)));
      // What is missing at the end is cut off.
      const isLast = at === LINES - 1;
      expect(first).toMatchObject(
        isLast
          ? { code: 'truncated', line: LINES - 1 }
          : { code: 'broken_chain', line: at + 1, sequence: at + 1 },
      );
    },
    RUNS,
  );
}, 600_000);

it('is found for a line that is added, be it one of the trail', async () => {
  const added = fc.record({
    at: place,
    line: fc.oneof(
      place.map((one) => lines[one] ?? ''),
      fc.json(),
      fc.constant(''),
    ),
  });
  await forAllAwaited(
    added,
    async ({ at, line }) => {
      const [first] = await problemsOf(text(lines.toSpliced(at, 0, line)));
      // A line that is there twice stands out where it is there again.
      expect(first?.line).toBe(line === lines[at] ? at + 2 : at + 1);
    },
    RUNS,
  );
}, 600_000);

it('is found for two lines that change places', async () => {
  await forAllAwaited(
    fc.uniqueArray(place, { minLength: 2, maxLength: 2 }),
    async ([one = 0, other = 0]) => {
      const swapped = [...lines];
      [swapped[one], swapped[other]] = [lines[other] ?? '', lines[one] ?? ''];
      const [first] = await problemsOf(text(swapped));
      expect(first).toMatchObject({ code: 'broken_chain', line: Math.min(one, other) + 1 });
    },
    RUNS,
  );
}, 600_000);

it('is found by the head where lines are cut off', async () => {
  await forAllAwaited(
    fc.integer({ min: 1, max: LINES - 1 }),
    async (left) => {
      expect(await problemsOf(text(lines.slice(0, left)))).toMatchObject([
        { code: 'truncated', line: left, sequence: left + 1 },
      ]);
    },
    RUNS,
  );
  expect(await problemsOf('')).toMatchObject([{ code: 'truncated', line: 0 }]);
}, 600_000);

it('is found by the head where a trail was written anew', async () => {
  const other = trailFolder();
  const audit = await other.open();
  await appendAll(audit, 2, LINES + 5);
  await audit.close();
  expect(await problemsOf(readFileSync(other.file))).toMatchObject([{ code: 'other_head', line: LINES }]);
  other.remove();
}, 60_000);

it('is found over files, one of which is changed or removed', async () => {
  const rotated = trailFolder();
  const audit = await rotated.open({ maxBytes: 4_000 });
  await appendAll(audit, 1, 60);
  await audit.close();
  const folder = dirname(rotated.file);
  const aside = readdirSync(folder)
    .filter((name) => /\d{12}/.test(name))
    .sort();
  const name = join(folder, aside[2] ?? '');
  const content = readFileSync(name, 'utf8');
  writeFileSync(name, content.replace('clerk-', 'clerk+'));
  await expect(verifyAudit(rotated.file)).resolves.toMatchObject({
    problems: [{ code: 'changed_record', file: name, line: 1 }],
  });
  rmSync(name);
  const next = join(folder, aside[3] ?? '');
  await expect(verifyAudit(rotated.file)).resolves.toMatchObject({
    problems: [{ code: 'broken_chain', file: next, line: 1 }],
  });
  rotated.remove();
});
