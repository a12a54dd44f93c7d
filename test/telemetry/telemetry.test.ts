/**
 * Spans and metrics of calls, under an SDK that keeps them (TEL-02).
 * Invariant: whatever the mix of outcomes, there is one span a call with the right parent and `error.type`, and the
 * counters add up to the calls that were made.
 */
import { type Attributes, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import fc from 'fast-check';
import type { InvokeOptions } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { ATTRIBUTES, METRICS, telemetry } from 'toolcrib/telemetry';
import { type InMemorySdk, inMemorySdk, sum, tally } from '../fixtures/in-memory-sdk';
import { stateGraph } from '../fixtures/langgraph-runtimes';
import { type MixedCall, mixedToolkit, Pause, WAYS } from '../fixtures/mixed-calls';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

/** How a call ended, as its caller saw it. */
interface Seen {
  readonly callId: string;
  readonly tool: string;
  readonly outcome: 'success' | 'failure' | 'paused';
  readonly code: string | undefined;
}

const TOOLS = ['mixed.read', 'mixed.write', 'mixed.destroy', 'mixed.rare', 'mixed.closed', 'mixed.typed'];
/** With these a write of the mix ends once its handler has begun. */
const ACTED = ['internal_error', 'cancelled', 'timeout'];
const labelOf = (tool: string) => (TOOLS.includes(tool) ? tool : '_other');

async function seenBy(
  invoke: (options: InvokeOptions) => Promise<unknown>,
  tool: string,
  callId: string,
): Promise<Seen> {
  try {
    const result = await invoke({ isPause: (error) => error instanceof Pause });
    const error =
      typeof result === 'object' && result !== null && 'error' in result ? result.error : undefined;
    const code =
      typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
    return { callId, tool, outcome: code === undefined ? 'success' : 'failure', code };
  } catch {
    return { callId, tool, outcome: 'paused', code: undefined };
  }
}

async function expectAccounts(sdk: InMemorySdk, seen: readonly Seen[]): Promise<void> {
  const points = await sdk.points();
  const calls = points.get(METRICS.calls.name) ?? [];
  const label = ({ tool, outcome, code }: Seen) => `${labelOf(tool)} ${outcome} ${code ?? ''}`;
  const ofPoint = ({ labels }: { readonly labels: Attributes }) =>
    `${labels[ATTRIBUTES.tool]} ${labels[ATTRIBUTES.outcome]} ${labels[ATTRIBUTES.errorType] ?? ''}`;
  expect(Object.fromEntries(calls.map((point) => [ofPoint(point), point.value]))).toEqual(
    tally(seen.map(label)),
  );
  const ended = seen.filter(({ outcome }) => outcome !== 'paused');
  expect(sum(points.get(METRICS.duration.name))).toBe(ended.length);
  const coded = (code: string) => seen.filter((one) => one.code === code).length;
  expect(sum(points.get(METRICS.exceptions.name))).toBe(coded('internal_error'));
  expect(sum(points.get(METRICS.denials.name))).toBe(coded('insufficient_scope'));
  expect(sum(points.get(METRICS.refusedRetries.name))).toBe(coded('retry_refused'));
  const unknown = seen.filter(
    ({ tool, code }) =>
      code === 'outcome_unknown' || (tool === 'mixed.write' && code !== undefined && ACTED.includes(code)),
  );
  expect(sum(points.get(METRICS.unknownOutcomes.name))).toBe(unknown.length);
  expect(sum(points.get(METRICS.limited.name))).toBe(coded('rate_limited'));
  expect(sum(calls, { [ATTRIBUTES.limiter]: 'tool_rate' })).toBe(coded('rate_limited'));
  expect(sum(points.get(METRICS.approvals.name), { [ATTRIBUTES.approval]: 'ask' })).toBe(
    coded('approval_required'),
  );
}

describe('TEL-02: a random mix of calls', () => {
  it('has one span a call, and counters that add up to it', async () => {
    const ends = new Set<string>();
    const ways = fc.array(fc.constantFrom(...Object.keys(WAYS)), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(ways, async (mix) => {
        const sdk = inMemorySdk();
        const toolkit = await mixedToolkit([telemetry(sdk.providers)]);
        const root = sdk.providers.tracerProvider.getTracer('test').startSpan('a turn of the agent');
        const callsOf = (from: number, to: number): Promise<Seen[]> =>
          Promise.all(
            mix.slice(from, to).map(async (way, at) => {
              const nth = from + at;
              const { tool, args, options }: MixedCall = WAYS[way]?.(nth) ?? { tool: '', args: {} };
              const callId = options?.callId ?? `call ${nth}`;
              const said = { conversationId: 'one', callId, ...options };
              return seenBy((door) => toolkit.invoke(tool, args, { ...said, ...door }), tool, callId);
            }),
          );
        // Some at once, and some after others, which they may repeat.
        const seen = await context.with(trace.setSpan(context.active(), root), async () => {
          const all: Seen[] = [];
          for (let from = 0; from < mix.length; from += 4) all.push(...(await callsOf(from, from + 4)));
          return all;
        });
        await expectAccounts(sdk, seen);
        for (const { outcome, code } of seen) ends.add(code ?? outcome);
        const spans = sdk.spans().filter(({ name }) => name.startsWith('execute_tool '));
        expect(spans).toHaveLength(mix.length);
        const ofSpan = spans.map(
          ({ attributes, status }) =>
            `${attributes[ATTRIBUTES.callId]} ${attributes[ATTRIBUTES.errorType] ?? ''} ${status.code === SpanStatusCode.ERROR}`,
        );
        const ofSeen = seen.map(({ callId, code }) => `${callId} ${code ?? ''} ${code !== undefined}`);
        expect(tally(ofSpan)).toEqual(tally(ofSeen));
        expect(new Set(spans.map(({ parentSpanContext }) => parentSpanContext?.spanId))).toEqual(
          new Set([root.spanContext().spanId]),
        );
      }),
      { seed: 8, numRuns: Number(process.env.TOOLCRIB_TELEMETRY_RUNS ?? 15) },
    );
    expect([...ends].sort()).toEqual([
      'approval_required',
      'cancelled',
      'insufficient_scope',
      'internal_error',
      'invalid_input',
      'invalid_output',
      'no_such_order',
      'outcome_unknown',
      'paused',
      'rate_limited',
      'retry_refused',
      'success',
      'timeout',
      'unknown_tool',
    ]);
  }, 120_000);

  it('made by a graph has the span of the run for its parent', async () => {
    const sdk = inMemorySdk();
    const toolkit = await mixedToolkit([telemetry(sdk.providers)]);
    const root = sdk.providers.tracerProvider.getTracer('test').startSpan('a run');
    const hows = ['well', 'foreseen', 'threw', 'no such way'];
    const calls = hows.map((how, nth) => ({ id: `call ${nth}`, name: 'mixed_read', args: { how, nth } }));
    await context.with(trace.setSpan(context.active(), root), () =>
      stateGraph.prepare(toLangChainTools(toolkit), calls).begin(),
    );
    expect(
      sdk
        .spans()
        .map(({ name, attributes, parentSpanContext }) => [
          name,
          attributes[ATTRIBUTES.callId],
          attributes[ATTRIBUTES.errorType],
          parentSpanContext?.spanId === root.spanContext().spanId,
        ])
        .sort(),
    ).toEqual([
      ['execute_tool mixed.read', 'call 0', undefined, true],
      ['execute_tool mixed.read', 'call 1', 'no_such_order', true],
      ['execute_tool mixed.read', 'call 2', 'internal_error', true],
      ['execute_tool mixed.read', 'call 3', 'invalid_input', true],
    ]);
  });
});

describe('the span of a call', () => {
  it('has the attributes of the conventions and ours, and no value', async () => {
    const sdk = inMemorySdk();
    const { run } = await toolkitRunning(() => ({ secret: 'of the result' }), {
      observers: [telemetry(sdk.providers)],
    });
    await run({ note: 'of the arguments' }, { callId: 'call-1' });
    expect(sdk.spans()).toMatchObject([
      {
        name: 'execute_tool test.run',
        kind: SpanKind.INTERNAL,
        status: { code: SpanStatusCode.UNSET },
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'test.run',
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': 'call-1',
          'toolcrib.version': '1.0.0',
          'toolcrib.side_effect': 'none',
          'toolcrib.outcome': 'success',
          'toolcrib.attempt': 1,
        },
      },
    ]);
    expect(JSON.stringify(sdk.spans()[0]?.attributes)).not.toContain('of the');
  });

  it('holds arguments and results on request, without secrets, and cut', async () => {
    const sdk = inMemorySdk();
    const observers = [telemetry({ ...sdk.providers, recordArguments: true, recordResults: true })];
    const { run } = await toolkitRunning(() => 'x'.repeat(10_000), { observers });
    await run({ note: 'postgres://me:s3cr3t-0f-m1ne@db/x', id: 7 });
    const { attributes = {} } = sdk.spans()[0] ?? {};
    expect(attributes[ATTRIBUTES.arguments]).toMatch(/"id":7/);
    expect(attributes[ATTRIBUTES.arguments]).not.toMatch(/s3cr3t/);
    expect(String(attributes[ATTRIBUTES.result])).toHaveLength(4_096);
  });

  it('is the active one while the handler runs', async () => {
    const sdk = inMemorySdk();
    const handler = async () => {
      await undefined;
      return trace.getActiveSpan()?.spanContext().spanId ?? 'none';
    };
    const { run } = await toolkitRunning(handler, { observers: [telemetry(sdk.providers)] });
    expect(await run()).toEqual({ success: true, result: sdk.spans()[0]?.spanContext().spanId });
  });

  it('goes by no word of a caller who names no tool', async () => {
    const sdk = inMemorySdk();
    const { toolkit } = await toolkitRunning(() => 'done', { observers: [telemetry(sdk.providers)] });
    await toolkit.invoke('my password is hunter2', {});
    expect(sdk.spans()).toMatchObject([
      { name: 'execute_tool _other', attributes: { 'gen_ai.tool.name': '_other' } },
    ]);
    expect(JSON.stringify(sdk.spans()[0]?.attributes)).not.toContain('hunter2');
  });
});

