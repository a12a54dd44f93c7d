/**
 * Calls that name no tool, or whose options are nothing.
 * Invariant: they settle with unknown_tool, say no more than the caller may know, and never reject.
 */
import { createToolkit, Scopes, SideEffect, Tool, type Toolkit, type ToolResult } from 'toolcrib';
import { recordingLogger, toolkitRunning } from '../fixtures/recorded-toolkit';

/** The error of a result that is a failure. */
function errorOf(result: ToolResult): { readonly code: string; readonly message: string } {
  if (result.success) throw new Error('the call succeeded');
  return result.error;
}

/** Calls a toolkit as JavaScript can, with whatever arguments. */
function invokeUntyped(toolkit: Toolkit, ...args: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(toolkit.invoke, toolkit, args);
}

class Service {
  @Tool({ name: 'test.sound', version: '1.0.0', description: 'Answers.' })
  @Scopes()
  @SideEffect('none')
  sound(): string {
    return 'sound';
  }
}

const makeToolkit = () => createToolkit({ discover: { classes: [Service] }, logger: recordingLogger([]) });

describe('an unknown name', () => {
  const LONG = 'x'.repeat(100_000);

  it.each([LONG, `test.run@${LONG}`, `${LONG}@1.0.0`, `test.run@^${LONG}`, '@'.repeat(100_000)])(
    'is cut before it is said back',
    async (reference) => {
      const { toolkit } = await toolkitRunning(() => 'done');
      const { code, message } = errorOf(await toolkit.invoke(reference, {}));
      expect(code).toBe('unknown_tool');
      expect(message.length).toBeLessThan(500);
    },
  );
});

describe('a version that there is not', () => {
  const guard = { toolScopes: ['test:read'], tool: { version: '7.8.9' } };
  const reader = { id: 'r', scopes: ['test:read'] };

  it.each(['test.run@^9', 'test.run@banana', 'test.run@7.8.8'])(
    'names those that there are to who may call them alone: %s',
    async (reference) => {
      const { toolkit } = await toolkitRunning(() => 'done', guard);
      const toReader = errorOf(await toolkit.invoke(reference, {}, { principal: reader }));
      expect(toReader.code).toBe('unknown_tool');
      expect(toReader.message).toContain('7.8.9');
      for (const principal of [undefined, { id: 'x', scopes: ['other'] }]) {
        const { code, message } = errorOf(await toolkit.invoke(reference, {}, { principal }));
        expect(code).toBe('unknown_tool');
        expect(message).not.toContain('7.8.9');
      }
    },
  );

  it('is told apart from a range that is none', async () => {
    const { toolkit } = await toolkitRunning(() => 'done');
    const saidOf = async (range: string): Promise<string> => {
      const { code, message } = errorOf(await toolkit.invoke(`test.run@${range}`, {}));
      expect(code).toBe('unknown_tool');
      return message.replaceAll(`test.run@${range}`, 'R').replaceAll(range, 'R');
    };
    const [none, other] = [await saidOf('banana'), await saidOf('>>1')];
    expect(other).toBe(none);
    expect(await saidOf('^9')).not.toBe(none);
    expect(await saidOf('~9.1')).toBe(await saidOf('^9'));
  });
});

describe('a reference that is none', () => {
  const REFERENCES: readonly (readonly [string, unknown])[] = [
    ['an object', {}],
    ['an empty list', []],
    ['a list without a class', [null, 'x']],
    ['a list of a text', ['Service', 'sound']],
    ['a class without a method', [Service]],
    ['a class and no name of a method', [Service, {}]],
    ['a class and undefined', [Service, undefined]],
    ['a class and a number', [Service, 0]],
    ['a function without a prototype, and a method', [() => 1, 'x']],
    ['a method and a method', [Service.prototype.sound, 'x']],
    ['a function without a prototype', () => 1],
    ['a bound function', Service.bind(null)],
    ['null', null],
    ['undefined', undefined],
    ['a number', 5],
    ['a bigint', 5n],
    ['true', true],
    ['a symbol', Symbol('x')],
    ['an object without a text form', Object.create(null)],
  ];

  it.each(REFERENCES)('settles with unknown_tool: %s', async (_, reference) => {
    const toolkit = await makeToolkit();
    const unknown = { success: false, error: { code: 'unknown_tool', retryable: false } };
    expect(await invokeUntyped(toolkit, reference, {})).toMatchObject(unknown);
    expect(await invokeUntyped(toolkit, reference)).toMatchObject(unknown);
  });

  it('settles with unknown_tool where it cannot be looked at', async () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(await invokeUntyped(await makeToolkit(), proxy, {})).toMatchObject({
      error: { code: 'unknown_tool' },
    });
  });

  it('settles when there are no arguments at all', async () => {
    expect(await invokeUntyped(await makeToolkit())).toMatchObject({ error: { code: 'unknown_tool' } });
  });
});

describe('options that are none', () => {
  it.each([
    [null],
    [undefined],
    [5],
    ['text'],
    [[]],
    [{ signal: null }],
    [{ signal: {} }],
    [{ principal: 5 }],
    [{ timeoutMs: Symbol('x') }],
    [{ timeoutMs: 10n }],
    [{ timeoutMs: Number.NaN }],
    [{ timeoutMs: -1 }],
  ])('leave the call as it is: %p', async (options) => {
    const toolkit = await makeToolkit();
    const sound = { success: true, result: 'sound' };
    expect(await invokeUntyped(toolkit, 'test.sound', {}, options)).toEqual(sound);
    expect(await invokeUntyped(toolkit, [Service, 'sound'], null, options)).toEqual(sound);
    expect(await invokeUntyped(toolkit, 'test.none', {}, options)).toMatchObject({
      error: { code: 'unknown_tool' },
    });
  });

  it('settle the call with internal_error where they cannot be read', async () => {
    const toolkit = await makeToolkit();
    const fail = () => {
      throw new Error('unreadable');
    };
    for (const options of [
      new Proxy({}, { get: fail }),
      { signal: { addEventListener: fail } },
      { signal: Object.defineProperty({}, 'aborted', { get: fail }) },
    ]) {
      expect(await invokeUntyped(toolkit, 'test.sound', {}, options)).toMatchObject({
        success: false,
        error: { code: 'internal_error', retryable: false },
      });
    }
  });
});
