/**
 * The ledger in memory beyond what every ledger does: its bound and its retention.
 * Invariant: the clock here is a fake one.
 */
import * as fc from 'fast-check';
import { type LedgerOutcome, MemoryLedger, type MemoryLedgerOptions } from 'toolcrib';
import { forAllAwaited } from '../../fixtures/for-all';
import { claimOf, finished, tokenOf } from '../../stores/ledger-claims';

const DAY_MS = 24 * 3_600_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

async function put(ledger: MemoryLedger, key: string, outcome?: LedgerOutcome): Promise<void> {
  const token = tokenOf(await ledger.claim(claimOf(key)));
  if (outcome !== undefined) await ledger.end(key, token, outcome);
}

async function keysOf(ledger: MemoryLedger): Promise<readonly string[]> {
  return (await ledger.list({ limit: 1_000 })).map(({ key }) => key);
}

describe('retention', () => {
  it.each<readonly [MemoryLedgerOptions, number]>([
    [{}, DAY_MS],
    [{ retentionMs: 1_000 }, 1_000],
  ])('with %j ends after %d ms for what is finished or paused', async (options, retentionMs) => {
    const ledger = new MemoryLedger(options);
    await put(ledger, 'finished', finished('done'));
    await put(ledger, 'paused', { state: 'paused' });
    await put(ledger, 'unknown', { state: 'unknown' });
    await put(ledger, 'running');
    jest.advanceTimersByTime(retentionMs - 1);
    expect(await keysOf(ledger)).toEqual(['finished', 'paused', 'unknown', 'running']);
    jest.advanceTimersByTime(1);
    expect(await keysOf(ledger)).toEqual(['unknown', 'running']);
    expect((await ledger.claim(claimOf('finished'))).claimed).toBe(true);
    jest.advanceTimersByTime(10 * DAY_MS);
    expect(await keysOf(ledger)).toEqual(['unknown', 'running', 'finished']);
  });

  it('counts from the end of the call, not from its claim', async () => {
    const ledger = new MemoryLedger({ retentionMs: 1_000 });
    const token = tokenOf(await ledger.claim(claimOf('k')));
    jest.advanceTimersByTime(999);
    await ledger.end('k', token, finished('done'));
    jest.advanceTimersByTime(999);
    expect((await ledger.get('k'))?.state).toBe('finished');
    jest.advanceTimersByTime(1);
    expect(await ledger.get('k')).toBeUndefined();
  });
});

it('keeps the JSON that it is given beside a result, but for what has content', async () => {
  const ledger = new MemoryLedger();
  const result = { success: true, result: { a: 'ü"' } } as const;
  const content = [{ type: 'text', text: 'b' }] as const;
  await put(ledger, 'plain', { state: 'finished', result, json: JSON.stringify(result.result) });
  await put(ledger, 'content', { state: 'finished', result: { ...result, content }, json: '{"a":"ü"}' });
  expect((await ledger.get('plain'))?.result).toEqual(result);
  expect((await ledger.get('content'))?.result).toEqual({ ...result, content });
});

