/**
 * What the errors of Postgres mean, by SQLSTATE, and those of its driver, which have no code, by their text.
 * Invariant: a statement that Postgres answered with an error changed nothing; only a lost connection leaves
 * that open.
 */
import { readText } from './read';
import { conflict, hopeless, refusedArguments, timedOut, unavailable, type Verdict } from './verdict';

const NO_CONNECTION = unavailable(
  'The database takes no connections at the moment; nothing was sent to it.',
  false,
);
const LOST = unavailable('The connection to the database broke before it had answered.', true);
const BUSY = unavailable('The database undid the change, since another one was under way at once.', false);
const FULL = unavailable('The database has no room or connections left; nothing was changed.', false);
const SLOW = timedOut('The database stopped a statement that took too long; nothing was changed.', false);
const READ_ONLY = unavailable('The database takes no changes at the moment; nothing was changed.', false);
const DENIED = hopeless('The database refused access.');
const EXISTS = conflict('There is already an entry with the same unique value.');
const MISSING = conflict('An entry that the arguments refer to is not there, or others still refer to it.');
const ILLEGAL = refusedArguments('The database refused a value that breaks one of its rules.');

/** PostgreSQL, appendix A: by SQLSTATE, or by its class, which is the first two characters. */
const BY_STATE: ReadonlyMap<string, Verdict> = new Map([
  ['08', LOST],
  ['08001', NO_CONNECTION],
  ['08004', NO_CONNECTION],
  ['22', ILLEGAL],
  ['23', ILLEGAL],
  ['23503', MISSING],
  ['23505', EXISTS],
  ['23P01', EXISTS],
  ['25006', READ_ONLY],
  ['28', DENIED],
  ['3D000', DENIED],
  ['40', BUSY],
  ['40003', LOST],
  ['42501', DENIED],
  ['53', FULL],
  ['53300', NO_CONNECTION],
  ['55006', BUSY],
  ['55P03', BUSY],
  ['57014', SLOW],
  ['57P01', LOST],
  ['57P02', LOST],
  ['57P03', NO_CONNECTION],
  ['57P05', LOST],
]);

/** What pg and pg-pool throw without a code. */
const BY_TEXT: ReadonlyMap<string, Verdict> = new Map([
  // pg's word for a connection that took too long, and everybody's for anything else that did.
  ['timeout expired', unavailable('The database did not answer in time.', true)],
  ['timeout exceeded when trying to connect', NO_CONNECTION],
  ['Connection terminated due to connection timeout', NO_CONNECTION],
  ['Connection terminated', LOST],
  ['Connection terminated unexpectedly', LOST],
  ['Query read timeout', timedOut('The database did not answer in time.', true)],
]);

/** Five characters, of which one is a digit: other codes of that length are words, such as EPIPE. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Judges something thrown as an error of Postgres. */
export function ofPostgres(thrown: object): Verdict | undefined {
  const code = readText(thrown, 'code');
  if (code === undefined) return BY_TEXT.get(readText(thrown, 'message') ?? '');
  return SQLSTATE.test(code) ? (BY_STATE.get(code) ?? BY_STATE.get(code.slice(0, 2))) : undefined;
}
