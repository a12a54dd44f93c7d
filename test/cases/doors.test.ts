/**
 * The cases of what leaves a tool, by their ids, through every door: `toolkit.invoke`, `BaseTool.invoke`,
 * ToolNode, createAgent and the command line.
 * Invariant: each door gives the same envelope, and a success is what the advertised schema promises.
 */
import { interrupt } from '@langchain/langgraph';
import Ajv2020 from 'ajv/dist/2020';
import { IsInt, IsString } from 'class-validator';
import { type Interceptor, type SideEffectKind, ToolError, toWire } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import {
  answersOf,
  bareToolNode,
  envelopeOf,
  plainAgent,
  toolMessages,
} from '../fixtures/langgraph-runtimes';
import { toolkitOf } from '../fixtures/langgraph-tools';
import { toolkitRunning } from '../fixtures/recorded-toolkit';
import { DOORS } from '../torture/doors';
import { toolOf } from '../torture/misbehaviour';

class Total {
  @IsInt()
  total!: number;
}

class Hit {
  @IsString()
  id!: string;
}

const doors = DOORS.filter(({ isShort }) => isShort);

afterAll(() => {
  for (const door of DOORS) door.close();
});

/** What all doors answer, which is the same. */
async function answerOf(
  handler: () => unknown,
  output?: unknown,
  kind: SideEffectKind = 'none',
): Promise<unknown> {
  const tool = toolOf({ name: 'case', ends: 'done', handler, output }, kind);
  const envelopes: unknown[] = [];
  for (const door of doors) envelopes.push(await door.call(tool, new AbortController().signal));
  const [first, ...others] = envelopes;
  expect(envelopes).toHaveLength(6);
  for (const other of others) expect(other).toStrictEqual(first);
  return first;
}

function refusedAt(path: string): object {
  const error = { code: 'invalid_output', retryable: false, detail: { violations: [{ path }] } };
  return { isError: true, error };
}

it('ENV-05: a failure is its envelope alone, whatever output is declared', async () => {
  const handler = () => {
    throw new ToolError({ code: 'db_down', message: 'Down.', retryable: true });
  };
  expect(await answerOf(handler, Total)).toStrictEqual({
    isError: true,
    error: { code: 'db_down', message: 'Down.', retryable: true },
  });
});

it('ENV-07: a BigInt is refused with its path, and not as a call to repeat, also after a write', async () => {
  for (const kind of ['none', 'write'] as const) {
    const handler = () => ({ id: 'a', rows: [{ n: 1n }] });
    expect(await answerOf(handler, undefined, kind)).toMatchObject(refusedAt('/rows/0/n'));
  }
});

it('ENV-08: what holds itself, or throws when it is read, is refused with its path', async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const no = () => {
    throw new Error('lazy load after close');
  };
  expect(await answerOf(() => circular)).toMatchObject(refusedAt('/self'));
  const lazy = () => Object.defineProperty({}, 'x', { get: no, enumerable: true });
  expect(await answerOf(lazy)).toMatchObject(refusedAt('/x'));
  expect(await answerOf(() => ({ toJSON: no }))).toMatchObject(refusedAt(''));
});

it('ENV-08: one object at two places is written twice', async () => {
  const one = { a: 1 };
  expect(await answerOf(() => ({ one, list: [one, one] }))).toStrictEqual({
    isError: false,
    result: { one, list: [one, one] },
  });
});

it.each([
  [undefined, null],
  [null, null],
  ['', ''],
  [[], []],
])('ENV-10: nothing is an answer too: %j', async (output, result) => {
  expect(await answerOf(() => output)).toStrictEqual({ isError: false, result });
  const tools = toLangChainTools(await toolkitOf({ 'a.b': () => output }));
  const [message] = await answersOf(bareToolNode, tools, [{ id: 'call-1', name: 'a_b', args: {} }]);
  expect(message).toMatchObject({ status: 'success', tool_call_id: 'call-1' });
  expect(message?.content).toMatch(/./);
});

it('ENV-11: an output that is not the declared one is refused, and its values are not repeated', async () => {
  const answer = await answerOf(() => ({ total: '3-EXAMPLE', passwordHash: 'x-EXAMPLE' }), Total);
  expect(answer).toMatchObject({ isError: true, error: { code: 'invalid_output', retryable: false } });
  expect(JSON.stringify(answer)).toContain('/total');
  expect(JSON.stringify(answer)).not.toContain('EXAMPLE');
});

