/**
 * Where a process is killed, between the claim of a call and its answer.
 * Invariant: each point is reached by every call that is not killed before.
 */

/** What must hold of a key whose holder was killed at a point. */
export type Expectation =
  /** Nothing was claimed: the next call carries it out. */
  | 'free'
  /** The statement was on its way; either may hold. */
  | 'free or unknown'
  /** Claimed, and not recorded. */
  | 'unknown'
  | 'unknown or recorded'
  | 'recorded';

/** The points, in the order in which a call reaches them. */
export const POINTS = {
  'before the claim': 'free',
  'the claim is sent': 'free or unknown',
  'a turn after the claim was sent': 'free or unknown',
  'the claim is granted': 'unknown',
  'the handler has begun': 'unknown',
  'the execution is sent': 'unknown',
  'the execution is done': 'unknown',
  'after progress of long work': 'unknown',
  'before the end': 'unknown',
  'the end is sent': 'unknown or recorded',
  'a turn after the end was sent': 'unknown or recorded',
  'the end is recorded': 'recorded',
  'the answer is there': 'recorded',
  'the answer is acknowledged': 'recorded',
} as const satisfies { readonly [point: string]: Expectation };

/** The name of a point. */
export type Point = keyof typeof POINTS;

/** Tells whether a text names a point. */
export function isPoint(text: string): text is Point {
  return text in POINTS;
}
