/**
 * The stage `approve`: which calls are asked about, whom, and what becomes of the answers.
 * Invariant: no handler here runs but after a decision for its own call and arguments.
 */
import fc from 'fast-check';
import type { ApprovalDecision, ApprovalRequest, Approver } from 'toolcrib';
import { approve, DONE, destructive, REQUIRED } from '../../fixtures/approved-toolkit';
import type { RecordedOptions } from '../../fixtures/recorded-toolkit';

/** An approver that answers what no compiler has looked at. */
function answeringAny(value: unknown): Approver {
  return new Proxy<Approver>(() => undefined, { apply: () => value });
}

/** An approver that answers in order, and keeps what it was asked. */
function reviewer(...answers: readonly (ApprovalDecision | undefined)[]) {
  const asked: ApprovalRequest[] = [];
  const approver: Approver = (request) => {
    asked.push(request);
    return answers[asked.length - 1];
  };
  return { approver, asked };
}

describe('which calls need approval', () => {
  it.each([
    ['none', DONE],
    ['write', DONE],
    ['destructive', REQUIRED],
  ] as const)('left to itself it depends on the side effect: %s', async (kind, answer) => {
    const { run } = await destructive({ kind });
    expect(await run()).toMatchObject(answer);
  });

  it('is what a policy says of the tool, the input and the caller', async () => {
    const seen: unknown[] = [];
    const { run, ran } = await destructive({
      kind: 'write',
      approval: {
        policy: (call) => {
          seen.push({ ...call, input: { ...Object(call.input) } });
          return call.principalId !== 'ada';
        },
      },
    });
    expect(await run({ id: 1 }, { principal: { id: 'ada', scopes: [] } })).toEqual(DONE);
    expect(await run({ id: 2 })).toMatchObject(REQUIRED);
    expect(ran).toEqual([{ id: 1 }]);
    expect(seen).toMatchObject([
      { tool: 'test.run@1.0.0', sideEffect: { kind: 'write' }, input: { id: 1 }, principalId: 'ada' },
      { input: { id: 2 }, principalId: null },
    ]);
  });

  it('does not depend on what a policy changes, nor does what runs', async () => {
    const policy = ({ input }: { readonly input: unknown }) => {
      Object.assign(Object(input), { id: 9 }, { free: Object.assign(Object(input).free, { a: [9] }) });
      return true;
    };
    const { approver, asked } = reviewer(approve);
    const { run, ran } = await destructive({ approval: { policy, approver } });
    expect(await run({ id: 1, free: { a: [1] } })).toEqual(DONE);
    expect(asked).toMatchObject([{ arguments: { id: 1, free: { a: [1] } } }]);
    expect(ran).toEqual([{ id: 1, free: { a: [1] } }]);
  });

  it('is every call that a policy fails to judge', async () => {
    const policies = [
      () => {
        throw new Error('no');
      },
      () => Promise.reject(new Error('no')),
      () => JSON.parse('null'),
      () => Object({ needed: Promise.reject(new Error('no')) }),
    ];
    for (const policy of policies) {
      const { run, ran, log } = await destructive({ kind: 'none', approval: { policy } });
      expect(await run()).toMatchObject(REQUIRED);
      expect(ran).toEqual([]);
      expect(log).toMatchObject([{ level: 'error' }]);
    }
  });

  it('is none where approval is off', async () => {
    expect(await (await destructive({ approval: false })).run()).toEqual(DONE);
  });
});

