/**
 * Says of an unexpected failure what is known of the action of its call.
 * Invariant: where an action may have happened neither the caller nor the log is left to think that it did not.
 */
import type { CallState } from './call-state';
import type { JudgedThrow } from './failure';

/** What operators read of an action that may have happened. */
export type LoggedOutcome = 'unknown' | 'executed';

const SAID: { readonly [Outcome in LoggedOutcome]: string } = {
  unknown: 'Whether its action took effect is not known.',
  executed: 'Its action was carried out; do not repeat it.',
};

/** Adds to an `internal_error` what is known of the action; nothing where there was none. */
export function sayingOutcome(
  { spec, effect }: CallState,
  judged: JudgedThrow,
): JudgedThrow & { readonly outcome?: LoggedOutcome } {
  const { error } = judged.failure;
  const isSilent = spec === undefined || spec.sideEffect.kind === 'none' || effect.state === 'none';
  if (isSilent || error.code !== 'internal_error') return judged;
  const outcome = effect.state === 'certain' ? 'executed' : 'unknown';
  const message = `${error.message}. ${SAID[outcome]}`;
  return { ...judged, failure: { success: false, error: { ...error, message } }, outcome };
}
