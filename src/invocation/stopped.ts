/**
 * What is answered when a call was stopped by its deadline or by its caller.
 * Invariant: a tool with side effects that may have acted is never said to be safe to repeat, unless it is
 * idempotent.
 */
import type { ToolCall } from '../contract/call';
import type { SideEffectDeclaration } from '../contract/tool';
import type { Stopped } from './deadline';
import { type Failure, failure } from './failure';
import { toOutcome } from './mapping/outcome';
import { timedOut } from './mapping/verdict';

/** Of a call that was stopped before its tool was found. */
const NONE: SideEffectDeclaration = { kind: 'none', idempotent: true, openWorld: false, declared: false };

/** The failure of a stopped call. */
export function stoppedFailure({ spec, reference }: ToolCall, { why, begun }: Stopped): Failure {
  const name = spec?.name ?? reference;
  if (why === 'cancelled') {
    const mayHaveHappened = begun && spec?.sideEffect.kind !== 'none';
    const effect = mayHaveHappened ? ' Whether its action took effect is not known.' : '';
    return failure('cancelled', `The call of ${name} was cancelled.${effect}`);
  }
  const verdict = timedOut(`${name} did not answer in time.`, begun);
  return { success: false, error: toOutcome(verdict, spec?.sideEffect ?? NONE) };
}
