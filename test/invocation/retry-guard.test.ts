/**
 * The retry guard: which calls are refused as repetitions of a final failure, and what makes it forget.
 * Invariant: a refused call has not run, and one is refused only where the same call has failed for good.
 */
import fc from 'fast-check';
import type { InvokeOptions, SideEffectKind } from 'toolcrib';
import { ann, closed, codeOf, failing, guarding, talk } from '../fixtures/guarded-calls';
import { toolkitOf } from '../fixtures/langgraph-tools';
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

describe('a call that repeats a final failure unchanged', () => {
  it('is refused without running, and counted', async () => {
    const handler = jest.fn(failing);
    const notes: unknown[] = [];
    const { run } = await toolkitRunning(handler, {
      interceptors: [
        {
          stage: 'resolve',
          run: async (call, next) => {
            const result = await next();
            notes.push(call.notes.get('refusals'));
            return result;
          },
        },
      ],
    });
    expect(codeOf(await run({ id: 1 }, talk))).toBe('closed');
    for (const refusals of [1, 2, 3]) {
      expect(await run({ id: 1 }, talk)).toMatchObject({
        success: false,
        error: { code: 'retry_refused', retryable: false, detail: { failedWith: 'closed', refusals } },
      });
    }
    expect(handler).toHaveBeenCalledTimes(1);
    expect(notes).toEqual([undefined, 1, 2, 3]);
  });

  it('runs where a part of the arguments, the tool, the conversation or the caller is another', async () => {
    const { codes } = await guarding(failing);
    expect(
      await codes(
        [{ id: 1 }, talk],
        [{ id: 2 }, talk],
        [{ id: 1, note: '' }, talk],
        [{ id: 1 }, { ...talk, conversationId: 'other' }],
        [{ id: 1 }, talk],
      ),
    ).toEqual(['closed', 'closed', 'closed', 'closed', 'retry_refused']);
    expect(await codes([{ id: 1 }, { ...talk, principal: { ...ann, id: 'bob' } }])).toEqual(['closed']);
  });

  it('runs where another tool is called with the arguments', async () => {
    const toolkit = await toolkitOf({ 'a.one': failing, 'a.two': failing });
    const names = ['a.one', 'a.two', 'a.one', 'a_two', 'a.two@^1'];
    const answers: string[] = [];
    for (const name of names) answers.push(codeOf(await toolkit.invoke(name, {}, talk)));
    expect(answers).toEqual(['closed', 'closed', 'retry_refused', 'retry_refused', 'retry_refused']);
  });

  it('is refused where its conversation and call id only look like those of another, in a row', async () => {
    const { codes } = await guarding(failing);
    const calls = [
      [{}, { conversationId: 'a', callId: 'b c' }],
      [{}, { conversationId: 'a b', callId: 'd' }],
      [{}, { conversationId: 'a b', callId: 'c' }],
    ] as const;
    expect(await codes(...calls)).toEqual(['closed', 'closed', 'retry_refused']);
  });

  it('is one of refused arguments too, and says so', async () => {
    const { run } = await toolkitRunning(() => 'done');
    expect(codeOf(await run({ id: 'seven' }, talk))).toBe('invalid_input');
    expect(await run({ id: 'seven' }, talk)).toMatchObject({
      error: { code: 'retry_refused', detail: { failedWith: 'invalid_input' } },
    });
  });

  it.each<readonly [string, RunHandler, SideEffectKind]>([
    ['internal_error', () => Promise.reject(new Error('no')), 'none'],
    ['invalid_output', () => 1n, 'none'],
    ['invalid_output', () => 1n, 'write'],
    ['outcome_unknown', () => new Promise(() => {}), 'write'],
  ])('is one of %s', async (code, handler, kind) => {
    const { codes } = await guarding(handler, { kind, tool: { timeoutMs: 1 } });
    expect(await codes([{}, talk], [{}, talk])).toEqual([code, 'retry_refused']);
  });
});

