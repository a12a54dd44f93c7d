/**
 * What the stores in SQLite and Postgres do beside their contracts: migrations, retention, closing.
 * Invariant: each test has a new, empty database, and waits by asking the store, never by the clock.
 */
import type { ApprovalRequest, ApprovalStore, Ledger, LedgerClaim } from 'toolcrib';
import type { EmptyDatabase } from './databases';

/** A store that can be migrated and closed. */
interface Managed {
  migrate(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How the stores of a database are opened. */
export interface Openers {
  readonly empty: () => Promise<EmptyDatabase>;
  readonly ledger: (
    at: string,
    options?: { readonly migrate?: boolean; readonly retentionMs?: number },
  ) => Promise<Ledger & Managed>;
  readonly approvals: (
    at: string,
    options?: { readonly migrate?: boolean },
  ) => Promise<ApprovalStore & Managed>;
  /** Runs a statement on the database. */
  readonly run: (at: string, sql: string) => Promise<void>;
}

/** A request with some id, of the same call as all with its binding. */
function requestOf(id: string, binding = `binding of ${id}`): ApprovalRequest {
  return {
    id,
    binding,
    callId: 'call-1',
    tool: 'orders.refund@1.0.0',
    modelName: 'orders_refund',
    description: 'Refunds an order.',
    arguments: { order: 'é\u0000', cents: 500 },
    argumentHash: 'a'.repeat(64),
    sideEffect: { kind: 'destructive', idempotent: false, openWorld: false, declared: true },
    principalId: 'ada',
  };
}

/** A claim of some key, whose other members a test may say. */
export function claimOf(key: string, over: Partial<LedgerClaim> = {}): LedgerClaim {
  return {
    key,
    argumentHash: 'a'.repeat(64),
    tool: 'orders.refund@1.0.0',
    principalId: 'ada',
    callId: 'call-1',
    leaseMs: 600_000,
    ...over,
  };
}

/** Asks until the answer is yes. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) await new Promise(setImmediate);
}

const HOUR_MS = 3_600_000;

/** Holds the stores of a database to what they promise. */
export function storeSuite(name: string, { empty, ledger, approvals, run }: Openers): void {
  describe(`the stores in ${name}`, () => {
    let database: EmptyDatabase;
    const toClose: Managed[] = [];
    const opened = async <S extends Managed>(opening: Promise<S>): Promise<S> => {
      const store = await opening;
      toClose.push(store);
      return store;
    };
    beforeEach(async () => {
      database = await empty();
    });
    afterEach(async () => {
      for (const store of toClose.splice(0)) await store.close();
      await database.remove();
    });

    it('say that their tables are missing, and go on once they are there', async () => {
      const one = await opened(ledger(database.at));
      const two = await opened(approvals(database.at));
      await expect(one.claim(claimOf('k'))).rejects.toMatchObject({ code: 'missing_tables' });
      await expect(two.list()).rejects.toMatchObject({ code: 'missing_tables' });
      expect(await two.migrate()).toEqual(['0001_ledger_and_approvals']);
      expect(await one.migrate()).toEqual([]);
      expect((await one.claim(claimOf('k'))).claimed).toBe(true);
      expect(await two.list()).toEqual([]);
    });

    it('say that their tables are of another version', async () => {
      await opened(ledger(database.at, { migrate: true }));
      await run(
        database.at,
        "insert into toolcrib_migrations values ('9999_later', '2099-01-01T00:00:00.000Z')",
      );
      const older = await opened(ledger(database.at));
      await expect(older.get('k')).rejects.toMatchObject({ code: 'newer_tables' });
      await run(database.at, 'delete from toolcrib_migrations');
      await expect(older.get('k')).rejects.toMatchObject({ code: 'outdated_tables' });
    });

    it('migrate once, however many ask at the same time', async () => {
      const several = await Promise.all(Array.from({ length: 6 }, () => opened(ledger(database.at))));
      const ran = await Promise.all(several.map((one) => one.migrate()));
      expect(ran.flat()).toEqual(['0001_ledger_and_approvals']);
      expect(await several[0]?.list()).toEqual([]);
    });

    it('remove what is finished or paused for long enough, and nothing else', async () => {
      const one = await opened(ledger(database.at, { migrate: true }));
      const outcomes = [
        ['finished', { state: 'finished', result: { success: true, result: 1 } }],
        ['paused', { state: 'paused' }],
        ['unknown', { state: 'unknown' }],
      ] as const;
      for (const [key, outcome] of outcomes) {
        const answer = await one.claim(claimOf(key));
        if (answer.claimed) await one.end(key, answer.token, outcome);
      }
      await one.claim(claimOf('running'));
      const patient = await opened(ledger(database.at, { retentionMs: HOUR_MS }));
      await patient.claim(claimOf('later'));
      expect(await patient.list()).toHaveLength(5);
      const forgetful = await opened(ledger(database.at, { retentionMs: 0 }));
      await forgetful.claim(claimOf('last'));
      await until(async () => (await one.list()).length === 4);
      const left = (await one.list()).map(({ key }) => key).sort();
      expect(left).toEqual(['last', 'later', 'running', 'unknown']);
    });

    it.each([['\u0000'], ['\ud800'], ['"\\'], ['é𝄞\u2028']])('keep ids of any text: %j', async (id) => {
      const one = await opened(ledger(database.at, { migrate: true }));
      await one.claim(claimOf('k', { principalId: id, callId: id, arguments: { id } }));
      expect(await one.get('k')).toMatchObject({ principalId: id, callId: id, arguments: { id } });
    });

    it.each([0, -1, 1.5, Number.NaN, '1'])('list no such number of requests: %p', async (limit) => {
      const one = await opened(approvals(database.at, { migrate: true }));
      await expect(Reflect.apply(one.list, one, [{ limit }])).rejects.toThrow(TypeError);
      expect(await one.list({ limit: Number.MAX_SAFE_INTEGER })).toEqual([]);
    });

    it('are closed once, and those who wait hear of it', async () => {
      const one = await opened(ledger(database.at, { migrate: true }));
      await one.claim(claimOf('k'));
      const waiting = one.settled('k', new AbortController().signal);
      const heard = expect(waiting).rejects.toMatchObject({ code: 'closed' });
      await one.close();
      await heard;
      await expect(one.claim(claimOf('k'))).rejects.toMatchObject({ code: 'closed' });
      await one.close();
    });

    it('refuse a retention that is none', async () => {
      await expect(ledger(database.at, { retentionMs: Number.NaN })).rejects.toThrow(TypeError);
    });

    describe('of approvals', () => {
      let first: ApprovalStore & Managed;
      let second: ApprovalStore & Managed;
      beforeEach(async () => {
        first = await opened(approvals(database.at, { migrate: true }));
        second = await opened(approvals(database.at));
      });

      it('keep a request as it was asked first', async () => {
        const record = await first.open(requestOf('r'), HOUR_MS);
        expect(record).toMatchObject({ request: requestOf('r'), state: 'pending' });
        expect(record.expiresAt - record.createdAt).toBe(HOUR_MS);
        const again = await second.open({ ...requestOf('s', 'binding of r'), description: 'Another.' }, 1);
        expect(again).toEqual(record);
        expect(await first.get('s')).toBeUndefined();
        expect(await second.get('r')).toEqual(record);
        expect(await second.get('other')).toBeUndefined();
      });

      it('take one decision, and give it out once', async () => {
        await first.open(requestOf('r'), HOUR_MS);
        expect(await first.take('binding of r')).toBeUndefined();
        const reject = { type: 'reject', reason: 'Too\u0000much' } as const;
        const decided = await Promise.all([
          first.decide('r', reject, 'bob'),
          second.decide('r', reject, 'bob'),
        ]);
        expect([...decided].sort()).toEqual([false, true]);
        expect(await second.get('r')).toMatchObject({
          state: 'rejected',
          decision: reject,
          decidedBy: 'bob',
        });
        const taken = await Promise.all([
          first.take('binding of r'),
          second.take('binding of r'),
          second.take('binding of r'),
        ]);
        expect(taken.filter((record) => record !== undefined)).toMatchObject([
          { request: { id: 'r' }, state: 'used', decision: reject, decidedBy: 'bob' },
        ]);
        expect(await first.get('r')).toMatchObject({ state: 'used' });
      });

      it('open another request where the decision was used, which nobody who decided the first decides', async () => {
        const edit = { type: 'edit', arguments: { cents: 1 } } as const;
        await first.open(requestOf('one', 'b'), HOUR_MS);
        await first.decide('one', edit, 'bob');
        expect(await first.take('b')).toMatchObject({ state: 'used', decision: edit });
        const other = await second.open(requestOf('two', 'b'), HOUR_MS);
        expect(other).toMatchObject({ state: 'pending', request: { id: 'two' } });
        expect(other.decision).toBeUndefined();
        expect(other.decidedBy).toBeUndefined();
        const late = [first.decide('one', { type: 'approve' }, 'eve'), second.decide('one', edit, 'eve')];
        expect(await Promise.all(late)).toEqual([false, false]);
        expect(await second.take('b')).toBeUndefined();
        expect(await first.get('one')).toMatchObject({ state: 'used', decision: edit, decidedBy: 'bob' });
        expect(await first.get('two')).toEqual(other);
      });

      it('have one open request of a binding, however many open it at the same time', async () => {
        const ids = Array.from({ length: 8 }, (_, at) => `r${at}`);
        const opened = await Promise.all(
          ids.map((id, at) => (at % 2 === 0 ? first : second).open(requestOf(id, 'b'), HOUR_MS)),
        );
        expect(new Set(opened.map(({ request }) => request.id)).size).toBe(1);
        expect(await first.list()).toHaveLength(1);
      });

      it('forget what has expired', async () => {
        await first.open(requestOf('old', 'b'), 1);
        await until(async () => (await second.get('old')) === undefined);
        expect(await first.decide('old', { type: 'approve' }, 'bob')).toBe(false);
        expect(await first.list()).toEqual([]);
        expect(await second.open(requestOf('new', 'b'), HOUR_MS)).toMatchObject({
          state: 'pending',
          request: { id: 'new' },
        });
        expect(await first.decide('old', { type: 'approve' }, 'bob')).toBe(false);
        expect(await first.take('b')).toBeUndefined();
      });

      it('list by state, the oldest first, and so many', async () => {
        for (const id of ['r1', 'r2', 'r3']) await first.open(requestOf(id), HOUR_MS);
        await first.decide('r2', { type: 'approve' }, 'bob');
        const idsOf = async (...query: Parameters<ApprovalStore['list']>) =>
          (await second.list(...query)).map(({ request }) => request.id);
        expect(await idsOf()).toEqual(['r1', 'r3']);
        expect(await idsOf({ limit: 1 })).toEqual(['r1']);
        expect(await idsOf({ state: 'approved' })).toEqual(['r2']);
      });
    });
  });
}
