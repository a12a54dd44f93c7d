/**
 * What holds of everything that is mapped: the outcome of writes, the words, and what the log gets.
 * Invariant: whatever an error carries, the answer is well-formed and says nothing of what it carried.
 */
import fc from 'fast-check';
import { isFrameworkErrorCode, toWire } from 'toolcrib';
import { runOnce, toolkitRunning } from '../../fixtures/recorded-toolkit';
import { failureOfIdempotent } from '../../fixtures/thrown-outcomes';

const codes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', '40001', '23505', 'SQLITE_BUSY', 'UND_ERR_SOCKET'];
const names = ['AbortError', 'TimeoutError', 'Error'];

/** Anything that may stand in one of the members that are looked at. */
const member = fc.oneof(
  fc.integer({ min: 399, max: 600 }),
  fc.constantFrom(...codes, ...names),
  fc.anything({ maxDepth: 1, withBigInt: true, withNullPrototype: true }),
  fc.record({ status: fc.integer({ min: 399, max: 600 }), headers: fc.anything({ maxDepth: 1 }) }),
);

const looked = ['status', 'statusCode', 'response', 'headers', 'code', 'name', 'syscall', 'cause', 'errcode'];

/** However often a tool has failed, it is called, and once. */
const oneAttempt = { retry: false, circuitBreaker: false } as const;

const thrownObjects = fc
  .record(Object.fromEntries(looked.map((name) => [name, member])), { requiredKeys: [] })
  .chain((members) =>
    fc.constantFrom(
      { ...members, message: 'secret-EXAMPLE' },
      Object.assign(new Error('secret-EXAMPLE'), members),
      new AggregateError([Object.assign(new Error('secret-EXAMPLE'), members)], 'secret-EXAMPLE'),
    ),
  );

it('is one well-formed failure, and of a write never one that may be repeated where it may have happened', async () => {
  const thrown: { now: unknown } = { now: undefined };
  const throwNow = () => Promise.reject(thrown.now);
  const [reader, writer] = [
    await toolkitRunning(throwNow, oneAttempt),
    await toolkitRunning(throwNow, { ...oneAttempt, kind: 'write' }),
  ];
  await fc.assert(
    fc.asyncProperty(thrownObjects, async (one) => {
      thrown.now = one;
      const [read, written] = [await reader.run(), await writer.run()];
      if (read.success || written.success) throw new Error('the call succeeded');
      for (const result of [read, written]) {
        expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual({ isError: true, error: result.error });
        expect(isFrameworkErrorCode(result.error.code)).toBe(true);
        const { code, message } = result.error;
        if (code !== 'internal_error') expect(message).not.toContain('EXAMPLE');
      }
      expect(read.error.code).not.toBe('outcome_unknown');
      const isOpen = written.error.code === 'outcome_unknown';
      expect(written.error.retryable).toBe(read.error.retryable && !isOpen);
    }),
  );
});

it('is safe to repeat on an idempotent tool, also where that is out of time', async () => {
  const error = await failureOfIdempotent(() => new Promise(() => {}), 1);
  expect(error).toEqual({ code: 'outcome_unknown', retryable: true, message: expect.any(String) });
});

describe('the log', () => {
  const body = { config: { headers: { Authorization: 'Bearer t0k-EXAMPLE' } } };

  it.each([
    [{ ...body, status: 404 }, 'info'],
    [{ ...body, status: 429 }, 'warn'],
    [{ ...body, status: 503 }, 'warn'],
    [{ ...body, status: 504 }, 'warn'],
    [{ ...body, status: 401 }, 'error'],
  ] as const)('gets %j once, as %s', async (members, level) => {
    const thrown = Object.assign(new Error('Bearer t0k-EXAMPLE'), members);
    for (const kind of ['none', 'write'] as const) {
      const { result, log } = await runOnce(() => Promise.reject(thrown), { ...oneAttempt, kind });
      expect(log).toMatchObject([
        { level, fields: { tool: 'test.run@1.0.0', callId: expect.any(String), error: { type: 'Error' } } },
      ]);
      expect(JSON.stringify([result, log])).not.toContain('t0k-EXAMPLE');
    }
  });

  it('has the reference that an internal error names', async () => {
    const { result, log } = await runOnce(() => Promise.reject({ status: 403 }));
    if (result.success) throw new Error('the call succeeded');
    const [entry] = log;
    expect(entry?.fields).toHaveProperty('reference');
    const reference = entry !== undefined && 'reference' in entry.fields ? entry.fields.reference : undefined;
    expect(result.error.message).toContain(String(reference));
  });
});

it('is said in the same words where unexpected errors are masked', async () => {
  const words = async (maskUnexpectedErrors: boolean) =>
    (await runOnce(() => Promise.reject({ status: 404 }), { maskUnexpectedErrors })).result;
  expect(await words(true)).toEqual(await words(false));
});
