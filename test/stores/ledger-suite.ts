/**
 * What every ledger does, whatever it keeps its claims in.
 * Invariant: only the contract is used. Leases end by being a millisecond long and waited for; nothing sleeps.
 */
import type {
  JsonValue,
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerOutcome,
  LedgerState,
  Settlement,
  ToolResult,
} from 'toolcrib';
import { claimOf, claimShortly, finished, never, type OpenLedgers, tokenOf } from './ledger-claims';
import { holdToModel } from './ledger-model';

async function stateOf(ledger: Ledger, key: string): Promise<LedgerState | undefined> {
  return (await ledger.get(key))?.state;
}

const circle: { self?: unknown } = {};
circle.self = circle;

/**
 * Holds a ledger to its contract.
 *
 * @param open makes a new, empty store; `runs`: how many random sequences are tried.
 */
export function ledgerSuite(name: string, open: () => Promise<OpenLedgers>, runs = 100): void {
  describe(`the ledger ${name}`, () => {
    let opened: OpenLedgers;
    let first: Ledger;
    let second: Ledger;
    beforeEach(async () => {
      opened = await open();
      ({ first, second } = opened);
    });
    afterEach(() => opened.close());

    it('gives a free key out, and keeps everything that the claim said', async () => {
      const { leaseMs, ...said } = claimOf('k', {
        principalId: null,
        arguments: { cents: 500, deep: [{ a: null }] },
        editedHash: 'b'.repeat(64),
        compensation: 'orders.reopen',
      });
      tokenOf(await first.claim({ ...said, leaseMs }));
      const entry = await second.get('k');
      const times = { claimedAt: expect.any(Number), updatedAt: expect.any(Number) };
      expect(entry).toEqual({ ...said, ...times, state: 'running', leaseEndsAt: expect.any(Number) });
      expect(Number(entry?.leaseEndsAt) - Number(entry?.claimedAt)).toBe(leaseMs);
    });

    it('leaves out what the claim left out', async () => {
      await first.claim(claimOf('k'));
      const entry = await second.get('k');
      expect(
        Object.keys(entry ?? {}).filter((one) => /arguments|compensation|editedHash|result/.test(one)),
      ).toEqual([]);
    });

    it.each([2, 10, 100])('gives a key to exactly one of %d that claim it at once', async (count) => {
      const claims = Array.from({ length: count }, (_, at) =>
        (at % 2 === 0 ? first : second).claim(claimOf('k', { callId: `call-${at}` })),
      );
      const answers = await Promise.all(claims);
      expect(answers.filter(({ claimed }) => claimed)).toHaveLength(1);
      const states = answers.flatMap((answer) => (answer.claimed ? [] : [answer.entry.state]));
      expect(new Set(states)).toEqual(new Set(['running']));
    });

    it('gives a paused key to exactly one of those that claim it again', async () => {
      await first.end('k', tokenOf(await first.claim(claimOf('k'))), { state: 'paused' });
      const again = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? first : second).claim(claimOf('k'))),
      );
      expect(again.filter(({ claimed }) => claimed)).toHaveLength(1);
    });

    it.each<readonly [string, Partial<LedgerClaim>]>([
      ['other arguments', { argumentHash: 'b'.repeat(64) }],
      ['another principal', { principalId: 'bob' }],
      ['no principal', { principalId: null }],
    ])('does not give a paused key to %s', async (_case, other) => {
      await first.end('k', tokenOf(await first.claim(claimOf('k'))), { state: 'paused' });
      expect(await second.claim(claimOf('k', other))).toMatchObject({
        claimed: false,
        entry: { state: 'paused', principalId: 'ada' },
      });
      expect((await second.claim(claimOf('k'))).claimed).toBe(true);
    });

    it('tells nobody from somebody who is called null', async () => {
      await first.end('k', tokenOf(await first.claim(claimOf('k', { principalId: null }))), {
        state: 'paused',
      });
      expect((await second.get('k'))?.principalId).toBeNull();
      expect((await second.claim(claimOf('k', { principalId: 'null' }))).claimed).toBe(false);
      expect((await second.claim(claimOf('k', { principalId: null }))).claimed).toBe(true);
    });

    it.each<readonly [string, ToolResult<JsonValue>]>([
      ['a success', { success: true, result: { id: 'r1', parts: [1, 2.5, null, 'é𝄞\u2028', ''] } }],
      ['null', { success: true, result: null }],
      ['false', { success: true, result: false }],
      ['a failure', { success: false, error: { code: 'invalid_output', message: 'No.', retryable: false } }],
    ])('keeps a result as it is: %s', async (_case, result) => {
      const token = tokenOf(await first.claim(claimOf('k')));
      expect(await first.end('k', token, { state: 'finished', result })).toBe(true);
      expect(await second.claim(claimOf('k'))).toMatchObject({
        claimed: false,
        entry: { state: 'finished' },
      });
      expect((await second.get('k'))?.result).toEqual(result);
    });

    it('keeps a result that its caller changes afterwards', async () => {
      const result = { parts: ['one'] };
      const token = tokenOf(await first.claim(claimOf('k')));
      await first.end('k', token, finished(result));
      result.parts.push('two');
      const read: unknown = (await first.get('k'))?.result;
      expect(read).toEqual({ success: true, result: { parts: ['one'] } });
      Object(read).result.parts.push('three');
      expect((await first.get('k'))?.result).toEqual({ success: true, result: { parts: ['one'] } });
    });

    it('frees a key whose claim came to nothing, and the next holder is another', async () => {
      const token = tokenOf(await first.claim(claimOf('k')));
      expect(await second.end('k', token, { state: 'free' })).toBe(true);
      expect(await first.get('k')).toBeUndefined();
      const next = tokenOf(await second.claim(claimOf('k', { principalId: 'bob' })));
      expect(next).not.toBe(token);
      expect(await first.end('k', token, finished('late'))).toBe(false);
      expect(await first.end('k', next, finished('in time'))).toBe(true);
      expect((await first.get('k'))?.result).toEqual({ success: true, result: 'in time' });
    });

    it('makes a claim unknown whose lease has ended, for everybody who looks', async () => {
      await claimShortly(first, claimOf('k'));
      expect(await second.claim(claimOf('k'))).toMatchObject({ claimed: false, entry: { state: 'unknown' } });
      expect(await stateOf(second, 'k')).toBe('unknown');
      expect(await second.list({ state: 'unknown' })).toMatchObject([{ key: 'k' }]);
      expect(await second.list({ state: 'running' })).toEqual([]);
      expect(await second.settle('k', { outcome: 'not_executed' })).toBe(true);
    });

    it.each<LedgerOutcome>([finished('late'), { state: 'free' }, { state: 'paused' }, { state: 'unknown' }])(
      'hears from a holder whose lease has ended: $state',
      async (outcome) => {
        const token = tokenOf(await claimShortly(first, claimOf('k')));
        expect(await first.end('k', token, outcome)).toBe(true);
        expect(await stateOf(second, 'k')).toBe(outcome.state === 'free' ? undefined : outcome.state);
      },
    );

    it('lets the holder say later how an unknown outcome came out', async () => {
      const token = tokenOf(await first.claim(claimOf('k')));
      expect(await first.end('k', token, { state: 'unknown' })).toBe(true);
      expect(await stateOf(second, 'k')).toBe('unknown');
      expect(await first.end('k', token, finished('late'))).toBe(true);
      expect(await first.end('k', token, { state: 'unknown' })).toBe(false);
      expect(await stateOf(second, 'k')).toBe('finished');
    });

    it.each<readonly [Settlement, LedgerEntry['result'] | undefined]>([
      [
        { outcome: 'executed', result: [1] },
        { success: true, result: [1] },
      ],
      [{ outcome: 'executed' }, { success: true, result: null }],
      [{ outcome: 'not_executed' }, undefined],
    ])('takes a word on an unknown outcome, once: %j', async (settlement, result) => {
      const token = tokenOf(await first.claim(claimOf('k')));
      expect(await second.settle('k', settlement)).toBe(false);
      await first.end('k', token, { state: 'unknown' });
      const settled = await Promise.all([first.settle('k', settlement), second.settle('k', settlement)]);
      expect([...settled].sort()).toEqual([false, true]);
      expect(await first.end('k', token, finished('late'))).toBe(false);
      expect((await first.get('k'))?.result).toEqual(result);
      expect((await first.claim(claimOf('k'))).claimed).toBe(result === undefined);
    });

    it.each<readonly [string, unknown]>([
      ['another spelling', { outcome: 'not-executed' }],
      ['another case', { outcome: 'notExecuted' }],
      ['no outcome', {}],
      ['an inherited outcome that is none', { outcome: 'toString' }],
      ['a boolean', { outcome: false }],
      ['a bare word', 'executed'],
      ['nothing', undefined],
      ['null', null],
      ['an unknown member', { outcome: 'executed', results: 1 }],
      ['a result of what was not carried out', { outcome: 'not_executed', result: 1 }],
      ['a bigint', { outcome: 'executed', result: { cents: 5n } }],
      ['a number without a JSON form', { outcome: 'executed', result: [Number.NaN] }],
      ['a function', { outcome: 'executed', result: () => 1 }],
      ['a circle', { outcome: 'executed', result: circle }],
    ])('refuses what is no settlement, and changes nothing: %s', async (_case, settlement) => {
      const token = tokenOf(await first.claim(claimOf('k')));
      await first.end('k', token, { state: 'unknown' });
      await expect(Reflect.apply(first.settle, first, ['k', settlement])).rejects.toThrow(TypeError);
      expect(await stateOf(second, 'k')).toBe('unknown');
      expect(await second.settle('k', { outcome: 'executed', result: 1 })).toBe(true);
    });

    it('settles no key that it does not know', async () => {
      expect(await first.settle('k', { outcome: 'executed' })).toBe(false);
      expect(await first.end('k', 'made up', { state: 'free' })).toBe(false);
      expect(await first.get('k')).toBeUndefined();
      expect(await first.settled('k', never)).toBeUndefined();
    });

    it.each<LedgerOutcome>([finished('done'), { state: 'free' }, { state: 'paused' }, { state: 'unknown' }])(
      'wakes those who wait for a claim that ends: $state',
      async (outcome) => {
        const token = tokenOf(await first.claim(claimOf('k')));
        const waiting = [first.settled('k', never), second.settled('k', never), second.settled('k', never)];
        await first.end('k', token, outcome);
        const states = (await Promise.all(waiting)).map((entry) => entry?.state);
        expect(new Set(states)).toEqual(new Set([outcome.state === 'free' ? undefined : outcome.state]));
      },
    );

    it('wakes those who wait when the lease ends', async () => {
      await first.claim(claimOf('k', { leaseMs: 20 }));
      const entries = await Promise.all([first.settled('k', never), second.settled('k', never)]);
      expect(entries.map((entry) => entry?.state)).toEqual(['unknown', 'unknown']);
    });

    it('lets go of those whose signal is aborted, before or while they wait', async () => {
      await first.claim(claimOf('k'));
      const controller = new AbortController();
      const waiting = second.settled('k', controller.signal);
      controller.abort();
      expect((await waiting)?.state).toBe('running');
      expect((await first.settled('k', AbortSignal.abort()))?.state).toBe('running');
    });

    it('lists the oldest first, by state, and so many', async () => {
      const tokens: string[] = [];
      for (const key of ['k1', 'k2', 'k3']) tokens.push(tokenOf(await first.claim(claimOf(key))));
      await first.end('k2', tokens[1] ?? '', finished(1));
      const keysOf = async (...query: Parameters<Ledger['list']>) =>
        (await second.list(...query)).map(({ key }) => key);
      expect(await keysOf()).toEqual(['k1', 'k2', 'k3']);
      expect(await keysOf({ state: 'running' })).toEqual(['k1', 'k3']);
      expect(await keysOf({ state: 'finished' })).toEqual(['k2']);
      expect(await keysOf({ state: 'paused' })).toEqual([]);
      expect(await keysOf({ limit: 2 })).toEqual(['k1', 'k2']);
    });

    it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null])(
      'lists no such number of entries: %p',
      async (limit) => {
        await expect(Reflect.apply(first.list, first, [{ limit }])).rejects.toThrow(TypeError);
        expect(await first.list({ limit: Number.MAX_SAFE_INTEGER })).toEqual([]);
      },
    );

    it('lists a hundred where nobody says how many', async () => {
      for (let at = 0; at < 101; at += 1) await first.claim(claimOf(`k${at}`));
      expect(await second.list()).toHaveLength(100);
    });

    it('does what its model does, for any sequence of claims, ends and settlements', async () => {
      await holdToModel(open, runs);
    });
  });
}
