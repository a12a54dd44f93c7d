/**
 * The mappings of authors: of a tool, and of a toolkit.
 * Invariant: they are asked before what is built in, and one that fails is as good as none.
 */
import { createToolkit, type FailedCall, type MappedError, ToolError } from 'toolcrib';
import { rejectionOf } from '../../fixtures/declaration-problems';
import { type RecordedOptions, runOnce, toolkitRunning } from '../../fixtures/recorded-toolkit';
import { failureOfThrown } from '../../fixtures/thrown-outcomes';
import { makeUntyped } from '../../fixtures/untyped-declarations';

class CarrierDown extends Error {}

const mapped: MappedError = { code: 'carrier_down', message: 'The carrier is down.', retryable: true };
const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });

/** Options with the mapping at the tool, and at the toolkit. */
function bothWays(mapError: unknown): readonly RecordedOptions[] {
  return [{ tool: { mapError } }, { mapError: (error, call) => answerOf(mapError, error, call) }];
}

function answerOf(mapError: unknown, error: unknown, call: FailedCall): MappedError | undefined {
  if (typeof mapError !== 'function') return undefined;
  return mapError(error, call);
}

it('names errors of the author', async () => {
  const mapError = (error: unknown) => (error instanceof CarrierDown ? mapped : undefined);
  for (const options of bothWays(mapError)) {
    expect(await failureOfThrown(new CarrierDown('x'), options)).toStrictEqual(mapped);
    expect(await failureOfThrown(refused, options)).toMatchObject({ code: 'unavailable' });
    expect(await failureOfThrown(new Error('x'), options)).toMatchObject({ code: 'internal_error' });
  }
});

it('is asked of the tool, then of the toolkit, then of what is built in', async () => {
  const asked: string[] = [];
  const ask = (who: string, answer?: MappedError) => (): MappedError | undefined => {
    asked.push(who);
    return answer;
  };
  const toolkitSays = { ...mapped, code: 'of_toolkit' };
  const options = { tool: { mapError: ask('tool') }, mapError: ask('toolkit', toolkitSays) };
  expect(await failureOfThrown(refused, options)).toMatchObject({ code: 'of_toolkit' });
  expect(asked).toEqual(['tool', 'toolkit']);
  const first = { tool: { mapError: ask('tool', mapped) }, mapError: ask('toolkit', toolkitSays) };
  expect(await failureOfThrown(refused, first)).toMatchObject({ code: 'carrier_down' });
});

it('gets the error as it was thrown, the key, the parsed input and the context', async () => {
  const seen: unknown[] = [];
  const { run } = await toolkitRunning(
    () => {
      throw refused;
    },
    {
      retry: false,
      mapError: (error, { tool, input, context }) => {
        seen.push(error, tool, input, context.callId);
        return undefined;
      },
    },
  );
  await run({ id: 7 }, { callId: 'call-1' });
  expect(seen).toEqual([refused, 'test.run@1.0.0', { id: 7 }, 'call-1']);
  expect(seen[0]).toBe(refused);
});

it('is not asked of a ToolError, of a pause, or of what an interceptor throws', async () => {
  const mapError = jest.fn(() => mapped);
  const foreseen = new ToolError({ code: 'no_luck', message: 'No luck.', retryable: false });
  expect(await failureOfThrown(foreseen, { mapError })).toMatchObject({ code: 'no_luck' });
  const { run } = await toolkitRunning(() => Promise.reject(refused), { mapError });
  await expect(run({}, { isPause: (error) => error === refused })).rejects.toBe(refused);
  const { result } = await runOnce(() => 'done', {
    mapError,
    interceptors: [
      {
        stage: 'execute',
        async run(_call, next) {
          await next();
          throw refused;
        },
      },
    ],
  });
  // The tool has done its work, so that this failure may not pass for one before it.
  expect(result).toMatchObject({ success: false, error: { code: 'internal_error', retryable: false } });
  expect(mapError).not.toHaveBeenCalled();
});

describe('what it answers', () => {
  it.each(['invalid_input', 'rate_limited', 'timeout', 'unavailable', 'outcome_unknown', 'internal_error'])(
    'may have the code %s',
    async (code) => {
      const error = await failureOfThrown(new CarrierDown('x'), { mapError: () => ({ ...mapped, code }) });
      expect(error).toMatchObject({ code, message: expect.stringContaining('The carrier is down.') });
    },
  );

  it('carries detail and retryAfterMs, and is scrubbed', async () => {
    const more = { retryAfterMs: 5, detail: { header: 'Bearer t0k-EXAMPLE' }, message: 'Bearer t0k-EXAMPLE' };
    const error = await failureOfThrown(refused, { mapError: () => ({ ...mapped, ...more }) });
    expect(error).toMatchObject({ code: 'carrier_down', retryAfterMs: 5 });
    expect(error).toHaveProperty('detail.header');
    expect(JSON.stringify(error)).not.toContain('t0k-EXAMPLE');
  });

  it.each([
    ['unavailable', undefined, 'outcome_unknown'],
    ['timeout', undefined, 'outcome_unknown'],
    ['unavailable', true, 'outcome_unknown'],
    ['unavailable', false, 'unavailable'],
    ['timeout', false, 'timeout'],
    ['rate_limited', undefined, 'rate_limited'],
    ['carrier_down', undefined, 'carrier_down'],
    ['carrier_down', true, 'outcome_unknown'],
  ])('of %s with started %s is %s on a write tool', async (code, started, expected) => {
    const mapError = () => ({ ...mapped, code, ...(started === undefined ? {} : { started }) });
    const error = await failureOfThrown(refused, { kind: 'write', mapError });
    expect(error.code).toBe(expected);
    expect(error.retryable).toBe(expected !== 'outcome_unknown');
    expect(error).not.toHaveProperty('started');
    expect(await failureOfThrown(refused, { mapError })).toMatchObject({ code, retryable: true });
  });
});

