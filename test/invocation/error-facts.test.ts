/**
 * What the log gets of an error beside its text.
 * Invariant: only short texts and numbers of known names, none of them a credential, and nothing for the caller.
 */
import { type LogEntry, runOnce } from '../fixtures/recorded-toolkit';

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** The error to the caller, and the log, of a tool that throws something. */
async function failureOf(thrown: unknown) {
  const { result, log } = await runOnce(throwing(thrown), { retry: false });
  if (result.success) throw new Error('the call succeeded');
  return { error: result.error, log };
}

/** The error that one entry holds. */
function errorIn([entry]: readonly LogEntry[]): object {
  const error: unknown = entry !== undefined && 'error' in entry.fields ? entry.fields.error : undefined;
  if (typeof error !== 'object' || error === null) throw new Error('the log holds no error');
  return error;
}

describe('the facts of an error', () => {
  it.each<readonly [string, object, object]>([
    [
      'a Response',
      new Response('{"password":"hunter22"}', { status: 401, statusText: 'Unauthorized' }),
      { type: 'Response', status: 401, statusText: 'Unauthorized' },
    ],
    [
      'what looks like one',
      { status: 503, statusText: 'Busy', url: 'http://u:hunter22@api.test/x' },
      { status: 503, statusText: 'Busy', url: 'http://[redacted]@api.test/x' },
    ],
    [
      'an error that carries one',
      Object.assign(new Error('no'), { code: 'ERR_BAD', response: { status: 500, url: 'http://a.test/x' } }),
      { code: 'ERR_BAD', status: 500, url: 'http://a.test/x' },
    ],
    [
      'an error of the system',
      Object.assign(new Error('no'), { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
      { code: 'ECONNRESET', errno: -104, syscall: 'read' },
    ],
    [
      'an error of Postgres, but for the values that its detail quotes',
      Object.assign(new Error('no'), {
        ...{ code: '23505', severity: 'ERROR', table: 'users', column: 'mail', constraint: 'users_mail_key' },
        ...{ routine: '_bt_check_unique', detail: 'Key (mail)=(ann@corp.test) already exists.' },
      }),
      {
        code: '23505',
        table: 'users',
        column: 'mail',
        constraint: 'users_mail_key',
        routine: '_bt_check_unique',
      },
    ],
  ])('are logged: %s', async (_case, thrown, facts) => {
    const { log } = await failureOf(thrown);
    expect(errorIn(log)).toMatchObject(facts);
    expect(JSON.stringify(log)).not.toMatch(/hunter22|corp\.test/);
  });

  it('are logged of causes, and kept from the caller', async () => {
    const cause = Object.assign(new Error('inner'), { code: 'EX_INNER', table: 'users' });
    const { error, log } = await failureOf(new Error('outer', { cause }));
    expect(errorIn(log)).toMatchObject({ cause: { code: 'EX_INNER', table: 'users' } });
    expect(JSON.stringify(error)).not.toContain('users');
  });

  it('are short texts and numbers, without credentials', async () => {
    const thrown = Object.assign(new Error('no'), {
      ...{ code: 'x'.repeat(201), errno: Number.NaN, syscall: { a: 1 }, table: '' },
      ...{ constraint: 'ghp_EXAMPLEexampleEXAMPLEexample', status: 500 },
      url: `http://a.test/${'y'.repeat(1_900)}`,
    });
    const error = errorIn((await failureOf(thrown)).log);
    expect(error).toMatchObject({ constraint: '[redacted]', status: 500, url: expect.any(String) });
    expect('url' in error && String(error.url).length).toBe(500);
    for (const name of ['code', 'errno', 'syscall', 'table']) expect(error).not.toHaveProperty(name);
  });

  it('do not keep an error from the log when they cannot be read', async () => {
    const thrown = Object.defineProperty(new RangeError('far'), 'code', { get: throwing(new Error('no')) });
    expect(errorIn((await failureOf(thrown)).log)).toMatchObject({ type: 'RangeError' });
  });
});
