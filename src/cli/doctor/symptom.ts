/**
 * What `toolcrib doctor` says of one thing that it looked at.
 * Invariant: whatever is not ok says what to do.
 */

/** How something stands. `warn`: it works, and may surprise; `fail`: it does not, or not as it should. */
type Health = 'ok' | 'warn' | 'fail';

/** One line of the report. */
export interface Symptom {
  /** What was looked at: a word, or a word and a name behind a colon. */
  readonly check: string;
  readonly status: Health;
  /** What was found. */
  readonly message: string;
  /** What to do; left out where it is ok. */
  readonly mend?: string;
}

/** Says that something is as it should be. */
export function ok(check: string, message: string): Symptom {
  return { check, status: 'ok', message };
}

/** Says that something works, and may surprise. */
export function warn(check: string, message: string, mend: string): Symptom {
  return { check, status: 'warn', message, mend };
}

/** Says that something does not work. */
export function fail(check: string, message: string, mend: string): Symptom {
  return { check, status: 'fail', message, mend };
}