describe('the trace that a door was handed', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

  async function parentOf(traceContext: InvokeOptions['traceContext']) {
    const sdk = inMemorySdk();
    const { run } = await toolkitRunning(() => 'done', { observers: [telemetry(sdk.providers)] });
    const ambient = sdk.providers.tracerProvider.getTracer('test').startSpan('POST /mcp');
    await context.with(trace.setSpan(context.active(), ambient), () => run({}, { traceContext }));
    const [span] = sdk.spans();
    return {
      parent: span?.parentSpanContext,
      ambient: ambient.spanContext(),
      links: span?.links.map((link) => link.context.spanId),
    };
  }

  it('is the parent, and the span of the transport is linked', async () => {
    const { parent, ambient, links } = await parentOf({ traceparent, tracestate: 'rojo=00f067aa0ba902b7' });
    expect(parent).toMatchObject({ traceId, spanId: '00f067aa0ba902b7', isRemote: true, traceFlags: 1 });
    expect(parent?.traceState?.serialize()).toBe('rojo=00f067aa0ba902b7');
    expect(links).toEqual([ambient.spanId]);
  });

  it.each([
    ['is too short', traceparent.slice(1)],
    ['is of the version ff', `ff${traceparent.slice(2)}`],
    ['has more than version 00 may', `${traceparent}-00`],
    ['has no trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['has no span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['is in capitals', traceparent.toUpperCase()],
    ['is no text', undefined],
  ])('is ignored where it %s', async (_what, given) => {
    const { parent, ambient } = await parentOf({ traceparent: given });
    expect(parent?.spanId).toBe(ambient.spanId);
  });

  it('keeps its parent where its state is malformed', async () => {
    const { parent } = await parentOf({ traceparent, tracestate: 'NO=\u0000', baggage: 'a b=c' });
    expect(parent?.traceId).toBe(traceId);
    expect(parent?.traceState).toBeUndefined();
  });
});

describe('under the span of an instrumented MCP server', () => {
  it('no second span is made: that one gets the attributes', async () => {
    const sdk = inMemorySdk();
    const { run } = await toolkitRunning(() => Promise.reject(new Error('no')), {
      observers: [telemetry(sdk.providers)],
    });
    const attributes = { 'mcp.method.name': 'tools/call' };
    const server = sdk.providers.tracerProvider
      .getTracer('mcp')
      .startSpan('tools/call test.run', { kind: SpanKind.SERVER, attributes });
    await context.with(trace.setSpan(context.active(), server), () => run({}, { callId: 'call-1' }));
    expect(sdk.spans()).toEqual([]);
    server.end();
    expect(sdk.spans()).toMatchObject([
      {
        name: 'tools/call test.run',
        attributes: {
          'gen_ai.tool.name': 'test.run',
          'error.type': 'internal_error',
          'toolcrib.outcome': 'failure',
        },
      },
    ]);
    expect(sum((await sdk.points()).get(METRICS.calls.name))).toBe(1);
  });
});
