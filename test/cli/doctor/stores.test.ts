/**
 * What `toolcrib doctor` says of stores and of clocks.
 * Invariant: clocks are those of the test; stores are real, or fail as real ones do.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditSink, createToolkit, MemoryLedger } from 'toolcrib';
import { FileAudit } from 'toolcrib/audit';
import { PostgresAudit, PostgresLedger } from 'toolcrib/stores/postgres';
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import type { OpenToolkit } from '../../../src/cli/configuration';
import { checkAuditFile, checkAuditSink, checkAuditTrail } from '../../../src/cli/doctor/audit';
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
function ticking(now: () => number): object {
  return Object.assign(new MemoryLedger(), { storeTime: async () => now() });
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
      'ledger',
      ticking(() => 1_000_010 + ahead),
      clocks,
    );
    expect(symptom?.status).toBe(status);
  });

  it('of a ledger that has none is not looked at', async () => {
    expect(await checkStoreClock('ledger', new MemoryLedger(), PROCESS_CLOCKS)).toEqual([]);
    expect(await checkStoreClock('ledger', undefined, PROCESS_CLOCKS)).toEqual([]);
  });

  it('of a ledger that fails is told', async () => {
    const failing = ticking(() => {
      throw new Error('connect ECONNREFUSED');
    });
    expect(await checkStoreClock('ledger', failing, PROCESS_CLOCKS)).toMatchObject([{ status: 'fail' }]);
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
      ...(await checkStoreClock('ledger', ledger, PROCESS_CLOCKS)),
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

  it('in memory are told to end with the process', async () => {
    const toolkit = await createToolkit({ discover: { classes: [] }, logger: toolkitOf().logger });
    expect(await checkApprovals(toolkit)).toMatchObject({ status: 'warn' });
    await toolkit.close();
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

describe('the sink of a toolkit', () => {
  const event = { time: '2026-11-30T12:00:00.000Z', kind: 'denied' } as const;

  /** As the toolkit that was given it is looked at. */
  async function symptomsOf(sink: AuditSink) {
    const toolkit = await createToolkit({
      discover: { classes: [] },
      audit: { sink },
      logger: toolkitOf().logger,
    });
    const symptoms = await checkAuditSink(toolkit.stores.audit, PROCESS_CLOCKS);
    await toolkit.close();
    return symptoms;
  }

  it('a file is written, and its lock is told', async () => {
    const file = join(workspace.folder, 'sink.jsonl');
    const sink = await FileAudit.open({ file });
    await sink.append(event);
    await sink.flush();
    expect(await symptomsOf(sink)).toMatchObject([
      { check: 'audit sink', status: 'ok', message: expect.stringContaining(`process ${process.pid}`) },
    ]);
    await sink.close();
    expect(checkAuditFile(file, '/').message).not.toContain('process');
  });

  it('a file that was cut off, or whose head is none, fails', async () => {
    const file = join(workspace.folder, 'cut.jsonl');
    const sink = await FileAudit.open({ file });
    for (let at = 0; at < 3; at += 1) await sink.append(event);
    await sink.close();
    expect(checkAuditFile(file, '/').status).toBe('ok');
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n`);
    expect(checkAuditFile(file, '/')).toMatchObject({ status: 'fail' });
    writeFileSync(`${file}.head`, 'none');
    expect(checkAuditFile(file, '/')).toMatchObject({ status: 'fail' });
  });

  it('a file whose folder is gone fails', async () => {
    const folder = join(workspace.folder, 'gone');
    mkdirSync(folder);
    const sink = await FileAudit.open({ file: join(folder, 'trail.jsonl') });
    await sink.close();
    rmSync(folder, { recursive: true });
    expect(await symptomsOf(sink)).toMatchObject([{ check: 'audit sink', status: 'fail' }]);
  });

  it('a function is not tried', async () => {
    const append = jest.fn();
    expect(await symptomsOf({ append })).toMatchObject([{ check: 'audit sink', status: 'ok' }]);
    expect(append).not.toHaveBeenCalled();
  });

  it('none is not looked at', async () => {
    expect(await checkAuditSink(undefined, PROCESS_CLOCKS)).toEqual([]);
  });

  it('a database that cannot be reached fails, without its credentials', async () => {
    const sink = await PostgresAudit.open({ url: 'postgres://nobody:hunter2@127.0.0.1:1/none' });
    const [symptom, ...more] = await symptomsOf(sink);
    expect([symptom?.status, more]).toEqual(['fail', []]);
    expect(JSON.stringify(symptom)).not.toContain('hunter2');
    await sink.close();
  });

  it('one that answers never fails in time', async () => {
    jest.useFakeTimers();
    const looking = checkAuditSink(
      Object.assign({ append() {} }, { head: () => new Promise(() => {}) }),
      PROCESS_CLOCKS,
    );
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await looking).toMatchObject([{ check: 'audit sink', status: 'fail' }]);
    jest.useRealTimers();
  });
});

describePostgres('the sink in Postgres', () => {
  it('answers, and tells the time of its server', async () => {
    const { at: url, remove } = await emptySchema();
    const sink = await PostgresAudit.open({ url, migrate: true });
    const symptoms = await checkAuditSink(sink, PROCESS_CLOCKS);
    expect(symptoms.map(({ check, status }) => [check, status])).toEqual([
      ['audit sink', 'ok'],
      ["the audit sink's clock", 'ok'],
    ]);
    await sink.close();
    await remove();
  });

  it('is looked at by its URL too, whatever the case of its scheme', async () => {
    const { at: url, remove } = await emptySchema();
    const look = () => checkAuditTrail(url.replace(/^postgres/, 'POSTGRES'), '/', PROCESS_CLOCKS);
    // Nobody made its tables yet, and looking makes none.
    expect(await look()).toMatchObject([{ check: 'audit', status: 'fail' }]);
    await (await PostgresAudit.open({ url, migrate: true })).close();
    expect(await look()).toMatchObject([{ check: 'audit', status: 'ok' }, { status: 'ok' }]);
    await remove();
  });
});
