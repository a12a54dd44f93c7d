/**
 * A run that is stopped while a tool works.
 * Invariant: the handler sees the abort, and the model is never told to fix a mistake.
 */
import { toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, bareToolNode } from '../fixtures/langgraph-runtimes';
import { type Guards, toolkitOf } from '../fixtures/langgraph-tools';

const call = { id: 'call-1', name: 'slow_one', args: {} };
const stop = () => new Error('the user pressed stop at postgres://admin:hunter2@db');

/** A tool that works until it is told to stop, or for ever; `begun` settles when it has begun. */
async function slowTool(heedsSignal: boolean, guards?: Guards) {
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const reasons: unknown[] = [];
  const handler = (_input: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason);
        if (heedsSignal) reject(signal.reason);
      });
      begin();
    });
  return { tools: toLangChainTools(await toolkitOf({ 'slow.one': handler }, guards)), begun, reasons };
}

describe.each(allRuntimes.filter((runtime) => runtime !== bareToolNode))('$name', (runtime) => {
  it.each([true, false])(
    'LG-07: the run rejects and the handler sees the abort (heeds: %p)',
    async (heeds) => {
      const { tools, begun, reasons } = await slowTool(heeds);
      const controller = new AbortController();
      const running = runtime.prepare(tools, [call]).begin({ signal: controller.signal });
      const ended = expect(running).rejects.toThrow();
      await begun;
      controller.abort(stop());
      await ended;
      expect(reasons).toHaveLength(1);
    },
  );
});

describe('ToolNode alone', () => {
  it.each([true, false])(
    'LG-07: answers cancelled, and the handler sees the abort (heeds: %p)',
    async (heeds) => {
      const { tools, begun, reasons } = await slowTool(heeds);
      const controller = new AbortController();
      const running = answersOf(bareToolNode, tools, [call], { signal: controller.signal });
      await begun;
      const reason = stop();
      controller.abort(reason);
      const [message] = await running;
      expect(message).toMatchObject({
        status: 'error',
        tool_call_id: 'call-1',
        name: 'slow_one',
        artifact: { isError: true, error: { code: 'cancelled', retryable: false } },
      });
      expect(message?.content).toBe(JSON.stringify(message?.artifact));
      expect(message?.content).not.toMatch(/fix your mistakes|hunter2|pressed stop/);
      expect(reasons).toEqual([reason]);
    },
  );

  it('LG-07: does not begin a call of a run that was stopped before', async () => {
    const handler = jest.fn();
    const tools = toLangChainTools(await toolkitOf({ 'slow.one': handler }));
    const answers = await answersOf(bareToolNode, tools, [call], { signal: AbortSignal.abort(stop()) });
    expect(answers).toMatchObject([{ status: 'error', artifact: { error: { code: 'cancelled' } } }]);
    expect(handler).not.toHaveBeenCalled();
  });

  it('LG-07: calls that had ended before the abort keep their answers', async () => {
    const controller = new AbortController();
    const tools = toLangChainTools(
      await toolkitOf({
        'quick.one': () => 'done',
        'slow.one': (_input, { signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', reject)),
      }),
    );
    const quick = { id: 'call-2', name: 'quick_one', args: {} };
    const config = {
      signal: controller.signal,
      callbacks: [{ handleToolEnd: () => controller.abort(stop()) }],
    };
    expect(await answersOf(bareToolNode, tools, [quick, call], config)).toMatchObject([
      { status: 'success', tool_call_id: 'call-2', artifact: { isError: false, result: 'done' } },
      { status: 'error', tool_call_id: 'call-1', artifact: { isError: true, error: { code: 'cancelled' } } },
    ]);
  });
});

it('LG-07: the time limit of a run is a cancellation, not a failure of the tool', async () => {
  const { tools, reasons } = await slowTool(false);
  const answer = await tools[0]?.invoke({ ...call, type: 'tool_call' }, { timeout: 1 });
  expect(answer).toMatchObject({ status: 'error', artifact: { error: { code: 'cancelled' } } });
  expect(reasons).toHaveLength(1);
});

it('LG-07: says more of a cancelled tool that changes something than of one that only reads', async () => {
  const said = await Promise.all(
    (['none', 'write'] as const).map(async (kind) => {
      const { tools, begun } = await slowTool(true, { kind });
      const controller = new AbortController();
      const running = answersOf(bareToolNode, tools, [call], { signal: controller.signal });
      await begun;
      controller.abort();
      return (await running)[0]?.artifact.error;
    }),
  );
  expect(said.map(({ code }) => code)).toEqual(['cancelled', 'cancelled']);
  expect(said[1].message.startsWith(said[0].message)).toBe(true);
  expect(said[1].message.length).toBeGreaterThan(said[0].message.length);
});
