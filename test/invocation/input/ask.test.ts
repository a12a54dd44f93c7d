/**
 * Questions of handlers, whatever their door answers.
 * Invariant: a handler gets content that its model accepts, or no content; nobody is asked without a door.
 */
import { IsInt, Max } from 'class-validator';
import type { InputAnswer, InputRequest, InputRequester, RequestInputOptions, ToolContext } from 'toolcrib';
import { type RecordedOptions, toolkitRunning } from '../../fixtures/recorded-toolkit';

class Fee {
  @IsInt() @Max(9) fee!: number;
}

const accept = (content: unknown): InputAnswer<unknown> => ({ action: 'accept', content });

function ask(context: ToolContext, question: Partial<RequestInputOptions> = {}) {
  return context.requestInput(Fee, { message: 'Which fee?', ...question });
}

/** Runs a handler once that asks; gives what it was asked by, and what came of it. */
async function asked(
  answer: (request: InputRequest, times: number) => unknown,
  handler: (context: ToolContext) => unknown = (context) => ask(context),
  options: RecordedOptions = {},
) {
  const requests: InputRequest[] = [];
  const { run, log } = await toolkitRunning((_, context) => handler(context), options);
  // A door of an application may answer anything.
  const inputRequester = ((request: InputRequest) => {
    requests.push(request);
    return answer(request, requests.length);
  }) as InputRequester;
  const result = await run({}, { inputRequester, callId: 'call-1' });
  return { requests, log, result };
}

describe('requestInput', () => {
  it('answers undefined where the door asks nobody, or nobody can be asked now', async () => {
    const { run } = await toolkitRunning(async (_, context) => (await ask(context)) === undefined);
    expect(await run()).toEqual({ success: true, result: true });
    const { result } = await asked(
      () => undefined,
      async (context) => (await ask(context)) === undefined,
    );
    expect(result).toEqual({ success: true, result: true });
  });

  it.each([{ action: 'decline' }, { action: 'cancel' }])('hands on %j without content', async (answer) => {
    const { result } = await asked(() => ({ ...answer, content: { fee: 1 } }));
    expect(result).toEqual({ success: true, result: answer });
  });

  it('asks again with the problem, and takes what is declared alone', async () => {
    const wrong = [accept({ fee: 'x' }), accept(undefined), accept([1]), accept({ fee: 10 })];
    const { requests, result } = await asked(
      (_, times) => wrong[times - 1] ?? accept({ fee: 3, admin: true }),
    );
    expect(result).toEqual({ success: true, result: { action: 'accept', content: { fee: 3 } } });
    expect(requests.map(({ problem }) => problem === undefined)).toEqual([true, false, false, false, false]);
    expect(new Set(requests.map(({ binding }) => binding)).size).toBe(5);
  });

  it('ends no process where the handler does not wait for what the door throws', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', hear);
    try {
      const { result } = await asked(
        () => Promise.reject(new Error('the line is dead')),
        (context) => {
          void ask(context);
          return 'done';
        },
      );
      expect(result).toEqual({ success: true, result: 'done' });
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', hear);
    }
  });

  it('counts five invalid answers as cancelled', async () => {
    const { requests, result } = await asked(() => accept({ fee: 10 }));
    expect(result).toEqual({ success: true, result: { action: 'cancel' } });
    expect(requests).toHaveLength(5);
  });

  it.each([null, true, {}, { action: 'yes' }, 'accept'])('takes %j for no answer', async (answer) => {
    const { result, log } = await asked(() => answer);
    expect(result).toMatchObject({ success: false, error: { code: 'internal_error' } });
    expect(log.some(({ level }) => level === 'error')).toBe(true);
  });

  it('takes a door that throws for a failure of the call', async () => {
    const { result } = await asked(() => {
      throw new TypeError('the line is dead');
    });
    expect(result).toMatchObject({ success: false, error: { code: 'internal_error' } });
  });

  it.each<[string, Partial<RequestInputOptions>]>([
    ['no message', { message: ' ' }],
    ['a key that is none', { key: 'a key' }],
    ['too long a key', { key: 'k'.repeat(65) }],
    ['a key that parsers of JSON drop', { key: '__proto__' }],
    ['a key that every object has', { key: 'constructor' }],
  ])('refuses %s', async (_, question) => {
    const { requests, result } = await asked(
      () => accept({ fee: 1 }),
      (context) => ask(context, question),
    );
    expect(result).toMatchObject({ success: false, error: { code: 'internal_error' } });
    expect(requests).toEqual([]);
  });

  it('names a question by its key or its number, and binds it to its words and its call', async () => {
    const questions = [{}, { key: 'own' }, {}, { message: 'Which other fee?' }];
    const all = (context: ToolContext) => Promise.all(questions.map((question) => ask(context, question)));
    const one = await asked(() => accept({ fee: 1 }), all);
    const other = await asked(() => accept({ fee: 1 }), all, { tool: { version: '1.0.1' } });
    expect(one.requests.map(({ key }) => key)).toEqual(['1', 'own', '3', '4']);
    const bindings = [...one.requests, ...other.requests].map(({ binding }) => binding);
    expect(new Set(bindings).size).toBe(8);
    expect(one.requests.every(({ callId, tool }) => callId === 'call-1' && tool === 'test.run@1.0.0')).toBe(
      true,
    );
  });

  it('shows no characters that nobody sees, and a message of at most 2,000', async () => {
    const message = `Pay\u202e\u200b now?${'!'.repeat(3_000)}`;
    const { requests } = await asked(
      () => accept({ fee: 1 }),
      (context) => ask(context, { message }),
    );
    expect(requests[0]?.message.startsWith('Pay now?!')).toBe(true);
    expect(requests[0]?.message).toHaveLength(2_000);
  });

  it('counts anew in each attempt, so that a retried handler asks the same questions', async () => {
    let attempts = 0;
    const { requests } = await asked(
      () => accept({ fee: 1 }),
      async (context) => {
        await ask(context);
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      },
      { retry: { maxAttempts: 2, baseDelayMs: 1 } },
    );
    expect(attempts).toBe(2);
    expect(requests.map(({ key }) => key)).toEqual(['1', '1']);
    expect(requests[0]?.binding).toBe(requests[1]?.binding);
  });

  it('hands a pause of the run on, and marks the claim of the call so', async () => {
    const pause = new Error('paused');
    const { toolkit } = await toolkitRunning((_, context) => ask(context), { kind: 'write' });
    const options = { callId: 'call-1', isPause: (thrown: unknown) => thrown === pause };
    const pausing = () => {
      throw pause;
    };
    await expect(toolkit.invoke('test.run', {}, { ...options, inputRequester: pausing })).rejects.toBe(pause);
    expect(await toolkit.ledger?.list({ state: 'paused' })).toHaveLength(1);
    const answering = () => ({ action: 'decline' }) as const;
    const result = await toolkit.invoke('test.run', {}, { ...options, inputRequester: answering });
    expect(result).toEqual({ success: true, result: { action: 'decline' } });
  });
});
