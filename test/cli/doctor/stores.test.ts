/**
 * What `toolcrib doctor` says of stores and of clocks.
 * Invariant: clocks are those of the test; stores are real, or fail as real ones do.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryLedger } from 'toolcrib';
import { PostgresLedger } from 'toolcrib/stores/postgres';
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import type { OpenToolkit } from '../../../src/cli/configuration';
import { checkAuditFile } from '../../../src/cli/doctor/audit';
import { checkClock, checkStoreClock, PROCESS_CLOCKS } from '../../../src/cli/doctor/clock';
import { checkApprovals, checkLedger } from '../../../src/cli/doctor/stores';
import { Approvals } from '../../../src/invocation/approval/approvals';
import { MemoryApprovalStore } from '../../../src/invocation/approval/memory-store';
import { describePostgres, emptyFile, emptySchema } from '../../stores/databases';
import { makeWorkspace, toolkitOf, type Workspace } from '../workspace';

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

function withLedger(ledger: OpenToolkit['ledger']): OpenToolkit {
  return { ...toolkitOf(), ledger };
}

/** A ledger whose clock is that of the test. */
function ticking(now: () => number): OpenToolkit {
  return withLedger(Object.assign(new MemoryLedger(), { storeTime: async () => now() }));
}

/** Ticks by 10 ms each time that it is looked at. */
function wallFrom(start: number) {
  let at = start;
  return {
    wall: () => {
      at += 10;
      return at;
    },
    steady: () => start,
  };
}

describe('the clock', () => {
  it.each([
    [0, 'ok'],
    [900, 'ok'],
    [3_600_000, 'warn'],
    [-2_000, 'warn'],
  ])('that was set by %d ms: %s', (jump, status) => {
    expect(checkClock({ wall: () => 1_000_000 + jump, steady: () => 1_000_000 }).status).toBe(status);
  });

  it.each([
    [0, 'ok'],
    [1_005, 'ok'],
    [1_030, 'warn'],
    [-1_030, 'warn'],
    [31_000, 'fail'],
    [-31_000, 'fail'],
    [Number.NaN, 'fail'],
  ])('of a ledger that is %d ms ahead: %s', async (ahead, status) => {
    const clocks = wallFrom(1_000_000);
    const [symptom] = await checkStoreClock(
      ticking(() => 1_000_010 + ahead),
      clocks,
    );
    expect(symptom?.status).toBe(status);
  });

  it('of a ledger that has none is not looked at', async () => {
    expect(await checkStoreClock(withLedger(new MemoryLedger()), PROCESS_CLOCKS)).toEqual([]);
    expect(await checkStoreClock(withLedger(undefined), PROCESS_CLOCKS)).toEqual([]);
  });

  it('of a ledger that fails is told', async () => {
    const failing = ticking(() => {
      throw new Error('connect ECONNREFUSED');
    });
    expect(await checkStoreClock(failing, PROCESS_CLOCKS)).toMatchObject([{ status: 'fail' }]);
  });
});

describe('the ledger', () => {
  it.each<[string, OpenToolkit['ledger']]>([
    ['is off', undefined],
    ['is in memory', new MemoryLedger()],
  ])('%s: warn', async (_, ledger) => {
    expect((await checkLedger(withLedger(ledger))).status).toBe('warn');
  });

  it('in a file answers, and tells the time of this machine', async () => {
    const { at: file, remove } = await emptyFile();
    const ledger = await SqliteLedger.open({ file, migrate: true });
    const symptoms = [
      await checkLedger(withLedger(ledger)),
      ...(await checkStoreClock(withLedger(ledger), PROCESS_CLOCKS)),
    ];
    expect(symptoms.map(({ status }) => status)).toEqual(['ok', 'ok']);
    await ledger.close();
    expect(await checkLedger(withLedger(ledger))).toMatchObject({ status: 'fail' });
    await remove();
  });

  it('without tables fails', async () => {
    const { at: file, remove } = await emptyFile();
    const ledger = await SqliteLedger.open({ file });
    expect(await checkLedger(withLedger(ledger))).toMatchObject({ check: 'ledger', status: 'fail' });
    await ledger.close();
    await remove();
  });

  it('that throws fails, without the credentials of what it says', async () => {
    const list = () => {
      throw new Error('cannot reach postgres://admin:hunter2@db/app');
    };
    // It is no ledger in memory, whatever it does as one.
    const ledger = Object.setPrototypeOf(Object.assign(new MemoryLedger(), { list }), null);
    const symptom = await checkLedger(withLedger(ledger));
    expect(symptom.status).toBe('fail');
    expect(symptom.message).not.toContain('hunter2');
  });
});

describePostgres('the ledger in Postgres', () => {
  it('answers, and tells the time of its server', async () => {
    const { at: url, remove } = await emptySchema();
    const ledger = await PostgresLedger.open({ url, migrate: true });
    const before = Date.now();
    expect(Math.abs((await ledger.storeTime()) - before)).toBeLessThan(60_000);
    expect(await checkLedger(withLedger(ledger))).toMatchObject({ status: 'ok' });
    await ledger.close();
    await remove();
  });

  it('that cannot be reached fails', async () => {
    const ledger = await PostgresLedger.open({ url: 'postgres://nobody:hunter2@127.0.0.1:1/none' });
    const symptom = await checkLedger(withLedger(ledger));
    expect(symptom.status).toBe('fail');
    expect(symptom.message).not.toContain('hunter2');
    await ledger.close();
  });
});

describe('the requests for approval', () => {
  const store = new MemoryApprovalStore();
  const failing = Object.assign(new MemoryApprovalStore(), {
    list: async () => Promise.reject(new Error('down')),
  });
  it.each<[string, Approvals, string]>([
    ['are on', new Approvals(store), 'ok'],
    ['are off', new Approvals(store, 'never'), 'warn'],
    ['lie in a store that fails', new Approvals(failing, 'policy'), 'fail'],
  ])('%s', async (_, approvals, status) => {
    expect((await checkApprovals({ ...toolkitOf(), approvals })).status).toBe(status);
  });
});

describe('the audit file', () => {
  it('is there, can be made, or cannot', () => {
    workspace.write('trail.jsonl', '');
    const statusOf = (file: string) => checkAuditFile(file, workspace.folder).status;
    expect(statusOf('trail.jsonl')).toBe('ok');
    expect(statusOf('new.jsonl')).toBe('ok');
    expect(statusOf('nowhere/trail.jsonl')).toBe('fail');
    expect(statusOf('.')).toBe('fail');
  });

  // Root may write everywhere.
  const unlessRoot = process.getuid?.() === 0 ? it.skip : it;
  unlessRoot('that others own cannot be written', () => {
    chmodSync(workspace.write('theirs.jsonl', ''), 0o400);
    expect(checkAuditFile(join(workspace.folder, 'theirs.jsonl'), '/').status).toBe('fail');
  });
});
