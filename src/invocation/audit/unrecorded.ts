/**
 * What is thrown where something was not changed, since the audit trail cannot record it.
 * Invariant: nothing was changed.
 */
import { reasonOf } from '../../errors/reason';

/** A settlement or a decision that was not made; the cause is what the audit sink threw. */
export class UnrecordedError extends Error {
  constructor(cause: unknown) {
    super(`nothing was changed, since the audit trail cannot record it: ${reasonOf(cause)}`, { cause });
    this.name = 'UnrecordedError';
  }
}
