/**
 * What every ledger does, whatever it keeps its claims in.
 * Invariant: only the contract is used. Leases end by being a millisecond long and waited for; nothing sleeps.
 */
import * as fc from 'fast-check';
import type {
  JsonValue,
  Ledger,
  LedgerAnswer,
  LedgerClaim,
  LedgerEntry,
  LedgerOutcome,
  LedgerState,
  Settlement,
  ToolResult,
} from 'toolcrib';

/** One new, empty store, opened twice, as two processes would. */
export interface OpenLedgers {
  readonly first: Ledger;
  /** May be the same object where the store cannot be shared. */
  readonly second: Ledger;
  close(): Promise<void>;
}

const LONG_MS = 600_000;
const never = new AbortController().signal;

/** A claim of some key, whose other members a test may say. */
export function claimOf(key: string, over: Partial<LedgerClaim> = {}): LedgerClaim {
  return {
    key,
    argumentHash: 'a'.repeat(64),
    tool: 'orders.refund@1.0.0',
    principalId: 'ada',
    callId: 'call-1',
    leaseMs: LONG_MS,
    ...over,
  };
}

function tokenOf(answer: LedgerAnswer): string {
  if (!answer.claimed) throw new Error(`the key is ${answer.entry.state}`);
  return answer.token;
}

function finished(result: JsonValue): LedgerOutcome {
  return { state: 'finished', result: { success: true, result } };
}

async function stateOf(ledger: Ledger, key: string): Promise<LedgerState | undefined> {
  return (await ledger.get(key))?.state;
}

/** Claims a key with a lease that is over when this settles. */
async function claimShortly(ledger: Ledger, claim: LedgerClaim): Promise<LedgerAnswer> {
  const answer = await ledger.claim({ ...claim, leaseMs: 1 });
  if (answer.claimed) await ledger.settled(claim.key, never);
  return answer;
}

/** What the model of a ledger knows of a key. */
interface Known {
  state: LedgerState;
  token: string | undefined;
  readonly principalId: string | null;
  readonly argumentHash: string;
  result?: ToolResult<JsonValue>;
}

const keys = fc.constantFrom('k1', 'k2');
const principals = fc.constantFrom<string | null>('ada', 'null', null);
const hashes = fc.constantFrom('a'.repeat(64), 'b'.repeat(64));
const outcomes: fc.Arbitrary<LedgerOutcome> = fc.oneof(
  fc.jsonValue().map((value): LedgerOutcome => finished(JSON.parse(JSON.stringify(value)))),
  fc.constantFrom<LedgerOutcome>({ state: 'paused' }, { state: 'unknown' }, { state: 'free' }),
);
const settlements: fc.Arbitrary<Settlement> = fc.constantFrom<Settlement>(
  { outcome: 'executed', result: { done: true } },
  { outcome: 'executed' },
  { outcome: 'not_executed' },
);
const steps = fc.oneof(
  fc.record({
    act: fc.constant('claim' as const),
    key: keys,
    principalId: principals,
    argumentHash: hashes,
    isShort: fc.boolean(),
  }),
  fc.record({
    act: fc.constant('end' as const),
    key: keys,
    which: fc.constantFrom('held', 'former', 'made up'),
    outcome: outcomes,
  }),
  fc.record({ act: fc.constant('settle' as const), key: keys, settlement: settlements }),
);

/** Takes one step with a ledger and with its model, and holds the one to the other. */
async function take(
  step: typeof steps extends fc.Arbitrary<infer Step> ? Step : never,
  ledger: Ledger,
  model: Map<string, Known>,
  former: Map<string, string>,
): Promise<void> {
  const { key } = step;
  const known = model.get(key);
  if (step.act === 'claim') {
    const { principalId, argumentHash, isShort } = step;
    const claim = claimOf(key, { principalId, argumentHash });
    const answer = await (isShort ? claimShortly(ledger, claim) : ledger.claim(claim));
    const isSame = known?.principalId === principalId && known.argumentHash === argumentHash;
    expect(answer.claimed).toBe(known === undefined || (known.state === 'paused' && isSame));
    if (!answer.claimed) return;
    const state = isShort ? 'unknown' : 'running';
    model.set(key, { state, token: answer.token, principalId, argumentHash });
    return;
  }
  if (step.act === 'settle') {
    const { settlement } = step;
    expect(await ledger.settle(key, settlement)).toBe(known?.state === 'unknown');
    if (known?.state !== 'unknown') return;
    if (known.token !== undefined) former.set(key, known.token);
    if (settlement.outcome === 'not_executed') model.delete(key);
    else {
      const result = { success: true, result: settlement.result ?? null } as const;
      model.set(key, { ...known, state: 'finished', token: undefined, result });
    }
    return;
  }
  const { which, outcome } = step;
  const tokens = { held: known?.token, former: former.get(key), 'made up': 'made up' };
  const token = tokens[which];
  if (token === undefined) return;
  const isHeld = which === 'held';
  expect(await ledger.end(key, token, outcome)).toBe(isHeld);
  if (!isHeld || known === undefined) return;
  if (outcome.state === 'unknown') {
    known.state = 'unknown';
    return;
  }
  former.set(key, token);
  if (outcome.state === 'free') model.delete(key);
  else {
    const result = outcome.state === 'finished' ? { result: outcome.result } : {};
    model.set(key, { ...known, state: outcome.state, token: undefined, ...result });
  }
}

/** What an entry says that the model knows too. */
function seen(entry: LedgerEntry | undefined): unknown {
  if (entry === undefined) return undefined;
  const { state, principalId, argumentHash, result } = entry;
  return { state, principalId, argumentHash, result };
}

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
      expect(Object.keys(entry ?? {}).filter((one) => /arguments|compensation|result/.test(one))).toEqual([]);
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

    it('lists a hundred where nobody says how many', async () => {
      for (let at = 0; at < 101; at += 1) await first.claim(claimOf(`k${at}`));
      expect(await second.list()).toHaveLength(100);
    });

    it('does what its model does, for any sequence of claims, ends and settlements', async () => {
      const holds = fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (sequence) => {
        const store = await open();
        try {
          const model = new Map<string, Known>();
          const former = new Map<string, string>();
          for (const [at, step] of sequence.entries()) {
            await take(step, at % 2 === 0 ? store.first : store.second, model, former);
            const { key } = step;
            expect(seen(await store.first.get(key))).toEqual(seenInModel(model.get(key)));
          }
        } finally {
          await store.close();
        }
      });
      await fc.assert(holds, { seed: 20261130, numRuns: runs });
    });
  });
}

function seenInModel(known: Known | undefined): unknown {
  if (known === undefined) return undefined;
  const { state, principalId, argumentHash, result } = known;
  return { state, principalId, argumentHash, result };
}
