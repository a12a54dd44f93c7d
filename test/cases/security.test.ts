/**
 * The cases of security: what people met with systems like this one, by their ids.
 * Invariant: no secret is in an answer or a log, and ordinary facts are in both as they were.
 */
import { IsString, MaxLength, ValidateBy } from 'class-validator';
import { ToolError } from 'toolcrib';
import { type RecordedOptions, runOnce, toolkitRunning } from '../fixtures/recorded-toolkit';

/** All that leaves a call which throws, as text. */
async function departureOf(thrown: unknown, options?: RecordedOptions): Promise<string> {
  const { result, log } = await runOnce(() => Promise.reject(thrown), options);
  expect(result.success).toBe(false);
  return JSON.stringify({ result, log });
}

function refusal(message: string, detail?: object): ToolError {
  const json = detail === undefined ? {} : { detail: JSON.parse(JSON.stringify(detail)) };
  return new ToolError({ code: 'refused', message, retryable: false, ...json });
}

describe('SEC-01: bearer tokens and keys in error text and request objects', () => {
  it.each([
    ['a query', new Error('GET https://api.example.com/v1?api_key=K-EXAMPLE-123&x=1 failed: 401')],
    [
      'a query in capitals',
      new Error('GET https://api.example.com/v1?API_KEY=K-EXAMPLE-123&x=1 failed: 401'),
    ],
    ['a header', new Error('sent AUTHORIZATION: bearer eyJhbGciOi.EXAMPLE.sig to api.example.com')],
    [
      'a request object',
      refusal('Request to api.example.com failed', {
        config: { headers: { Authorization: 'Bearer eyJhbGciOi.EXAMPLE.sig', 'X-Api-Key': 'K-EXAMPLE-123' } },
      }),
    ],
  ])('%s', async (_where, thrown) => {
    const text = await departureOf(thrown);
    expect(text).not.toContain('EXAMPLE');
    expect(text).toContain('api.example.com');
  });

  it('a URL that fetch repeats', async () => {
    const thrown: unknown = await fetch('http://user:pass-EXAMPLE@host.example/').catch(
      (error: unknown) => error,
    );
    const text = await departureOf(thrown);
    expect(text).not.toContain('EXAMPLE');
    expect(text).toContain('host.example');
  });
});