it.each<readonly [string, unknown, unknown]>([
  ['a list', [Hit], [{ id: 'a' }]],
  ['a number', Number, 3],
  ['an object', Total, { total: 1 }],
])('ENV-12, ENV-18: %s leaves unwrapped, as the advertised schema says', async (_case, output, value) => {
  const { toolkit } = await toolkitRunning(() => value, { tool: { output } });
  const { outputSchema } = toolkit.describe('test.run');
  if (outputSchema === undefined) throw new TypeError('there is no schema');
  expect(new Ajv2020().validate(outputSchema, value)).toBe(true);
  expect(await answerOf(() => value, output)).toStrictEqual({ isError: false, result: value });
});

describe('ENV-18: an interceptor that changes a success', () => {
  /** Makes another success of each success. */
  const wrapping = (stage: Interceptor['stage'], wrap: (result: unknown) => unknown): Interceptor => ({
    stage,
    run: async (_call, next) => {
      const result = await next();
      return result.success
        ? { success: true, result: JSON.parse(JSON.stringify(wrap(result.result))) }
        : result;
    },
  });

  it.each(['resolve', 'execute', 'record'] as const)(
    'at %s is held to the declared output',
    async (stage) => {
      const options = { tool: { output: Total }, kind: 'write' as const };
      const wrapped = await toolkitRunning(() => ({ total: 1 }), {
        ...options,
        interceptors: [wrapping(stage, (data) => ({ ok: true, data }))],
      });
      expect(await wrapped.run()).toMatchObject({
        success: false,
        error: { code: 'invalid_output', retryable: false },
      });
      const changed = await toolkitRunning(() => ({ total: 1 }), {
        ...options,
        interceptors: [wrapping(stage, () => ({ total: 2 }))],
      });
      expect(await changed.run()).toEqual({ success: true, result: { total: 2 } });
    },
  );

  it('may do as it likes where no output is declared', async () => {
    const { run } = await toolkitRunning(() => 1, {
      interceptors: [wrapping('execute', (data) => ({ ok: true, data }))],
    });
    expect(await run()).toEqual({ success: true, result: { ok: true, data: 1 } });
  });
});

describe.each([bareToolNode, plainAgent])('$name', (runtime) => {
  const failing = { 'bad.one': () => Promise.reject(undefined), 'good.one': () => 'good' };
  const calls = ['bad_one', 'good_one'].map((name, index) => ({ id: `call-${index}`, name, args: {} }));

  it('LG-01: a failure has the status of one, with its id, name and envelope', async () => {
    const toolkit = await toolkitOf({ 'bad.one': () => 1n });
    const [message] = await answersOf(runtime, toLangChainTools(toolkit), calls.slice(0, 1));
    expect(message).toMatchObject({ status: 'error', tool_call_id: 'call-0', name: 'bad_one' });
    expect(envelopeOf(message)).toStrictEqual(toWire(await toolkit.invoke('bad.one', {})));
  });

  it('LG-03: nothing, when it is thrown, costs neither the run nor the siblings an answer', async () => {
    const messages = await answersOf(runtime, toLangChainTools(await toolkitOf(failing)), calls);
    expect(messages).toMatchObject([
      { status: 'error', tool_call_id: 'call-0' },
      { status: 'success', tool_call_id: 'call-1' },
    ]);
  });
});

it('LG-05: a pause is no failure: it is not remembered, and the resumed call gets its answer', async () => {
  const toolkit = await toolkitOf({ 'money.wire': () => ({ ok: interrupt('send?') }) }, { kind: 'write' });
  const run = plainAgent.prepare(toLangChainTools(toolkit), [{ id: 'call-1', name: 'money_wire', args: {} }]);
  const paused = await run.begin();
  expect(paused.__interrupt__?.map(({ value }) => value)).toEqual(['send?']);
  expect(toolMessages(paused)).toEqual([]);
  const [message] = toolMessages(await run.resume(true));
  expect(envelopeOf(message)).toStrictEqual({ isError: false, result: { ok: true } });
});