describe('a mapping that fails', () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('get');
      },
    },
  );

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('mapping Bearer t0k-EXAMPLE');
      },
    ],
    [
      'throws what cannot be looked at',
      () => {
        throw hostile;
      },
    ],
    ['answers a promise', () => Promise.resolve(mapped)],
    ['answers a promise that is rejected', () => Promise.reject(new Error('late'))],
    ['answers a text', () => 'carrier_down'],
    ['answers true', () => true],
    ['answers no message', () => ({ code: 'carrier_down', retryable: true })],
    ['answers a code that is not snake_case', () => ({ ...mapped, code: 'Carrier Down' })],
    [
      'answers a code of the framework that says nothing of a service',
      () => ({ ...mapped, code: 'duplicate_call' }),
    ],
    ['answers what cannot be looked at', () => hostile],
  ])('because it %s leaves the error to the next, and is logged', async (_case, mapError) => {
    for (const options of bothWays(mapError)) {
      const { result, log } = await runOnce(() => Promise.reject(refused), { ...options, retry: false });
      expect(result).toMatchObject({ success: false, error: { code: 'unavailable', retryable: true } });
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
      expect(JSON.stringify(log)).not.toContain('t0k-EXAMPLE');
    }
  });

  it.each<readonly [string, () => unknown, RegExp]>([
    ['a promise', () => Promise.resolve(mapped), /promise/],
    [
      'a code that is not snake_case',
      () => ({ ...mapped, code: 'Carrier Down' }),
      /"Carrier Down".*snake_case/,
    ],
    ['a reserved code', () => ({ ...mapped, code: 'duplicate_call' }), /"duplicate_call".*reserved/],
    ['no message', () => ({ code: 'carrier_down', retryable: true }), /its message/],
    ['nothing but a code', () => ({ code: 'carrier_down' }), /its message.*its retryable/],
    ['a text', () => 'carrier_down', /string/],
  ])('is told what is wrong, and whose it is: %s', async (_case, mapError, why) => {
    for (const [index, options] of bothWays(mapError).entries()) {
      const { log } = await runOnce(() => Promise.reject(refused), { ...options, retry: false });
      const of = index === 0 ? 'tool' : 'toolkit';
      expect(log[0]).toMatchObject({
        level: 'error',
        fields: { mapError: of, error: { type: 'TypeError', message: expect.stringMatching(why) } },
      });
      expect(JSON.stringify(log[0])).toContain(`mapError of the ${of} answered`);
    }
  });

  it.each<readonly [string, object, string]>([
    ['a delay that is none', { retryAfterMs: -5 }, 'retryAfterMs'],
    ['a delay that is a text', { retryAfterMs: '5' }, 'retryAfterMs'],
    ['a detail that is no JSON', { detail: { n: 10n } }, '/n'],
    ['a detail that is too large', { detail: 'x'.repeat(70_000) }, '65536'],
  ])('in a part keeps the rest, and is told: %s', async (_case, unsound, why) => {
    for (const options of bothWays(() => ({ ...mapped, ...unsound }))) {
      const { result, log } = await runOnce(() => Promise.reject(refused), { ...options, retry: false });
      expect(result).toStrictEqual({ success: false, error: mapped });
      const ofMapping = log.filter(({ fields }) => 'mapError' in fields);
      expect(ofMapping).toMatchObject([{ level: 'error' }]);
      expect(JSON.stringify(ofMapping)).toContain(why);
    }
  });

  it('leaves it to the toolkit', async () => {
    const tool = {
      mapError: () => {
        throw new Error('no');
      },
    };
    expect(await failureOfThrown(refused, { tool, mapError: () => mapped })).toStrictEqual(mapped);
  });
});

it('is refused where it is no function', async () => {
  const problems = await rejectionOf(toolkitRunning(() => 'done', { tool: { mapError: 'unavailable' } }));
  expect(problems).toMatchObject([{ code: 'illegal_option' }]);
  await expect(makeUntyped(createToolkit, { discover: {}, mapError: {} })).rejects.toThrow(TypeError);
});