describe('whom is asked', () => {
  it('is the approver of the door, before that of the toolkit', async () => {
    const door = reviewer(approve);
    const own = reviewer(approve);
    const { run } = await destructive({ approval: { approver: own.approver } });
    expect(await run({}, { approver: door.approver })).toEqual(DONE);
    expect([door.asked.length, own.asked.length]).toEqual([1, 0]);
  });

  it("is the toolkit's where the door asks nobody", async () => {
    const own = reviewer(approve);
    const { run } = await destructive({ approval: { approver: own.approver } });
    expect(await run({}, { approver: () => undefined })).toEqual(DONE);
    expect(own.asked).toHaveLength(1);
  });

  it('sees the call with its secrets masked', async () => {
    const { approver, asked } = reviewer(approve);
    const { run, ran } = await destructive({ approval: { approver } });
    const args = { id: 7, free: { password: 'hunter2-and-more' } };
    await run(args, { principal: { id: 'ada', scopes: [] }, callId: 'c1', conversationId: 't1' });
    expect(asked).toEqual([
      {
        id: expect.any(String),
        binding: expect.stringMatching(/^[0-9a-f]{64}$/),
        callId: 'c1',
        tool: 'test.run@1.0.0',
        modelName: 'test_run',
        description: 'Runs.',
        arguments: { id: 7, free: { password: '[redacted]' } },
        argumentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        sideEffect: { kind: 'destructive', idempotent: false, openWorld: false, declared: true },
        principalId: 'ada',
        conversationId: 't1',
        masked: [
          {
            path: '/arguments/free/password',
            characters: 16,
            digest: expect.stringMatching(/^[0-9a-f]{8}$/),
          },
        ],
      },
    ]);
    expect(ran).toEqual([args]);
  });

  it('is nobody before the call is authorised and valid', async () => {
    const { approver, asked } = reviewer(approve, approve);
    const { run } = await destructive({ toolScopes: ['a'], approval: { approver } });
    expect(await run({})).toMatchObject({ error: { code: 'insufficient_scope' } });
    expect(await run({ id: 'x' }, { principal: { id: 'ada', scopes: ['a'] } })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(asked).toEqual([]);
  });
});

describe('what is answered', () => {
  it('an approval lets the call run', async () => {
    const { run, ran } = await destructive({ approval: { approver: () => Promise.resolve(approve) } });
    expect(await run({ id: 1 })).toEqual(DONE);
    expect(ran).toEqual([{ id: 1 }]);
  });

  it('is noted for the record', async () => {
    const noted: unknown[] = [];
    const { run } = await destructive({
      interceptors: [
        {
          stage: 'resolve',
          run: async (call, next) => {
            const result = await next();
            noted.push(call.notes.get('approval'));
            return result;
          },
        },
      ],
    });
    await run({}, { approver: () => approve });
    await run({}, { approver: () => ({ type: 'reject' }) });
    await run({});
    expect(noted).toEqual(['approve', 'reject', 'ask']);
  });

  it('a rejection is final, and its reason is scrubbed', async () => {
    const approver = () => ({ type: 'reject', reason: 'Not with password=hunter2-and-more' }) as const;
    const { run, ran } = await destructive({ approval: { approver } });
    const result = await run();
    expect(result).toMatchObject({ error: { code: 'approval_rejected', retryable: false } });
    expect(JSON.stringify(result)).toContain('Not with password');
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(ran).toEqual([]);
  });

  it('an edit runs with its own arguments, and what stays masked keeps its value', async () => {
    const approver: Approver = () => ({
      type: 'edit',
      arguments: { id: 2, free: { password: '[redacted]', more: true } },
    });
    const { run, ran } = await destructive({ approval: { approver } });
    expect(await run({ id: 1, free: { password: 'hunter2-and-more' } })).toEqual(DONE);
    expect(ran).toEqual([{ id: 2, free: { password: 'hunter2-and-more', more: true } }]);
  });

  it('an edit that is invalid is asked about again, five times in all', async () => {
    const bad: ApprovalDecision = { type: 'edit', arguments: { id: 'x' } };
    const { approver, asked } = reviewer(bad, bad, bad, bad, bad, approve);
    const { run, ran } = await destructive({ approval: { approver } });
    expect(await run({ id: 1 })).toMatchObject({ error: { code: 'approval_rejected' } });
    expect(asked.map(({ problem }) => problem?.includes('/id'))).toEqual([undefined, true, true, true, true]);
    expect(ran).toEqual([]);
  });

  it('an approver that fails has approved nothing', async () => {
    const failing: readonly Approver[] = [
      () => {
        throw new Error('no');
      },
      () => Promise.reject(new Error('no')),
    ];
    for (const approver of failing) {
      const { run, ran, log } = await destructive({ approval: { approver } });
      expect(await run()).toMatchObject(REQUIRED);
      expect(ran).toEqual([]);
      expect(log).toMatchObject([{ level: 'error' }]);
    }
  });

  it('whatever is no decision runs nothing', async () => {
    const { run, ran } = await destructive();
    const near = fc.constantFrom('approve', 'edit', 'reject', 'Approve', 'ok', true, 1);
    const junk = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.anything(), arguments: fc.anything(), reason: fc.anything() }),
      fc.record({ type: near, extra: fc.jsonValue() }),
      fc.record({ type: fc.constant('approve'), arguments: fc.jsonValue() }),
      fc.array(fc.record({ type: near })),
    );
    await fc.assert(
      fc.asyncProperty(junk, async (value) => {
        expect(await run({ id: 1 }, { approver: answeringAny(value) })).toMatchObject({ success: false });
      }),
      { numRuns: 300 },
    );
    expect(ran).toEqual([]);
  });

  it('a pause of the approver passes', async () => {
    const pause = new Error('wait');
    const { run, log } = await destructive();
    const approver = () => {
      throw pause;
    };
    await expect(run({}, { approver, isPause: (error) => error === pause })).rejects.toBe(pause);
    expect(log).toEqual([]);
  });

  it('a scope that was lost meanwhile counts', async () => {
    const scopes = ['a'];
    const approver: Approver = () => {
      scopes.pop();
      return approve;
    };
    const { run, ran } = await destructive({ toolScopes: ['a'], approval: { approver } });
    expect(await run({}, { principal: { id: 'ada', scopes } })).toMatchObject({
      error: { code: 'insufficient_scope' },
    });
    expect(ran).toEqual([]);
  });
});

it.each<unknown>([
  true,
  { aprover: () => undefined },
  { approver: 'ada' },
  { policy: true },
  { store: {} },
  { timeoutMs: 0 },
  { lifetimeMs: Number.POSITIVE_INFINITY },
])('refuses %j as the option approval', async (approval) => {
  const options: RecordedOptions = {};
  Object.defineProperty(options, 'approval', { value: approval, enumerable: true });
  await expect(destructive(options)).rejects.toThrow(TypeError);
});

it('a decision holds for the tool as it was defined when it was asked for', async () => {
  const { toolkit, run, ran } = await destructive();
  await run({ id: 1 });
  const [open] = await toolkit.approvals.list();
  await toolkit.approvals.approve(open?.request.id ?? '', { by: 'ada' });
  const spec = toolkit.registry.get('test.run@1.0.0');
  if (spec === undefined) throw new TypeError('there is one');
  toolkit.registry.update((draft) => {
    draft.remove(spec.key);
    draft.register(Object.freeze({ ...spec, description: 'Runs otherwise.' }));
  });
  expect(await run({ id: 1 })).toMatchObject(REQUIRED);
  expect(ran).toEqual([]);
});
