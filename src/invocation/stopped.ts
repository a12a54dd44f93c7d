/**
 * What is answered when a call was stopped by its deadline or by its caller.
 * Invariant: a tool with side effects that may have acted is never said to be safe to repeat.
 */
import type { ToolCall } from '../contract/call';
import type { Stopped } from './deadline';
import { type Failure, failure } from './failure';

/** The failure of a stopped call. */
export function stoppedFailure({ spec, reference }: ToolCall, { why, begun }: Stopped): Failure {
  const name = spec?.name ?? reference;
  const mayHaveHappened = begun && spec !== undefined && spec.sideEffect.kind !== 'none';
  if (why === 'cancelled') {
    const effect = mayHaveHappened ? ' Whether its action took effect is not known.' : '';
    return failure('cancelled', `The call of ${name} was cancelled.${effect}`);
  }
  return mayHaveHappened
    ? failure(
        'outcome_unknown',
        `${name} did not answer in time, and whether its action took effect is not known. Find out before repeating it.`,
      )
    : failure('timeout', `${name} did not answer in time.`, { retryable: true });
}
