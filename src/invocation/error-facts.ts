/**
 * What an error says of itself beside its text: codes, the status of a response, and where a database refused.
 * Invariant: only short texts and numbers are taken, of names that hold no values of the application; nothing here
 * throws.
 */
import { read, readObject } from './mapping/read';

/** Node's, those of HTTP clients, and Postgres's; not its `detail`, which quotes what was to be stored. */
const FACTS = [
  'code',
  'errno',
  'syscall',
  'status',
  'statusCode',
  'severity',
  'table',
  'column',
  'constraint',
  'routine',
] as const;
/** What says more of a response than its status. */
const OF_RESPONSE = ['statusText', 'url'] as const;

/** A longer text is none of these. */
const MAX_FACT = 200;
/** A URL is cut where it is logged. */
const MAX_URL = 2_000;

/** Facts by their names. */
export type ErrorFacts = Partial<
  Record<(typeof FACTS)[number] | (typeof OF_RESPONSE)[number], string | number>
>;

function factOf(thrown: object, name: string): string | number | undefined {
  const found = read(thrown, name);
  if (typeof found === 'number') return Number.isFinite(found) ? found : undefined;
  const most = name === 'url' ? MAX_URL : MAX_FACT;
  return typeof found === 'string' && found !== '' && found.length <= most ? found : undefined;
}

function pick(thrown: object, names: readonly string[]): ErrorFacts {
  return Object.fromEntries(
    names.flatMap((name) => {
      const fact = factOf(thrown, name);
      return fact === undefined ? [] : [[name, fact]];
    }),
  );
}

function isAnswer({ status, statusCode }: ErrorFacts): boolean {
  return typeof status === 'number' || typeof statusCode === 'number';
}

/** The facts of something thrown, and those of the response that it is, or carries. */
export function factsOf(thrown: object): ErrorFacts {
  const own = pick(thrown, FACTS);
  const response = readObject(thrown, 'response');
  const ofResponse = response === undefined ? {} : pick(response, ['status', 'statusCode', ...OF_RESPONSE]);
  if (isAnswer(ofResponse)) return { ...ofResponse, ...own };
  return isAnswer(own) ? { ...own, ...pick(thrown, OF_RESPONSE) } : own;
}
