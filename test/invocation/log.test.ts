/**
 * What the log gets of a failed call, and what it never gets.
 * Invariant: the log tells the whole of an unexpected error under the reference that the caller was given, and
 * neither tells a credential.
 */
import { createToolkit, Scopes, SideEffect, Tool, ToolError } from 'toolcrib';
import { type LogEntry, type RecordedOptions, runOnce, toolkitRunning } from '../fixtures/recorded-toolkit';

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** The message to the caller, and the entries of the log, of a tool that throws something. */
async function failureOf(thrown: unknown, options?: RecordedOptions) {
  const { result, log } = await runOnce(throwing(thrown), { retry: false, ...options });
  if (result.success) throw new Error('the call succeeded');
  return { error: result.error, log };
}

/** The error that one entry holds. */
function errorIn([entry]: readonly LogEntry[]): object {
  const error: unknown = entry !== undefined && 'error' in entry.fields ? entry.fields.error : undefined;
  if (typeof error !== 'object' || error === null) throw new Error('the log holds no error');
  return error;
}

function referenceIn([entry]: readonly LogEntry[]): string {
  return entry !== undefined && 'reference' in entry.fields ? String(entry.fields.reference) : '';
}

/** The type names along a chain of causes. */
function chainOf(error: object): readonly unknown[] {
  const type = 'type' in error ? error.type : undefined;
  const cause = 'cause' in error && typeof error.cause === 'object' ? error.cause : null;
  return [type, ...(cause === null ? [] : chainOf(cause))];
}

describe('an unexpected error', () => {
  it('is logged once, as an error, with the tool, the call and the error', async () => {
    const { run, log } = await toolkitRunning(throwing(new RangeError('too far')));
    await run({ note: 'private-EXAMPLE' }, { callId: 'call-1' });
    expect(log).toEqual([
      {
        level: 'error',
        fields: {
          tool: 'test.run@1.0.0',
          callId: 'call-1',
          code: 'internal_error',
          reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
          error: { type: 'RangeError', message: expect.any(String), stack: expect.any(String) },
        },
      },
    ]);
    expect(JSON.stringify(log)).toContain('too far');
    expect(JSON.stringify(log)).not.toContain('private-EXAMPLE');
  });

  it.each([
    ['unmasked', false],
    ['masked', true],
  ])('carries the reference of the log in its message, %s', async (_case, maskUnexpectedErrors) => {
    const first = await failureOf(new Error('no'), { maskUnexpectedErrors });
    const second = await failureOf('no', { maskUnexpectedErrors });
    for (const { error, log } of [first, second]) {
      expect(referenceIn(log)).toMatch(/^[0-9a-f-]{36}$/);
      expect(error.message).toContain(referenceIn(log));
    }
    expect(referenceIn(first.log)).not.toBe(referenceIn(second.log));
  });

  it('is in the log in full where it is masked for the caller', async () => {
    const { log } = await failureOf(new RangeError('inner workings'), { maskUnexpectedErrors: true });
    expect(errorIn(log)).toMatchObject({ type: 'RangeError' });
    expect(JSON.stringify(log)).toContain('inner workings');
  });

  it.each([
    ['undefined', undefined],
    ['a symbol', Symbol('x')],
    ['a function', () => 'x'],
    ['an object', { status: 503 }],
  ])('is logged with a type and a text when it is %s', async (_case, thrown) => {
    const { log } = await failureOf(thrown);
    expect(errorIn(log)).toMatchObject({ type: expect.any(String), message: expect.any(String) });
    expect(JSON.parse(JSON.stringify(log))).toHaveLength(1);
  });

  it('is logged when nothing in it can be read', async () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const { error, log } = await failureOf(revoked.proxy);
    expect(error.message).toContain(referenceIn(log));
  });
});

describe('an entry', () => {
  it('says what the caller was answered, who called, and which attempt it was', async () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const { run, log } = await toolkitRunning(throwing(refused), {
      retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1 },
    });
    await run({}, { principal: { id: 'ann', scopes: [] } });
    expect(log.map(({ fields }) => fields)).toMatchObject([
      { code: 'unavailable', principal: 'ann' },
      { code: 'unavailable', principal: 'ann', attempt: 2 },
    ]);
    expect(log[0]?.fields).not.toHaveProperty('attempt');
  });

  it('says nothing of a caller who is not known, and is written whatever the caller is', async () => {
    const hostile = Object.defineProperty({ scopes: [] }, 'id', { get: throwing(new Error('no')) });
    for (const principal of [undefined, Object(hostile)]) {
      const { run, log } = await toolkitRunning(throwing(new Error('no')));
      await run({}, { principal });
      expect(log[0]?.fields).not.toHaveProperty('principal');
    }
  });

  it('has the code of an output that is refused, and of a call that is out of time', async () => {
    const invalid = await runOnce(() => 1n);
    expect(invalid.log).toMatchObject([{ fields: { code: 'invalid_output' } }]);
    const slow = await runOnce((_, { signal }) => untilAborted(signal), {
      tool: { timeoutMs: 1 },
      retry: false,
    });
    const ofTimeout = { fields: expect.objectContaining({ code: 'timeout' }) };
    expect(slow.log).toContainEqual(expect.objectContaining(ofTimeout));
  });
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