describe('the bound', () => {
  it('forgets what has been finished for longest, then what has been paused', async () => {
    const ledger = new MemoryLedger({ maxEntries: 4 });
    await put(ledger, 'paused', { state: 'paused' });
    await put(ledger, 'unknown', { state: 'unknown' });
    await put(ledger, 'first', finished(1));
    await put(ledger, 'second', finished(2));
    await put(ledger, 'third');
    expect(await keysOf(ledger)).toEqual(['paused', 'unknown', 'second', 'third']);
    await put(ledger, 'fourth');
    await put(ledger, 'fifth');
    expect(await keysOf(ledger)).toEqual(['unknown', 'third', 'fourth', 'fifth']);
    expect(() => ledger.claim(claimOf('sixth'))).toThrow(Error);
    expect(await keysOf(ledger)).toEqual(['unknown', 'third', 'fourth', 'fifth']);
  });

  it('makes room by what is over first', async () => {
    const ledger = new MemoryLedger({ maxEntries: 2, retentionMs: 1_000 });
    await put(ledger, 'paused', { state: 'paused' });
    jest.advanceTimersByTime(1_000);
    await put(ledger, 'finished', finished(1));
    await put(ledger, 'running');
    expect(await keysOf(ledger)).toEqual(['finished', 'running']);
  });

  it('lets a full ledger be settled, and go on', async () => {
    const ledger = new MemoryLedger({ maxEntries: 1 });
    await put(ledger, 'unknown', { state: 'unknown' });
    expect(() => ledger.claim(claimOf('k'))).toThrow(Error);
    await ledger.settle('unknown', { outcome: 'executed' });
    await put(ledger, 'k');
    expect(await keysOf(ledger)).toEqual(['k']);
  });

  it('keeps no more than 64 Mi characters of results, the latest ones', async () => {
    const ledger = new MemoryLedger();
    const result = 'x'.repeat(8 * 1_048_576 - 64);
    for (let at = 0; at < 10; at += 1) await put(ledger, `k${at}`, finished(result));
    expect(await keysOf(ledger)).toEqual(['k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9']);
    await put(ledger, 'large', finished(result.repeat(9)));
    expect(await keysOf(ledger)).toEqual(['large']);
    await put(ledger, 'small', finished('x'));
    expect(await keysOf(ledger)).toEqual(['small']);
  });

  it('is 10,000 where nobody says', async () => {
    const ledger = new MemoryLedger();
    for (let at = 0; at <= 10_000; at += 1) await put(ledger, `k${at}`, finished(at));
    expect(await ledger.get('k0')).toBeUndefined();
    expect((await ledger.list({ limit: 20_000 })).length).toBe(10_000);
  });

  it('never forgets what runs or is unknown, in any sequence of claims', async () => {
    const outcomes = fc.constantFrom<LedgerOutcome | undefined>(
      finished('done'),
      { state: 'paused' },
      { state: 'unknown' },
      { state: 'free' },
      undefined,
    );
    await forAllAwaited(fc.array(outcomes, { maxLength: 30 }), async (sequence) => {
      const ledger = new MemoryLedger({ maxEntries: 5 });
      const held = new Set<string>();
      for (const [at, outcome] of sequence.entries()) {
        const key = `k${at}`;
        const isPut = await put(ledger, key, outcome).then(
          () => true,
          () => false,
        );
        expect(isPut).toBe(held.size < 5);
        if (isPut && (outcome === undefined || outcome.state === 'unknown')) held.add(key);
        const kept = await keysOf(ledger);
        expect(kept.length).toBeLessThanOrEqual(5);
        expect([...held].every((one) => kept.includes(one))).toBe(true);
      }
    });
  });
});

it('leaves neither a timer nor a listener when those who waited have gone', async () => {
  const ledger = new MemoryLedger();
  await put(ledger, 'k');
  const controller = new AbortController();
  const waiting = [ledger.settled('k', controller.signal), ledger.settled('k', controller.signal)];
  await jest.advanceTimersByTimeAsync(0);
  expect(jest.getTimerCount()).toBe(2);
  controller.abort();
  await Promise.all(waiting);
  expect(jest.getTimerCount()).toBe(0);
});

it('waits for leases that are longer than any timer', async () => {
  const ledger = new MemoryLedger();
  const leaseMs = 2 ** 31 + 1_000;
  await ledger.claim(claimOf('k', { leaseMs }));
  const entry = ledger.settled('k', new AbortController().signal);
  await jest.advanceTimersByTimeAsync(leaseMs - 1);
  expect((await ledger.get('k'))?.state).toBe('running');
  await jest.advanceTimersByTimeAsync(1);
  expect((await entry)?.state).toBe('unknown');
});

it.each([
  ['maxEntries', 0],
  ['maxEntries', 1.5],
  ['retentionMs', -1],
  ['retentionMs', Number.NaN],
  ['retentionMs', Number.POSITIVE_INFINITY],
])('refuses %s: %d', (option, value) => {
  expect(() => new MemoryLedger({ [option]: value })).toThrow(TypeError);
});
