/**
 * Hands the progress of a handler to whoever listens to its call.
 * Invariant: nothing here throws into the handler; what a listener hears is clean, strictly increases, comes at
 * a bounded rate, and ends with the call.
 */
import type { Logger, ProgressUpdate } from '../contract/context';
import { hush } from '../contract/hush';
import { read } from './mapping/read';
import type { Scrubber } from './scrub';

/** In characters. */
const MAX_MESSAGE = 500;
/** So many updates may come at once; after them one more for each interval. */
const BURST = 32;
const INTERVAL_MS = 100;

/** How a handler tells progress. */
export type Progress = (update: ProgressUpdate) => void;

/** Reads an update as whatever it may be; undefined when it is none. */
function toUpdate(given: unknown): ProgressUpdate | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const [progress, total, message] = [read(given, 'progress'), read(given, 'total'), read(given, 'message')];
  if (typeof progress !== 'number' || !Number.isFinite(progress)) return undefined;
  if (total !== undefined && !(typeof total === 'number' && Number.isFinite(total))) return undefined;
  if (message !== undefined && typeof message !== 'string') return undefined;
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}

/** Counts the updates that may still be heard. */
class Allowance {
  private left = BURST;
  private since = Date.now();

  take(): boolean {
    const now = Date.now();
    // A clock that was set back must not make the wait longer.
    this.since = Math.min(this.since, now);
    const more = Math.floor((now - this.since) / INTERVAL_MS);
    this.left = Math.min(BURST, this.left + more);
    this.since += more * INTERVAL_MS;
    if (this.left === 0) return false;
    this.left -= 1;
    return true;
  }
}

/** Makes what a handler tells its progress to. */
export function progressTo(
  listener: Progress | undefined,
  isOver: () => boolean,
  logger: Logger,
  scrubber: Scrubber,
): Progress {
  if (listener === undefined) return () => {};
  const allowance = new Allowance();
  let last = Number.NEGATIVE_INFINITY;
  let isTold = false;

  /** Tells developers once for each call, since a handler may be wrong a million times. */
  const refuse = (): void => {
    if (isTold) return;
    isTold = true;
    logger.debug({ after: Number.isFinite(last) ? last : null }, 'an update of progress was left out');
  };

  const clean = ({ message, ...numbers }: ProgressUpdate): ProgressUpdate => {
    if (message === undefined) return Object.freeze(numbers);
    // Scrubbed first: cut before, a secret might be halved and missed.
    const text = scrubber.text(message);
    return Object.freeze({
      ...numbers,
      // Scrubbed again, since the cut may halve a character.
      message: text.length > MAX_MESSAGE ? `${scrubber.text(text.slice(0, MAX_MESSAGE))}…` : text,
    });
  };

  return (given) => {
    if (isOver()) return;
    try {
      const update = toUpdate(given);
      if (update === undefined || update.progress <= last) refuse();
      else if (allowance.take()) {
        last = update.progress;
        hush(listener(clean(update)));
      }
    } catch {
      // A listener or a logger that throws is no matter of the handler's.
    }
  };
}
