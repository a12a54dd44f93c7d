/**
 * Content beside or instead of a structured result, on the whole path of a call.
 * Invariant: whatever a handler puts into it, the caller gets one well-formed result, in which nothing was cut.
 */
import { IsInt } from 'class-validator';
import { content, type Interceptor, type JsonValue, type ToolResult, toWire } from 'toolcrib';
import { runOnce, toolkitRunning } from '../fixtures/recorded-toolkit';
import { watchProcess } from '../torture/host';

class Size {
  @IsInt()
  width!: number;
}

const png = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' } as const;
const bytes = Buffer.from(png.data, 'base64');
const declared = { tool: { output: Size } };

describe('a handler that answers content', () => {
  it('gives it beside its result', async () => {
    const { result } = await runOnce(() => content([{ ...png, data: bytes }], { width: 7 }), declared);
    expect(result).toEqual({ success: true, result: { width: 7 }, content: [png] });
    expect(toWire(result)).toEqual({ isError: false, result: { width: 7 }, content: [png] });
    expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual(toWire(result));
  });

  it('gives it instead of a result where no output is declared', async () => {
    expect((await runOnce(async () => content([png]))).result).toEqual({
      success: true,
      result: null,
      content: [png],
    });
  });

  it('gives none where there are no blocks', async () => {
    const { result } = await runOnce(() => content([], { width: 7 }), declared);
    expect(result).toStrictEqual({ success: true, result: { width: 7 } });
    expect(toWire(result)).toStrictEqual({ isError: false, result: { width: 7 } });
  });

  it.each<[string, unknown]>([
    ['lacks the declared result', content([png])],
    ['has another result than is declared', content([png], { width: 'wide' })],
    ['has no JSON for a result', content([png], 1n)],
    ['is within a result', { width: 7, picture: content([png]) }],
    ['is within content', content([png], content([png]))],
  ])('is refused where that %s', async (_, answer) => {
    const { result } = await runOnce(() => answer, declared);
    expect(result).toMatchObject({ success: false, error: { code: 'invalid_output', retryable: false } });
  });

  it('is told which block is wrong, and that the action has happened', async () => {
    const wrong: readonly unknown[] = [png, { ...png, data: 'not base64' }];
    const answer = () => Reflect.apply(content, undefined, [wrong]);
    const { result } = await runOnce(answer, { kind: 'write' });
    expect(result).toMatchObject({
      error: {
        code: 'invalid_output',
        detail: { violations: [{ path: '/content/1/data', rule: 'isContent' }] },
      },
    });
    expect(JSON.stringify(result)).toMatch(/block 1 .*do not repeat it/);
    expect(JSON.stringify(result)).not.toContain('not base64');
  });

  it('may change its blocks afterwards, which changes nothing', async () => {
    const block = { type: 'text' as const, text: 'before' };
    const { result } = await runOnce(() => {
      setImmediate(() => Object.assign(block, { text: 'after' }));
      return content([block]);
    });
    await new Promise(setImmediate);
    expect(result).toMatchObject({ content: [{ text: 'before' }] });
  });

  it('may hold promises that reject', async () => {
    const watch = watchProcess();
    const wrong = [{ ...png, data: Promise.reject(new Error('unread')) }];
    const { result } = await runOnce(() => Reflect.apply(content, undefined, [wrong]));
    await new Promise(setImmediate);
    watch.stop();
    expect(result).toMatchObject({ error: { code: 'invalid_output' } });
    expect(watch.seen).toEqual([]);
  });
});

describe('the bound of an output', () => {
  const text = (length: number) => ({ type: 'text' as const, text: 'x'.repeat(length) });
  const overhead = JSON.stringify([text(0)]).length + JSON.stringify({ width: 7 }).length;

  it.each([
    [100, true],
    [101, false],
  ])('counts content and result together: %i', async (length, fits) => {
    const tool = { ...declared.tool, maxResultBytes: overhead + 100 };
    const { result } = await runOnce(() => content([text(length)], { width: 7 }), { tool });
    expect(result).toMatchObject(fits ? { success: true } : { error: { code: 'invalid_output' } });
  });

  it('refuses large data by its number', async () => {
    const large = { ...png, data: new Uint8Array(1_000_000) };
    expect((await runOnce(() => content([png, large]))).result).toMatchObject({
      error: {
        code: 'invalid_output',
        detail: { violations: [{ path: '/content/1/data', rule: 'maxBytes' }] },
      },
    });
  });
});

describe('an interceptor', () => {
  const at = (stage: Interceptor['stage'], change: (answer: object) => unknown): Interceptor => ({
    stage,
    run: async (_call, next) => change(await next()) as ToolResult<JsonValue>,
  });
  const run = async (interceptor: Interceptor, options: object = declared) => {
    const answering = () => content([png], { width: 7 });
    return (await runOnce(answering, { ...options, interceptors: [interceptor] })).result;
  };

  it('sees content, and leaves it', async () => {
    const seen: object[] = [];
    const look = at('resolve', (answer) => {
      seen.push(answer);
      return answer;
    });
    const wanted = { success: true, result: { width: 7 }, content: [png] };
    expect([await run(look), ...seen]).toEqual([wanted, wanted]);
  });

  it.each<[string, object, object, object]>([
    ['puts in a sound block', declared, { content: [{ ...png, data: 'AAAA' }] }, { success: true }],
    ['takes content out', declared, { content: undefined }, { success: true, result: { width: 7 } }],
    [
      'puts in a bad block',
      declared,
      { content: [{ type: 'video' }] },
      { error: { code: 'invalid_output' } },
    ],
    ['puts in a bad block, undeclared', {}, { content: [7] }, { error: { code: 'invalid_output' } }],
    ['puts in no list', {}, { content: 'x' }, { error: { code: 'invalid_output' } }],
    [
      'puts in too much',
      {},
      { content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] },
      { error: { code: 'invalid_output' } },
    ],
    ['breaks the result', declared, { result: 'x' }, { error: { code: 'invalid_output' } }],
  ])('is held to what may leave: one that %s', async (_, options, change, wanted) => {
    for (const stage of ['resolve', 'check_output'] as const) {
      const result = await run(
        at(stage, (answer) => ({ ...answer, ...change })),
        options,
      );
      expect(result).toMatchObject(wanted);
      expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual(toWire(result));
    }
  });

  it('may answer content before a tool was found', async () => {
    const { toolkit } = await toolkitRunning(() => null, {
      interceptors: [{ stage: 'resolve', run: async () => ({ success: true, result: 1, content: [png] }) }],
    });
    expect(await toolkit.invoke('no.such', {})).toEqual({ success: true, result: 1, content: [png] });
  });

  it('cannot change content in place', async () => {
    const change = at('resolve', (answer) => {
      Object.assign(Object(answer).content[0], { data: 'AAAA' });
      return answer;
    });
    expect(await run(change)).toMatchObject({ error: { code: 'internal_error' } });
  });
});