describe('arguments are the same', () => {
  const texts: readonly (readonly [string, string, string])[] = [
    [
      'whatever the order of their keys',
      '{"id":1,"free":{"a":1,"b":[1]}}',
      '{"free":{"b":[1],"a":1},"id":1}',
    ],
    ['however a number is spelled', '{"id":1,"free":{"n":100}}', '{"id":1.0,"free":{"n":1e2}}'],
    ['whatever the sign of zero', '{"free":{"n":0}}', '{"free":{"n":-0}}'],
    ['however a character is escaped', '{"note":"\\u00e9/"}', '{"note":"é\\/"}'],
  ];
  it.each(texts)('%s', async (_case, first, second) => {
    const { codes } = await guarding(failing);
    const calls = [first, second].map((text) => [JSON.parse(text), talk] as const);
    expect(await codes(...calls)).toEqual(['closed', 'retry_refused']);
  });

  it.each([
    ['in another composition of Unicode', { note: '\u00e9' }, { note: 'e\u0301' }],
    ['in another order of elements', { free: { l: [1, 2] } }, { free: { l: [2, 1] } }],
    ['with a number for its text', { free: { n: 1 } }, { free: { n: '1' } }],
    ['with null for nothing', { free: {} }, { free: { n: null } }],
  ])('no longer %s', async (_case, first, second) => {
    const { codes } = await guarding(failing);
    expect(await codes([first, talk], [second, talk])).toEqual(['closed', 'closed']);
  });

  it('none, null and an empty object are alike', async () => {
    const { toolkit } = await guarding(failing);
    const calls = [undefined, null, {}];
    const answers: string[] = [];
    for (const args of calls) answers.push(codeOf(await toolkit.invoke('test.run', args, talk)));
    expect(answers).toEqual(['closed', 'retry_refused', 'retry_refused']);
  });

  it('for any JSON, exactly where it is equal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
        const { codes } = await guarding(failing);
        const [first, second] = [{ free: { v: one } }, { free: { v: other } }];
        const isEqual = JSON.stringify(sorted(first)) === JSON.stringify(sorted(second));
        const expected = isEqual ? 'retry_refused' : expect.stringMatching(/closed|invalid_input/);
        const [, again, another] = await codes([first, talk], [first, talk], [second, talk]);
        expect([again, another]).toEqual(['retry_refused', expected]);
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

/** The same JSON with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return { list: value.map(sorted) };
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, part]) => [key, sorted(part)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

it.each(['seven', 7])('what its caller makes of the arguments %s later is another call', async (id) => {
  const { codes, run } = await guarding(failing);
  const args: { id: unknown; note?: string } = { id };
  const answering = run(args, talk);
  args.note = 'changed';
  const code = codeOf(await answering);
  expect(await codes([args, talk], [{ id }, talk])).toEqual([code, 'retry_refused']);
});

describe('a failure is forgotten', () => {
  it('in a new turn, and counts again from there', async () => {
    const { codes } = await guarding(failing);
    const next = { ...talk, turnId: 'turn-2' };
    expect(await codes([{}, talk], [{}, talk], [{}, next], [{}, next])).toEqual([
      'closed',
      'retry_refused',
      'closed',
      'retry_refused',
    ]);
  });

  it('not where the turn is not said', async () => {
    const { codes } = await guarding(failing);
    const unsaid = { ...talk, turnId: undefined };
    expect(await codes([{}, talk], [{}, unsaid], [{}, talk])).toEqual([
      'closed',
      'retry_refused',
      'retry_refused',
    ]);
    const bob = { id: 'bob', scopes: [] };
    expect(await codes([{}, { ...unsaid, principal: bob }], [{}, { ...talk, principal: bob }])).toEqual([
      'closed',
      'retry_refused',
    ]);
  });

  it('when the scopes of the principal change, also back, and not when they are listed otherwise', async () => {
    const { codes } = await guarding(failing);
    const withScopes = (...scopes: readonly string[]) => ({ ...talk, principal: { id: 'ann', scopes } });
    const calls = [
      withScopes('a', 'b'),
      withScopes('b', 'a'),
      withScopes('a'),
      withScopes('a', 'b'),
      withScopes('a', 'b'),
    ];
    expect(await codes(...calls.map((call) => [{}, call] as const))).toEqual([
      'closed',
      'retry_refused',
      'closed',
      'closed',
      'retry_refused',
    ]);
  });

  it.each([
    ['a success', { note: 'ok' }, 'done'],
    ['an output that is refused after the action', { note: 'big' }, 'invalid_output'],
  ])('after a write with %s in the conversation', async (_case, args, answer) => {
    const { codes } = await guarding(
      ({ note }) => (note === undefined ? failing() : note === 'ok' ? 1 : 1n),
      {
        kind: 'write',
      },
    );
    const other = { ...talk, conversationId: 'other' };
    expect(await codes([{}, other], [{}, talk], [{}, talk], [args, talk], [{}, talk], [{}, other])).toEqual([
      'closed',
      'closed',
      'retry_refused',
      answer,
      'closed',
      'retry_refused',
    ]);
  });

  it('not after a read or a failed write', async () => {
    const handler: RunHandler = ({ note }) => (note === 'ok' ? 1 : failing());
    const reading = await guarding(handler);
    expect(await reading.codes([{}, talk], [{ note: 'ok' }, talk], [{}, talk])).toEqual([
      'closed',
      'done',
      'retry_refused',
    ]);
    const writing = await guarding(handler, { kind: 'write' });
    expect(await writing.codes([{}, talk], [{ note: 'no' }, talk], [{}, talk])).toEqual([
      'closed',
      'closed',
      'retry_refused',
    ]);
  });

  it.each<readonly [string, number, InvokeOptions]>([
    ['ten minutes in a conversation', 600_000, talk],
    ['one minute without one', 60_000, { principal: ann }],
  ])('after %s', async (_case, lifetime, call) => {
    jest.useFakeTimers();
    try {
      const { codes } = await guarding(failing);
      expect(await codes([{}, call])).toEqual(['closed']);
      jest.advanceTimersByTime(lifetime - 1);
      expect(await codes([{}, call])).toEqual(['retry_refused']);
      jest.advanceTimersByTime(1);
      expect(await codes([{}, call], [{}, call])).toEqual(['closed', 'retry_refused']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('where a call begun before the write fails after it', async () => {
    let fail = (): void => {};
    const { run } = await toolkitRunning(
      ({ note }) =>
        note === 'slow'
          ? new Promise((_resolve, reject) => {
              fail = () => reject(closed(false));
            })
          : 1,
      { kind: 'write' },
    );
    const slow = run({ note: 'slow' }, talk);
    await new Promise(setImmediate);
    expect(codeOf(await run({}, talk))).toBe('done');
    fail();
    expect(codeOf(await slow)).toBe('closed');
    const again = run({ note: 'slow' }, talk);
    await new Promise(setImmediate);
    fail();
    expect(codeOf(await again)).toBe('closed');
  });
});