describe('SEC-02: connection strings', () => {
  const STRINGS = [
    'postgres://app:p@ss:w/rd-EXAMPLE@db.internal:5432/x',
    'mongodb+srv://u:p%40ss-EXAMPLE@',
    'postgres://u@h/db?password=hunter2-EXAMPLE',
    "host=db user=app password='hunter2-EXAMPLE'",
    'Server=db;User Id=sa;Password=Hunter2-EXAMPLE;',
    'redis://:pw-EXAMPLE@h:6379',
  ];
  it.each(STRINGS)('%s', async (string) => {
    for (const thrown of [
      new Error(`cannot connect to ${string}`),
      new Error('cannot connect', { cause: new AggregateError([new Error(string)], string) }),
      Object.assign(new Error('cannot connect'), { input: string, config: { url: string } }),
      refusal('cannot connect', { input: string, sql: [string] }),
      string,
    ]) {
      expect(await departureOf(thrown)).not.toMatch(/EXAMPLE|p@ss|p%40ss/);
    }
  });

  it("the input that Node's URL error keeps", async () => {
    let thrown: unknown;
    try {
      new URL('postgres://u:p@ss-EXAMPLE@h:notaport/db');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toHaveProperty('input');
    expect(await departureOf(thrown)).not.toContain('EXAMPLE');
  });
});

describe('SEC-05: by key and by value, at every depth', () => {
  it('masks in texts, lists, JSON in a text, and keys, and changes nothing of what was thrown', async () => {
    const detail = {
      apiKey: 'K-EXAMPLE-123',
      list: ['Bearer t0k-EXAMPLE', { token: ['x-EXAMPLE'] }],
      text: '{"password":"hunter2-EXAMPLE"}',
      'Bearer t0k-EXAMPLE': 1,
      credentials: { user: 'u-EXAMPLE' },
    };
    const thrown = refusal('AuthError: bad key sk_live_EXAMPLE', detail);
    const text = await departureOf(thrown);
    expect(text).not.toContain('EXAMPLE');
    expect(text).toContain('AuthError: bad key [redacted]');
    expect(thrown.detail).toEqual(detail);
  });

  it('masks in what a handler logs: maps, sets, and values that hold themselves', async () => {
    const fields: Record<string, unknown> = {
      m: new Map([['auth', 'Bearer t0k-EXAMPLE']]),
      apiKey: 'K-EXAMPLE-123',
    };
    fields.self = fields;
    const { log } = await runOnce((_input, { logger }) => logger.warn(fields, 'a warning'));
    expect(log).toHaveLength(1);
    expect(JSON.stringify(log)).not.toContain('EXAMPLE');
  });

  it('masks what an interceptor answers, and what a caller sends as a name', async () => {
    const { result } = await runOnce(() => 1, {
      interceptors: [
        {
          stage: 'limit',
          run: async () => ({
            success: false,
            error: {
              code: 'busy',
              message: 'password=EXAMPLE',
              retryable: true,
              detail: { token: 'EXAMPLE' },
            },
          }),
        },
      ],
    });
    expect(result).toMatchObject({ success: false, error: { code: 'busy', retryable: true } });
    expect(JSON.stringify(result)).not.toContain('EXAMPLE');
  });
});

describe('SEC-07: a rejected value', () => {
  class LoginInput {
    @MaxLength(4, { message: 'pin $value is too long' }) pin!: string;
    @IsString() apiKey!: string;
    @ValidateBy({
      name: 'known',
      validator: { validate: () => false, defaultMessage: () => 'unknown $value' },
    })
    code!: string;
  }

  it('is repeated neither by words of the framework, nor by words of an author, nor in the log', async () => {
    const handler = jest.fn();
    const { run, log } = await toolkitRunning(handler, { tool: { input: LoginInput } });
    const result = await run({ pin: '9876-EXAMPLE', apiKey: 12345, code: 'C-EXAMPLE' });
    expect(result).toMatchObject({
      success: false,
      error: {
        code: 'invalid_input',
        detail: {
          violations: [
            { path: '/pin', rule: 'maxLength' },
            { path: '/apiKey', rule: 'isString' },
          ],
        },
      },
    });
    expect(JSON.stringify([result, log])).not.toMatch(/EXAMPLE|12345/);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('SEC-11: ordinary facts', () => {
  const SUCCESS = {
    commit: '3f786850e387550fdab836ed7e6dc881de23001b',
    id: '6f1c1d1e-0000-4000-8000-000000000001',
    contact: 'ann@example.org',
    png: 'iVBORw0KGgoAAAANSUhEUg==',
    password: 'a result is its tool’s own affair',
  };
  const MESSAGE = 'order 4111-2024-0007 for commit 3f786850e387 not found; tokens used: 1532; keyboard=us';

  it('stay in a result, addresses included', async () => {
    expect((await runOnce(() => SUCCESS)).result).toEqual({ success: true, result: SUCCESS });
  });

  it('stay in an error', async () => {
    const { result } = await runOnce(() => Promise.reject(refusal(MESSAGE, { missing: ['orders:read'] })));
    expect(result).toMatchObject({ error: { message: MESSAGE, detail: { missing: ['orders:read'] } } });
  });

  it('addresses stay in an error where the application says so, and are masked otherwise', async () => {
    const thrown = refusal('ann@example.org has no account');
    expect(await departureOf(thrown)).not.toContain('ann@example.org');
    expect(await departureOf(thrown, { redact: { emails: false } })).toContain(
      'ann@example.org has no account',
    );
  });
});