describe('causes', () => {
  it('are logged with the error, and are kept from the caller', async () => {
    const thrown = new TypeError('outer', { cause: new RangeError('inner', { cause: 'innermost' }) });
    const { error, log } = await failureOf(thrown);
    expect(chainOf(errorIn(log))).toEqual(['TypeError', 'RangeError', 'string']);
    expect(JSON.stringify(log)).toContain('innermost');
    expect(error.message).not.toContain('inner');
  });

  it('end where they are circular or endless', async () => {
    const circular = new Error('circular');
    circular.cause = circular;
    const endless: object = new Proxy(
      {},
      { get: (_target, member) => (member === 'cause' ? endless : undefined) },
    );
    const long = Array.from({ length: 10_000 }).reduce<Error>(
      (cause) => new Error('one', { cause }),
      new Error(),
    );
    for (const thrown of [circular, endless, long]) {
      const { log } = await failureOf(thrown);
      const { length } = chainOf(errorIn(log));
      expect(length).toBeGreaterThan(1);
      expect(length).toBeLessThan(20);
      expect(JSON.parse(JSON.stringify(log))).toHaveLength(1);
    }
  });

  it('are logged for a ToolError too, whose cause goes to the log only', async () => {
    const cause = new Error('connection refused');
    const { error, log } = await failureOf(
      new ToolError({ code: 'no_luck', message: 'No luck.', retryable: true, cause }),
    );
    expect(error).toEqual({ code: 'no_luck', message: 'No luck.', retryable: true });
    expect(JSON.stringify(log)).toContain('connection refused');
  });

  it('are logged for each error of an AggregateError', async () => {
    const thrown = new AggregateError(
      [new RangeError('first of two'), new TypeError('second of two')],
      'both',
    );
    const { error, log } = await failureOf(thrown);
    expect(JSON.stringify(log)).toContain('first of two');
    expect(JSON.stringify(log)).toContain('second of two');
    expect(error.message).not.toContain('of two');
  });
});

describe('an error that holds many', () => {
  function nested(depth: number): Error {
    return depth === 0
      ? new Error('leaf')
      : new AggregateError(
          Array.from({ length: 10 }, () => nested(depth - 1)),
          'branch',
        );
  }

  it('is logged in part, also where it holds itself', async () => {
    const own = new AggregateError([], 'branch');
    own.errors.push(...Array.from({ length: 10 }, () => own));
    own.cause = own;
    for (const thrown of [nested(4), own]) {
      const { log } = await failureOf(thrown);
      const text = JSON.stringify(log);
      expect(text).toContain('branch');
      expect(text.match(/"type":/g)?.length).toBeLessThanOrEqual(40);
    }
  });

  it('is logged in part where its texts are long', async () => {
    const { log } = await failureOf(
      new AggregateError(
        Array.from({ length: 10 }, () => new Error('so it was. '.repeat(20_000))),
        'all',
      ),
    );
    expect(JSON.stringify(log).length).toBeLessThan(400_000);
  });
});

describe('what is never logged', () => {
  const secret = 'ghp_EXAMPLEexampleEXAMPLEexample';

  function named(name: string): Error {
    const error = new Error('no');
    error.name = name;
    return error;
  }

  it.each([
    ['a text', secret],
    ['the message', new Error(`refused ${secret}`)],
    ['the name', named(secret)],
    ['the stack', Object.assign(new Error('no'), { stack: `Error: at ${secret}` })],
    ['a cause', new Error('no', { cause: new Error(secret) })],
    ['a cause that is a text', new Error('no', { cause: secret })],
    ['an error of an AggregateError', new AggregateError([new Error(secret)], 'no')],
    ['a member of an object', { status: 503, headers: { Authorization: secret }, [secret]: 1 }],
    ['a member of an error', Object.assign(new Error('no'), { input: secret })],
    ['a ToolError', new ToolError({ code: 'no_luck', message: secret, retryable: false, detail: [secret] })],
  ])('is a credential in %s', async (_case, thrown) => {
    const { error, log } = await failureOf(thrown);
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  it.each([
    ['a success', () => 'done', {}],
    ['refused arguments', () => 'done', { id: 'seven' }],
    [
      'a ToolError without a cause',
      throwing(new ToolError({ code: 'a', message: 'b', retryable: false })),
      {},
    ],
  ])('is %s, as an error', async (_case, handler, args) => {
    const { run, log } = await toolkitRunning(handler, {});
    await run(args);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a logger that fails', () => {
  it('does not cost the caller the answer', async () => {
    const fail = throwing(new Error('disk full'));
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const { error } = await failureOf(new RangeError('too far'), { logger });
    expect(error).toMatchObject({ code: 'internal_error', retryable: false });
    expect(error.message).toContain('too far');
  });
});

describe('the logger that applies where none is given', () => {
  @Tool({ name: 'test.fails', version: '1.0.0', description: 'Fails.' })
  @Scopes()
  @SideEffect('none')
  class Fails {
    execute(): never {
      throw new RangeError('too far');
    }
  }

  it('writes one JSON object a line to standard error', async () => {
    const written = jest.spyOn(console, 'error').mockImplementation(() => {});
    const toolkit = await createToolkit({ discover: { classes: [Fails] } });
    await toolkit.invoke('test.fails', {});
    const lines: unknown[] = written.mock.calls.map(([line]) => line);
    written.mockRestore();
    expect(lines).toHaveLength(1);
    expect(String(lines[0])).not.toContain('\n');
    expect(JSON.parse(String(lines[0]))).toMatchObject({
      level: 'error',
      tool: 'test.fails@1.0.0',
      error: { type: 'RangeError' },
    });
  });
});
