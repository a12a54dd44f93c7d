/**
 * The lock of a trail in a file, and who may take it over.
 * Invariant: a lock is taken over at once only from a process that is surely dead, and else after a minute.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AuditError } from 'toolcrib/audit';
import { eventOf, type TrailFolder, trailFolder } from './trails';

let trail: TrailFolder;
beforeEach(() => {
  trail = trailFolder();
});
afterEach(() => trail.remove());

const lock = () => `${trail.file}.lock`;

/** What this process writes into its lock. */
async function ownLock(): Promise<object> {
  const audit = await trail.open();
  audit.ready();
  const holder: unknown = JSON.parse(readFileSync(lock(), 'utf8'));
  await audit.close();
  if (typeof holder === 'object' && holder !== null) return holder;
  throw new Error('the lock is no object');
}

/** Whether the trail can be written while this lock stands beside it. */
async function isTakenOver(holder: object): Promise<boolean> {
  writeFileSync(lock(), JSON.stringify(holder));
  const audit = await trail.open();
  try {
    await audit.append(eventOf(1));
    return true;
  } catch (error) {
    if (error instanceof AuditError && error.code === 'locked') return false;
    throw error;
  } finally {
    await audit.close();
  }
}

it('is taken over at once from a process that has ended, be its number given to another one', async () => {
  const own = await ownLock();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  expect(await isTakenOver({ ...own, pid })).toBe(true);
  // Only Linux tells when a process has started.
  if (process.platform !== 'linux') return;
  expect(await isTakenOver({ ...own, startedAt: '1' })).toBe(true);
});

it.each([
  ['lives', {}],
  ['is on another host', { host: 'elsewhere' }],
  ['is of another boot or container', { among: 'another' }],
  ['is of who knows which container', { among: null }],
])('of a process that %s is left alone until it was not touched for a minute', async (_what, differing) => {
  const own = await ownLock();
  const isLiving = Object.keys(differing).length === 0;
  const { pid } = isLiving ? process : spawnSync(process.execPath, ['-e', '']);
  expect(await isTakenOver({ ...own, ...differing, pid })).toBe(false);
  const longAgo = new Date(Date.now() - 61_000);
  utimesSync(lock(), longAgo, longAgo);
  const audit = await trail.open();
  await audit.append(eventOf(2));
  await audit.close();
});

it('is, as all that stands beside the trail, for its user alone', async () => {
  const audit = await trail.open();
  await audit.append(eventOf(1));
  await audit.flush();
  const folder = dirname(trail.file);
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  await audit.close();
  expect(modes).toEqual([
    ['audit.jsonl', 0o600],
    ['audit.jsonl.head', 0o600],
    ['audit.jsonl.lock', 0o600],
  ]);
});
