/**
 * Finds what a user names by the beginning of a long id.
 * Invariant: an id that is given whole is always taken as it is, and a beginning only where one id has it.
 */
import { CliError } from './cli-error';

/** A shorter beginning is more likely a slip. */
const SHORTEST = 8;
/** How many entries of a store are looked through. */
export const LOOKED_THROUGH = 100_000;

/** What to do about an id that is not found, where it may have been meant as a beginning. */
export function mendOfShort(given: string): string {
  return given.length < SHORTEST ? ` Give at least ${SHORTEST} characters of its beginning.` : '';
}

/** Where ids are looked up. */
export interface Ids<T> {
  get(id: string): Promise<T | undefined>;
  all(): Promise<readonly T[]>;
  idOf(one: T): string;
}

/**
 * Finds the one with an id, or with an id that begins so; undefined where there is none.
 *
 * @throws CliError `ambiguous_id` where several begin so.
 */
export async function findByPrefix<T>({ get, all, idOf }: Ids<T>, given: string): Promise<T | undefined> {
  const whole = await get(given);
  if (whole !== undefined || given.length < SHORTEST) return whole;
  const found = (await all()).filter((one) => idOf(one).startsWith(given));
  if (found.length <= 1) return found[0];
  throw new CliError('ambiguous_id', `${found.length} ids begin with ${given}. Give more of it.`);
}
