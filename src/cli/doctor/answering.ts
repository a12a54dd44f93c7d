/**
 * Waits for what may never answer, and says what came of it.
 * Invariant: whatever does not answer in time has failed, and credentials are in no words.
 */
import { within } from '../../contract/within';
import { reasonOf } from '../../errors/reason';
import { scrubText } from '../../invocation/scrub';
import { oneLine } from '../text';
import { fail, type Symptom } from './symptom';

const ANSWERING_MS = 10_000;

/** Waits for a store for ten seconds at most. */
export function answering<T>(work: () => Promise<T>): Promise<T> {
  // A store may throw before there is anything to wait for.
  const begun = Promise.resolve().then(work);
  return within(ANSWERING_MS, begun, () => new Error(`no answer within ${ANSWERING_MS / 1000} seconds`));
}

/** What an operator is told of something thrown. */
export function inWords(error: unknown): string {
  return oneLine(scrubText(reasonOf(error)));
}

/** Looks at something; where looking itself throws, that is what is told of it. */
export async function contained(
  check: string,
  look: () => Symptom | readonly Symptom[] | Promise<Symptom | readonly Symptom[]>,
): Promise<readonly Symptom[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [fail(check, inWords(error), 'Mend what is said, and run it again: it could not be looked at.')];
  }
}
