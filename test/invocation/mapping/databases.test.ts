/**
 * What the errors of Postgres and SQLite mean.
 * Invariant: SQLite's are real ones of libsql, on files and in memory; Postgres's have the shape of pg's.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { DatabaseError } from 'pg';
import { failureOf, failureOfThrown } from '../../fixtures/thrown-outcomes';

const write = { kind: 'write' } as const;

/** As the driver makes it of what the server sends. */
function postgresError(code: string): DatabaseError {
  const error = new DatabaseError('duplicate key (email)=(ann@example.org)', 100, 'error');
  return Object.assign(error, { code, severity: 'ERROR', detail: 'Key (email)=(ann@example.org) exists.' });
}

describe('Postgres', () => {
  it.each([
    ['08001', 'unavailable', 'unavailable'],
    ['08006', 'unavailable', 'outcome_unknown'],
    ['08P01', 'unavailable', 'outcome_unknown'],
    ['22001', 'invalid_input', 'invalid_input'],
    ['22P02', 'invalid_input', 'invalid_input'],
    ['23502', 'invalid_input', 'invalid_input'],
    ['23503', 'invalid_input', 'invalid_input'],
    ['23505', 'invalid_input', 'invalid_input'],
    ['23514', 'invalid_input', 'invalid_input'],
    ['23P01', 'invalid_input', 'invalid_input'],
    ['25006', 'unavailable', 'unavailable'],
    ['28P01', 'internal_error', 'internal_error'],
    ['3D000', 'internal_error', 'internal_error'],
    ['40001', 'unavailable', 'unavailable'],
    ['40003', 'unavailable', 'outcome_unknown'],
    ['40P01', 'unavailable', 'unavailable'],
    ['42501', 'internal_error', 'internal_error'],
    ['53100', 'unavailable', 'unavailable'],
    ['53300', 'unavailable', 'unavailable'],
    ['55P03', 'unavailable', 'unavailable'],
    ['57014', 'timeout', 'timeout'],
    ['57P01', 'unavailable', 'outcome_unknown'],
    ['57P03', 'unavailable', 'unavailable'],
  ])('%s is %s, and on a write tool %s', async (state, code, onWrite) => {
    const error = await failureOfThrown(postgresError(state));
    expect(error).toMatchObject({ code, retryable: code === 'unavailable' || code === 'timeout' });
    expect(error.message).not.toMatch(/example\.org|duplicate key/);
    const written = await failureOfThrown(postgresError(state), write);
    expect(written.code).toBe(onWrite);
    expect(written.retryable).toBe(onWrite === 'unavailable' || onWrite === 'timeout');
  });

  it.each(['42601', '42P01', '57P04', 'XX000', 'E2BIG', 'ABCDE', '2350', '235055', '23505\n'])(
    '%j means nothing',
    async (code) => {
      expect(await failureOfThrown(postgresError(code))).toMatchObject({ code: 'internal_error' });
    },
  );

  it.each([
    // Others say the same of requests that were sent.
    ['timeout expired', 'outcome_unknown'],
    ['timeout exceeded when trying to connect', 'unavailable'],
    ['Connection terminated due to connection timeout', 'unavailable'],
    ['Connection terminated unexpectedly', 'outcome_unknown'],
    ['Query read timeout', 'outcome_unknown'],
  ])('"%s" of its driver is %s on a write tool', async (text, code) => {
    expect(await failureOfThrown(new Error(text), write)).toMatchObject({ code });
  });
});

describe('SQLite', () => {
  function throwOf(statement: string): () => void {
    return () => {
      const database = new Database(':memory:');
      database.exec(`
        pragma foreign_keys = on;
        create table customer (id integer primary key, email text not null unique, age integer check (age > 0));
        create table parcel (customer_id integer references customer (id));
        insert into customer values (1, 'ann@example.org', 30);
      `);
      try {
        database.prepare(statement).run();
      } finally {
        database.close();
      }
    };
  }

  it.each([
    ['a second entry with the same key', "insert into customer values (1, 'bob@example.org', 1)"],
    ['a second entry with the same text', "insert into customer values (2, 'ann@example.org', 1)"],
    ['a missing value', 'insert into customer values (2, null, 1)'],
    ['a value that a rule refuses', "insert into customer values (2, 'bob@example.org', -1)"],
    ['an entry that is not there', 'insert into parcel values (7)'],
  ])('refuses %s as arguments to correct', async (_case, statement) => {
    for (const kind of ['none', 'write'] as const) {
      const error = await failureOf(throwOf(statement), { kind });
      expect(error).toEqual({ code: 'invalid_input', retryable: false, message: expect.any(String) });
      expect(error.message).not.toMatch(/customer|email|example\.org/);
    }
  });

  it('tells conflicts from illegal values', async () => {
    const words = async (statement: string) => (await failureOf(throwOf(statement))).message;
    const [twice, missing, illegal] = [
      await words("insert into customer values (1, 'bob@example.org', 1)"),
      await words('insert into parcel values (7)'),
      await words("insert into customer values (2, 'bob@example.org', -1)"),
    ];
    expect(new Set([twice, missing, illegal]).size).toBe(3);
  });

  it('makes a wrong statement an internal error', async () => {
    expect(await failureOf(throwOf('select * from nowhere'))).toMatchObject({ code: 'internal_error' });
  });

  it('that is busy may be asked again, also for a write', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'busy-'));
    const [first, second] = [0, 1].map(() => new Database(join(folder, 'busy.db'), { timeout: 1 }));
    try {
      first?.exec('begin immediate');
      const error = await failureOf(() => second?.exec('begin immediate'), write);
      expect(error).toMatchObject({ code: 'unavailable', retryable: true });
    } finally {
      first?.close();
      second?.close();
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['SQLITE_BUSY_SNAPSHOT', 517, 'unavailable', 'unavailable'],
    ['SQLITE_LOCKED_SHAREDCACHE', 262, 'unavailable', 'unavailable'],
    ['SQLITE_FULL', 13, 'unavailable', 'unavailable'],
    ['SQLITE_IOERR_FSYNC', 1034, 'unavailable', 'outcome_unknown'],
    ['SQLITE_INTERRUPT', 9, 'timeout', 'timeout'],
    ['SQLITE_CONSTRAINT_UNIQUE', 2067, 'invalid_input', 'invalid_input'],
    ['SQLITE_CONSTRAINT_TRIGGER', 1811, 'invalid_input', 'invalid_input'],
    ['SQLITE_TOOBIG', 18, 'invalid_input', 'invalid_input'],
    ['SQLITE_AUTH', 23, 'internal_error', 'internal_error'],
    ['SQLITE_CORRUPT', 11, 'internal_error', 'internal_error'],
  ])(
    '%s, or its number in node:sqlite, is %s, and on a write tool %s',
    async (code, errcode, read, onWrite) => {
      for (const members of [{ code }, { code: 'ERR_SQLITE_ERROR', errcode }]) {
        const thrown = Object.assign(new Error('secret-EXAMPLE'), members);
        expect(await failureOfThrown(thrown)).toMatchObject({ code: read });
        expect(await failureOfThrown(thrown, write)).toMatchObject({ code: onWrite });
      }
    },
  );

  it('without a number means nothing', async () => {
    const thrown = Object.assign(new Error('no'), { code: 'ERR_SQLITE_ERROR', errcode: '5' });
    expect(await failureOfThrown(thrown)).toMatchObject({ code: 'internal_error' });
  });
});
