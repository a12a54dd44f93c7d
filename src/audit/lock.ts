/**
 * The lock of an audit file: a file beside it that names its one writer, and that the writer touches from time to time.
 * Invariant: a lock is taken over only where its holder is known to be dead, or has not touched it for a minute.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { AuditError } from './audit-error';
import { type Holder, isHolder, isKnownDead, ownHolder } from './holder';

const TOUCH_MS = 10_000;
const STALE_MS = 60_000;
const ATTEMPTS = 3;

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function read(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStale(path: string): boolean {
  const holder = read(path);
  return (holder !== undefined && isKnownDead(holder)) || isUntouched(path);
}

function isUntouched(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || Date.now() - found.mtimeMs > STALE_MS;
}

/** Who writes a file, in words; undefined: nobody has its lock, or somebody who is gone. */
export function writerOf(file: string): string | undefined {
  const path = `${file}.lock`;
  if (!existsSync(path) || isStale(path)) return undefined;
  const by = read(path);
  return by === undefined ? 'another process' : `process ${by.pid} of ${by.host}`;
}

/** A lock that is held. */
export class Lock {
  private readonly timer: NodeJS.Timeout;
  private touchedAt = performance.now();
  private isLost = false;

  private constructor(
    private readonly path: string,
    private readonly token: string,
  ) {
    this.timer = setInterval(() => this.touch(), TOUCH_MS);
    this.timer.unref();
  }

  /**
   * Takes the lock of a file.
   *
   * @throws AuditError `locked` where another writer holds it.
   */
  static take(file: string): Lock {
    const path = `${file}.lock`;
    const token = randomUUID();
    const own = `${path}.${token}`;
    // Linked, so that a lock is never seen half written.
    writeFileSync(own, JSON.stringify(ownHolder(token)), { mode: 0o600 });
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (link(own, path)) return new Lock(path, token);
        takeAway(own, path);
      }
    } finally {
      rmSync(own, { force: true });
    }
    const by = read(path);
    const who = by === undefined ? 'another process' : `process ${by.pid} of ${by.host}`;
    throw new AuditError(
      'locked',
      `${file} is written by ${who}. Settle and decide through that process, give each a file of its own, or keep the trail in Postgres; if it is gone, remove ${path}.`,
    );
  }

  /** Whether it is held still; one that was not touched in time may have been taken over. */
  get isHeld(): boolean {
    if (performance.now() - this.touchedAt > STALE_MS / 2) this.touch();
    return !this.isLost;
  }

  private touch(): void {
    this.isLost ||= read(this.path)?.token !== this.token;
    if (this.isLost) return;
    const now = new Date();
    try {
      utimesSync(this.path, now, now);
      this.touchedAt = performance.now();
    } catch {
      // The next touch tells whether it is held.
    }
  }

  /** Gives the lock back. */
  release(): void {
    clearInterval(this.timer);
    if (read(this.path)?.token === this.token) rmSync(this.path, { force: true });
  }
}

function link(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a lock whose holder is gone; of several who find it so, one at a time. */
function takeAway(own: string, path: string): void {
  const taking = `${path}.taking`;
  if (!link(own, taking)) {
    if (isUntouched(taking)) rmSync(taking, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(taking, { force: true });
  }
}
