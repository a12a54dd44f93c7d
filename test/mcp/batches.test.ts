/**
 * Batches of clients of 2025, and cancellation within them.
 * Invariant: a cancellation ends the call that it names, and no other; every response ends.
 */
import { createToolkit } from 'toolcrib';
import { createMcpHandler, type McpHandler } from 'toolcrib/mcp';
import { makeSpec } from '../fixtures/hand-made-spec';
import { recordingLogger } from '../fixtures/recorded-toolkit';

const call = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const cancel = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

function send(handler: McpHandler, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': 'one',
  };
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null };
  return handler.fetch(new Request('http://localhost/mcp', request));
}

/** By id, what was answered. */
async function answers(response: Response): Promise<ReadonlyMap<unknown, string>> {
  const data = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return new Map(data.map((line) => [Object(JSON.parse(line.slice('data: '.length))).id, line]));
}

async function serve() {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
  let [go, began, ended] = [() => {}, () => {}, () => {}];
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  toolkit.registry.update((draft) => {
    draft.register(
      makeSpec('held', '1.0.0', {
        handler: async (_, { signal }) => {
          await mayGo;
          return signal.aborted ? 'aborted' : 'held';
        },
      }),
    );
    draft.register(
      makeSpec('waiting', '1.0.0', {
        handler: (_, { signal }) => {
          began();
          signal.addEventListener('abort', () => ended());
          return hasEnded;
        },
      }),
    );
  });
  const handler = createMcpHandler(toolkit);
  const close = async () => {
    await handler.close();
    await toolkit.close();
  };
  return { handler, hasBegun, hasEnded, go, close };
}

it('a cancelled call ends alone, and is answered as cancelled; the others are answered', async () => {
  const { handler, hasBegun, go, close } = await serve();
  const responding = send(handler, [call(1, 'held'), call(2, 'waiting')]);
  await hasBegun;
  expect((await send(handler, cancel(2))).status).toBe(202);
  go();
  const answered = await answers(await responding);
  expect(answered.get(1)).toContain('held');
  expect(answered.get(2)).toContain('cancelled');
  await close();
});

it('the calls of a batch end with its request', async () => {
  const { handler, hasBegun, hasEnded, close } = await serve();
  const stop = new AbortController();
  const responding = send(handler, [call(2, 'waiting'), call(3, 'waiting')], stop.signal);
  await hasBegun;
  stop.abort();
  await hasEnded;
  await responding;
  await close();
});

it('a call that came alone ends without an answer', async () => {
  const { handler, hasBegun, close } = await serve();
  const responding = send(handler, call(2, 'waiting'));
  await hasBegun;
  await send(handler, cancel(2));
  expect(await answers(await responding)).toEqual(new Map());
  await close();
});

it('a response ends though its calls are cancelled in the very batch', async () => {
  const { handler, go, close } = await serve();
  go();
  const answered = await answers(await send(handler, [call(1, 'held'), cancel(1), cancel(9)]));
  expect(answered.get(1)).toContain('held');
  await close();
});
