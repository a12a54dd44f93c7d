/**
 * Who holds a lock: a process, by what tells it from every other one, be it of another container or boot.
 * Invariant: a process counts as dead only where it is looked for among the very processes that it was one of.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that holds a lock, as the lock file has it. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Which processes its number is one of: the boot of the kernel and the namespaces; null: the system tells none. */
  readonly among: string | null;
  /** When it started, in ticks after the boot; null: the system does not tell. */
  readonly startedAt: string | null;
  /** Tells the locks of one process apart. */
  readonly token: string;
}

function attempt(act: () => string): string | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Linux numbers processes by namespace, and two containers may have one host name. */
function processesHere(): string | null {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const pids = attempt(() => readlinkSync('/proc/self/ns/pid'));
  if (boot === undefined || pids === undefined) return null;
  // The time at which a process has started is counted in the time namespace of who asks.
  return [boot, pids, attempt(() => readlinkSync('/proc/self/ns/time')) ?? ''].join(' ');
}

/** Field 22 of proc_pid_stat(5). */
function startOf(pid: number | 'self'): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the name of the program, which may hold spaces and brackets.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** This process as the holder of a lock. */
export function ownHolder(token: string): Holder {
  const { pid } = process;
  return { host: hostname(), pid, among: processesHere(), startedAt: startOf('self'), token };
}

function isTextOrNull(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}

/** Whether something that was read is a holder. */
export function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  if (!('host' in value && 'pid' in value && 'token' in value)) return false;
  if (!('among' in value && 'startedAt' in value)) return false;
  const { host, pid, among, startedAt, token } = value;
  const isNamed = typeof host === 'string' && typeof token === 'string';
  return isNamed && Number.isSafeInteger(pid) && isTextOrNull(among) && isTextOrNull(startedAt);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other failure says that it is there, and another user's.
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}

/** Whether a process is known to have ended; false where that cannot be told. */
export function isKnownDead({ host, pid, among, startedAt }: Holder): boolean {
  const isComparable = among === null ? process.platform !== 'linux' : true;
  if (!isComparable || host !== hostname() || among !== processesHere()) return false;
  if (!isThere(pid)) return true;
  const start = startOf(pid);
  // Its number has been given to another one since.
  return startedAt !== null && start !== null && start !== startedAt;
}
