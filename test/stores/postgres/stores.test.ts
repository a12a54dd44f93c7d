/**
 * The stores in Postgres: connection strings, pools of the application, and connections that break.
 * Invariant: what holds for every stored store is in the suite; here is what Postgres has of its own.
 */
import { Client, Pool } from 'pg';
import type { LedgerOutcome } from 'toolcrib';
import { PostgresApprovals, PostgresLedger } from 'toolcrib/stores/postgres';
import { describePostgres, type EmptyDatabase, emptySchema } from '../databases';
import { claimOf, storeSuite, until } from '../store-suite';

async function ask(connectionString: string, sql: string): Promise<readonly object[]> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

function named(url: string, name: string): string {
  const own = new URL(url);
  own.searchParams.set('application_name', name);
  return own.href;
}

const never = new AbortController().signal;

it.each([PostgresLedger, PostgresApprovals])('%p refuses an option that there is not', async (store) => {
  const options = { url: 'postgres://localhost/none', migrated: true };
  await expect(Reflect.apply(store.open, store, [options])).rejects.toThrow(/migrated/);
});

describePostgres('the stores of Postgres', () => {
  storeSuite('Postgres', {
    empty: emptySchema,
    ledger: (url, options) => PostgresLedger.open({ url, ...options }),
    approvals: (url, options) => PostgresApprovals.open({ url, ...options }),
    run: async (url, sql) => void (await ask(url, sql)),
  });

  describe('a ledger', () => {
    let empty: EmptyDatabase;
    beforeEach(async () => {
      empty = await emptySchema();
      const ledger = await PostgresLedger.open({ url: empty.at, migrate: true });
      await ledger.close();
    });
    afterEach(() => empty.remove());

    it.each([1, 2, 10])('takes a pool of %d of the application, and leaves it open', async (max) => {
      const pool = new Pool({ connectionString: empty.at, max });
      const ledger = await PostgresLedger.open({ pool });
      const other = await PostgresLedger.open({ url: empty.at });
      const answer = await ledger.claim(claimOf('k'));
      const waiting = [ledger.settled('k', never), ledger.settled('k', never)];
      if (answer.claimed) await other.end('k', answer.token, { state: 'unknown' });
      expect((await Promise.all(waiting)).map((entry) => entry?.state)).toEqual(['unknown', 'unknown']);
      await ledger.close();
      // Every connection was given back.
      expect(pool.idleCount).toBe(pool.totalCount);
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      await pool.end();
      await other.close();
    });

    it('leaves a connection for queries where ledgers that share a small pool wait', async () => {
      const pool = new Pool({ connectionString: empty.at, max: 2 });
      const ledgers = await Promise.all([PostgresLedger.open({ pool }), PostgresLedger.open({ pool })]);
      const other = await PostgresLedger.open({ url: empty.at });
      const answer = await other.claim(claimOf('k'));
      const waiting = ledgers.map((ledger) => ledger.settled('k', never));
      await until(async () => pool.totalCount === 2 && pool.idleCount > 0 && pool.waitingCount === 0);
      expect(await ledgers[0]?.get('j')).toBeUndefined();
      if (answer.claimed) await other.end('k', answer.token, { state: 'unknown' });
      expect((await Promise.all(waiting)).map((entry) => entry?.state)).toEqual(['unknown', 'unknown']);
      await Promise.all([...ledgers, other].map((ledger) => ledger.close()));
      await pool.end();
    });

    it('survives the loss of its connections, while it waits too', async () => {
      const name = `lost-${empty.at.slice(-12)}`;
      const ledger = await PostgresLedger.open({ url: named(empty.at, name) });
      const other = await PostgresLedger.open({ url: empty.at });
      const answer = await ledger.claim(claimOf('k'));
      const waiting = ledger.settled('k', never);
      const listening = `select 1 from pg_stat_activity where application_name = '${name}' and query like 'listen%'`;
      await until(async () => (await ask(empty.at, listening)).length > 0);
      const kill = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`;
      await ask(empty.at, kill);
      if (answer.claimed) await other.end('k', answer.token, { state: 'unknown' });
      expect((await waiting)?.state).toBe('unknown');
      expect((await ledger.get('k'))?.state).toBe('unknown');
      await ledger.close();
      await other.close();
    });

    it.each<LedgerOutcome>([
      { state: 'finished', result: { success: true, result: 1 } },
      { state: 'paused' },
      { state: 'unknown' },
      { state: 'free' },
    ])('knows an end whose connection broke once it was recorded: $state', async (outcome) => {
      const pool = new Pool({ connectionString: empty.at });
      let isBreaking = false;
      pool.on('connect', (client) => {
        const query = client.query.bind(client);
        const breaking = async (...args: readonly unknown[]) => {
          const answer: unknown = await Reflect.apply(query, client, args);
          if (isBreaking && String(args[0]).startsWith('with changed')) {
            isBreaking = false;
            await query('select pg_terminate_backend(pg_backend_pid())');
          }
          return answer;
        };
        Object.assign(client, { query: breaking });
      });
      pool.on('error', () => {});
      const ledger = await PostgresLedger.open({ pool });
      const answer = await ledger.claim(claimOf('k'));
      isBreaking = true;
      expect(await ledger.end('k', answer.claimed ? answer.token : '', outcome)).toBe(true);
      expect(isBreaking).toBe(false);
      expect((await ledger.get('k'))?.state).toBe(outcome.state === 'free' ? undefined : outcome.state);
      await ledger.close();
      await pool.end();
    });

    it('survives the loss of a connection before it is given out', async () => {
      const pool = new Pool({ connectionString: empty.at });
      const ledger = await PostgresLedger.open({ pool });
      const other = await PostgresLedger.open({ pool });
      let acquired = 0;
      pool.on('acquire', (client) => {
        acquired += 1;
        // The pool has stopped to hear of errors, and nobody has the connection yet.
        client.once('removeListener', () => client.emit('error', new Error('terminating connection')));
      });
      const answers = await Promise.all([ledger.claim(claimOf('k')), other.claim(claimOf('k'))]);
      expect(answers.filter(({ claimed }) => claimed)).toHaveLength(1);
      expect(acquired).toBeGreaterThan(1);
      expect(pool.listenerCount('connect')).toBe(1);
      await ledger.close();
      await other.close();
      await pool.end();
    });

    it('rejects when the server cannot be reached, and ends nothing', async () => {
      const ledger = await PostgresLedger.open({ url: 'postgres://nobody@127.0.0.1:1/none' });
      await expect(ledger.claim(claimOf('k'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await expect(ledger.settled('k', never)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await ledger.close();
    });

    it('says when it cannot be migrated on opening', async () => {
      const opening = PostgresLedger.open({ url: 'postgres://nobody@127.0.0.1:1/none', migrate: true });
      await expect(opening).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
  });
});
