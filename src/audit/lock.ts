/**
 * The lock of an audit file: a file beside it that names its one writer, and that the writer touches from time to time.
 * Invariant: a lock is taken over only where its holder is known to be dead, or has not touched it for a minute.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { AuditError } from './audit-error';

const TOUCH_MS = 10_000;
const STALE_MS = 60_000;
const ATTEMPTS = 3;

/** The locks of this process. */
const held = new Set<string>();

interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly token: string;
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  if (!('host' in value && 'pid' in value && 'token' in value)) return false;
  const { host, pid, token } = value;
  return typeof host === 'string' && typeof pid === 'number' && typeof token === 'string';
}

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

function isAlive({ pid, token }: Holder): boolean {
  if (pid === process.pid) return held.has(token);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return codeOf(error) === 'EPERM';
  }
}

function isStale(path: string): boolean {
  const holder = read(path);
  if (holder !== undefined && holder.host === hostname()) return !isAlive(holder);
  return isUntouched(path);
}

function isUntouched(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || Date.now() - found.mtimeMs > STALE_MS;
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
    held.add(token);
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
    const holder: Holder = { host: hostname(), pid: process.pid, token };
    // Linked, so that a lock is never seen half written.
    writeFileSync(own, JSON.stringify(holder));
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
    held.delete(this.token);
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
