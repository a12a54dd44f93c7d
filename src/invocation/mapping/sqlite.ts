/**
 * What the errors of SQLite mean, by their result code: of libsql, better-sqlite3, sqlite3 and node:sqlite.
 * Invariant: a statement that SQLite refused changed nothing; only a failing disk leaves that open.
 */
import { read, readText } from './read';
import { conflict, hopeless, refusedArguments, timedOut, unavailable, type Verdict } from './verdict';

const BUSY = unavailable('The database is busy with another change; nothing was changed.', false);
const FULL = unavailable('The database has no room or memory left; nothing was changed.', false);
const BROKEN = unavailable('The disk of the database failed.', true);
const SLOW = timedOut('A statement of the database was interrupted; nothing was changed.', false);
const DENIED = hopeless('The database refused access.');
const ILLEGAL = refusedArguments('The database refused a value that breaks one of its rules.');
const EXISTS = conflict('There is already an entry with the same unique value.');
const MISSING = conflict('An entry that the arguments refer to is not there, or others still refer to it.');

/** https://sqlite.org/rescode.html: name, number and meaning of primary codes. */
const PRIMARY: readonly (readonly [name: string, number: number, verdict: Verdict])[] = [
  ['PERM', 3, DENIED],
  ['BUSY', 5, BUSY],
  ['LOCKED', 6, BUSY],
  ['NOMEM', 7, FULL],
  ['INTERRUPT', 9, SLOW],
  ['IOERR', 10, BROKEN],
  ['FULL', 13, FULL],
  ['PROTOCOL', 15, BUSY],
  ['TOOBIG', 18, ILLEGAL],
  ['CONSTRAINT', 19, ILLEGAL],
  ['MISMATCH', 20, ILLEGAL],
  ['AUTH', 23, DENIED],
];

/** Extended codes that mean something else than their primary ones. */
const EXTENDED: readonly (readonly [name: string, number: number, verdict: Verdict])[] = [
  ['CONSTRAINT_FOREIGNKEY', 787, MISSING],
  ['CONSTRAINT_PRIMARYKEY', 1555, EXISTS],
  ['CONSTRAINT_UNIQUE', 2067, EXISTS],
  ['CONSTRAINT_ROWID', 2579, EXISTS],
];

const ALL = [...PRIMARY, ...EXTENDED];
const BY_NAME: ReadonlyMap<string, Verdict> = new Map(ALL.map(([name, , verdict]) => [name, verdict]));
const BY_NUMBER: ReadonlyMap<number, Verdict> = new Map(ALL.map(([, number, verdict]) => [number, verdict]));

/** Judges something thrown as an error of SQLite. */
export function ofSqlite(thrown: object): Verdict | undefined {
  const code = readText(thrown, 'code');
  if (code === 'ERR_SQLITE_ERROR') {
    const number = read(thrown, 'errcode');
    if (typeof number !== 'number') return undefined;
    // The low byte of an extended code is its primary one.
    return BY_NUMBER.get(number) ?? BY_NUMBER.get(number & 0xff);
  }
  const [, name, primary] = code?.match(/^SQLITE_(([A-Z]{1,20})[A-Z_]{0,40})$/) ?? [];
  return BY_NAME.get(name ?? '') ?? BY_NAME.get(primary ?? '');
}
