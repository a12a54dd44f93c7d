/**
 * The audit trail in Postgres.
 * Invariant: its chain is one over all processes that write it, and nothing in it is changed afterwards.
 */
import { Pool } from 'pg';
import { verifyAudit } from 'toolcrib/audit';
import { PostgresAudit, PostgresLedger } from 'toolcrib/stores/postgres';
import { eventOf, recordsOf } from '../../audit/trails';
import { makeWorkspace } from '../../cli/workspace';
import { describePostgres, type EmptyDatabase, emptySchema } from '../databases';

async function ask(connectionString: string, sql: string): Promise<readonly object[]> {
  const pool = new Pool({ connectionString, max: 1 });
  try {
    return (await pool.query(sql)).rows;
  } finally {
    await pool.end();
  }
}

/** Kysely looks at all schemas of the database when it migrates, and other suites drop theirs meanwhile. */
async function migrated(url: string): Promise<PostgresAudit> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await PostgresAudit.open({ url, migrate: true });
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

it('refuses an option that there is not', async () => {
  const options = { url: 'postgres://localhost/none', fsync: true };
  await expect(Reflect.apply(PostgresAudit.open, PostgresAudit, [options])).rejects.toThrow(/fsync/);
});

describePostgres('the audit trail in Postgres', () => {
  let empty: EmptyDatabase;
  let audit: PostgresAudit;
  beforeEach(async () => {
    empty = await emptySchema();
    audit = await migrated(empty.at);
  });
  afterEach(async () => {
    await audit.close();
    await empty.remove();
  });

  it('keeps one chain for several that write at the same time', async () => {
    const others = await Promise.all([1, 2].map(() => PostgresAudit.open({ url: empty.at })));
    const writers = [audit, ...others];
    await Promise.all(
      Array.from({ length: 120 }, (_, at) => writers[at % writers.length]?.append(eventOf(at))),
    );
    const head = await audit.head();
    expect(head.sequence).toBe(120);
    const found = await verifyAudit(audit.lines(), { head });
    expect(found).toEqual({ ok: true, lines: 120, head, recordedHead: head, problems: [] });
    const records = await recordsOf(audit.lines());
    // Each keeps the order in which it was given its own.
    for (const writer of [0, 1, 2]) {
      const own = records.map(({ callId }) => Number(callId?.slice(5))).filter((at) => at % 3 === writer);
      expect(own).toEqual(own.toSorted((one, other) => one - other));
      expect(own).toHaveLength(40);
    }
    await Promise.all(others.map((other) => other.close()));
  });

  it('is append-only, and finds what was changed in spite of that', async () => {
    for (let at = 1; at <= 5; at += 1) await audit.append(eventOf(at));
    const head = await audit.head();
    const changes = [
      "update toolcrib_audit set line = 'x'",
      'delete from toolcrib_audit where sequence = 2',
      'truncate toolcrib_audit',
    ];
    for (const change of changes) await expect(ask(empty.at, change)).rejects.toThrow(/append-only/);
    await ask(empty.at, 'alter table toolcrib_audit disable trigger all');
    await ask(empty.at, "update toolcrib_audit set hash = repeat('0', 64) where sequence = 2");
    await ask(empty.at, 'update toolcrib_audit set sequence = 7 where sequence = 5');
    await expect(verifyAudit(audit.lines(), { head })).resolves.toMatchObject({
      problems: [
        { code: 'other_columns', line: 2, sequence: 2 },
        { code: 'other_columns', line: 5, sequence: 5 },
      ],
    });
    await ask(empty.at, 'update toolcrib_audit set sequence = 5 where sequence = 7');
    await ask(empty.at, "update toolcrib_audit set hash = substring(line from '.{66}$') where sequence = 2");
    await ask(empty.at, 'update toolcrib_audit set hash = left(hash, 64) where sequence = 2');
    await expect(verifyAudit(audit.lines(), { head })).resolves.toMatchObject({ ok: true });
    await ask(empty.at, "update toolcrib_audit set line = replace(line, 'call-3', 'call-4')");
    await expect(verifyAudit(audit.lines(), { head })).resolves.toMatchObject({
      problems: [{ code: 'changed_record', line: 3 }],
    });
    await ask(empty.at, 'delete from toolcrib_audit where sequence in (3, 5)');
    await expect(verifyAudit(audit.lines(), { head })).resolves.toMatchObject({
      problems: [
        { code: 'broken_chain', line: 3, sequence: 3 },
        { code: 'truncated', line: 3, sequence: 5 },
      ],
    });
  });

  it('reads a trail of several pages', async () => {
    await Promise.all(Array.from({ length: 2_100 }, (_, at) => audit.append(eventOf(at))));
    await expect(verifyAudit(audit.lines())).resolves.toMatchObject({ ok: true, lines: 2_100 });
  }, 30_000);

  it('keeps texts that Postgres does not take as they are', async () => {
    await audit.append({ ...eventOf(1), principalId: 'nul \u0000, half \ud800' });
    await expect(verifyAudit(audit.lines())).resolves.toMatchObject({ ok: true });
    expect(await recordsOf(audit.lines())).toMatchObject([{ principalId: 'nul \u0000, half \ud800' }]);
  });

  it('writes nothing twice where a connection breaks', async () => {
    const named = new URL(empty.at);
    named.searchParams.set('application_name', 'toolcrib audit test');
    const breaking = await PostgresAudit.open({ url: named.href });
    let isDone = false;
    const end = async () => {
      const sql =
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'toolcrib audit test'";
      while (!isDone) await ask(empty.at, sql);
    };
    const ending = end();
    const outcomes: string[] = [];
    for (let at = 1; at <= 25; at += 1) {
      await breaking.append(eventOf(at)).then(
        () => outcomes.push(`call-${at}`),
        () => {},
      );
    }
    isDone = true;
    await ending;
    const records = await recordsOf(audit.lines());
    expect(records.map(({ callId }) => callId)).toEqual(outcomes);
    await expect(verifyAudit(audit.lines())).resolves.toMatchObject({ ok: true });
    await breaking.close();
  }, 60_000);

  it('takes a pool of the application and leaves it open, and needs its table', async () => {
    const other = await emptySchema();
    const pool = new Pool({ connectionString: other.at });
    const without = await PostgresAudit.open({ pool });
    await expect(without.append(eventOf(1))).rejects.toMatchObject({ code: 'missing_tables' });
    expect(await without.migrate()).toEqual(['0001_audit']);
    await without.append(eventOf(1));
    await without.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    // The tables of the other stores are migrated by themselves.
    const ledger = await PostgresLedger.open({ url: other.at });
    await expect(ledger.list()).rejects.toMatchObject({ code: 'missing_tables' });
    await ledger.close();
    await other.remove();
  });

  it('is verified on the command line', async () => {
    await audit.append(eventOf(1));
    const desk = makeWorkspace();
    const { hash } = await audit.head();
    await expect(desk.run(['audit', 'head', empty.at])).resolves.toMatchObject({ stdout: `1:${hash}\n` });
    const cutOff = await desk.run(['audit', 'verify', empty.at, '--head', `2:${hash}`, '--json']);
    expect(cutOff.exitCode).toBe(1);
    expect(cutOff.json()).toMatchObject({ problems: [{ code: 'truncated', line: 1, sequence: 2 }] });
    desk.remove();
  });
});
