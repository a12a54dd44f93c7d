/**
 * Calls that the retry guard lets through, and how far it works where little is known of a call.
 * Invariant: a call that is spared is answered as it would be without the guard.
 */
import { ann, closed, codeOf, failing, guarding, talk } from '../fixtures/guarded-calls';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

describe('is never refused', () => {
  it('a repeated call id, whose failure counts for others', async () => {
    const { codes } = await guarding(failing);
    const [one, two] = ['call-1', 'call-2'].map((callId) => ({ ...talk, callId }));
    if (one === undefined || two === undefined) throw new TypeError('there are two calls');
    expect(await codes([{}, one], [{}, one], [{}, two], [{}, two], [{}, one])).toEqual([
      'closed',
      'closed',
      'retry_refused',
      'closed',
      'closed',
    ]);
  });

  it('a call whose replay has succeeded', async () => {
    let isDown = true;
    const { codes } = await guarding(() => (isDown ? failing() : 1));
    const replayed = { ...talk, callId: 'call-1' };
    expect(await codes([{}, replayed])).toEqual(['closed']);
    isDown = false;
    expect(await codes([{}, replayed], [{}, talk])).toEqual(['done', 'done']);
  });

  it('a call whose arguments are what an interceptor made of those that have failed', async () => {
    const { codes } = await guarding(failing, {
      interceptors: [
        {
          stage: 'validate',
          run: (call, next) => {
            const given = Object(call.arguments);
            given.note = `${given.note ?? ''}x`;
            return next();
          },
        },
      ],
    });
    expect(await codes([{}, talk], [{ note: 'x' }, talk], [{}, talk], [{ note: 'x' }, talk])).toEqual([
      'closed',
      'closed',
      'retry_refused',
      'retry_refused',
    ]);
  });

  it('a call of a tool that was replaced under its key', async () => {
    const { toolkit, run } = await toolkitRunning(failing);
    const before = [codeOf(await run({}, talk)), codeOf(await run({}, talk))];
    expect(before).toEqual(['closed', 'retry_refused']);
    const spec = toolkit.registry.get('test.run@1.0.0');
    if (spec === undefined) throw new TypeError('there is a tool');
    toolkit.registry.update((draft) => {
      draft.remove(spec.key);
      draft.register({ ...spec, handler: () => 'mended' });
    });
    expect(await run({}, talk)).toEqual({ success: true, result: 'mended' });
  });

  it('a failure that is retryable, was cancelled, or waits for a person', async () => {
    const retryable = await guarding(() => Promise.reject(closed(true)));
    expect(await retryable.codes([{}, talk], [{}, talk])).toEqual(['closed', 'closed']);
    const cancelled = await guarding(() => 1);
    const signal = AbortSignal.abort();
    expect(await cancelled.codes([{}, { ...talk, signal }], [{}, talk])).toEqual(['cancelled', 'done']);
    const error = { code: 'approval_required', message: 'Ask.', retryable: false };
    const asking = await guarding(() => 1, {
      interceptors: [{ stage: 'approve', run: async () => ({ success: false, error }) }],
    });
    expect(await asking.codes([{}, talk], [{}, talk])).toEqual(['approval_required', 'approval_required']);
  });

  it('a pause', async () => {
    const pause = new Error('ask');
    const { run } = await toolkitRunning(() => Promise.reject(pause));
    const call = { ...talk, isPause: (thrown: unknown) => thrown === pause };
    for (const _ of [1, 2]) await expect(run({}, call)).rejects.toBe(pause);
  });

  it('either of two calls at once', async () => {
    const { run, codes } = await guarding(failing);
    const both = await Promise.all([run({}, talk), run({}, talk)]);
    expect(both.map(codeOf)).toEqual(['closed', 'closed']);
    expect(await codes([{}, talk])).toEqual(['retry_refused']);
  });

  it('anything of callers that are neither known nor in a conversation', async () => {
    const { codes } = await guarding(failing);
    expect(await codes([{}, {}], [{}, {}])).toEqual(['closed', 'closed']);
  });

  it('anything where the guard is off', async () => {
    const { codes } = await guarding(failing, { retryGuard: false });
    expect(await codes([{}, talk], [{}, talk])).toEqual(['closed', 'closed']);
  });

  it('what has no canonical form: it is answered as without the guard', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const throwing = {
      get id(): number {
        throw new Error('no');
      },
    };
    const { codes, run } = await guarding(failing);
    for (const args of [{ id: 1n }, circular, revoked.proxy, throwing, { note: Symbol('x') }]) {
      expect(await codes([args, talk], [args, talk])).toEqual(['invalid_input', 'invalid_input']);
    }
    const principal = {
      id: 'ann',
      get scopes(): string[] {
        throw new Error('no');
      },
    };
    expect(codeOf(await run({}, { ...talk, principal }))).toBe('closed');
  });
});

it('without a conversation it works per principal', async () => {
  const { codes } = await guarding(failing);
  const [one, two] = [{ principal: ann }, { principal: { id: 'bob', scopes: [] } }];
  expect(await codes([{}, one], [{}, two], [{}, one], [{}, two])).toEqual([
    'closed',
    'closed',
    'retry_refused',
    'retry_refused',
  ]);
});

it('without a principal it works per conversation', async () => {
  const { codes } = await guarding(failing);
  const unknown = { conversationId: 'talk' };
  expect(await codes([{}, unknown], [{}, unknown])).toEqual(['closed', 'retry_refused']);
});

it('takes lone surrogates, __proto__ and long ids for what they are', async () => {
  const { codes } = await guarding(failing);
  const long = { ...talk, conversationId: 'c'.repeat(100_000), callId: 'i'.repeat(100_000) };
  const other = { ...long, callId: 'j'.repeat(100_000) };
  const lone: unknown = JSON.parse('{"note":"\\ud800"}');
  const [first, second] = await codes([lone, long], [lone, other]);
  expect([first, second]).toEqual([first, 'retry_refused']);
  const proto: unknown = JSON.parse('{"free":{"a":1},"__proto__":{"b":1}}');
  expect(await codes([proto, talk], [{ free: { a: 1 } }, talk])).toEqual(['invalid_input', 'closed']);
});

it('remembers the arguments as they were when the call was made', async () => {
  const args = { id: 1 };
  const { run, codes } = await guarding(failing);
  const answer = run(args, talk);
  args.id = 2;
  expect(codeOf(await answer)).toBe('closed');
  expect(await codes([{ id: 2 }, talk], [{ id: 1 }, talk])).toEqual(['closed', 'retry_refused']);
});

it('forgets in the end what it was not asked about for long', async () => {
  const { run, codes } = await guarding(failing, { rateLimit: false });
  for (let id = 0; id <= 10_000; id += 1) await run({ id }, talk);
  expect(await codes([{ id: 0 }, talk], [{ id: 10_000 }, talk])).toEqual(['closed', 'retry_refused']);
});
