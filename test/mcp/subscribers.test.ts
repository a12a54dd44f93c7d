/**
 * Streams of `subscriptions/listen`: how many there may be, and when they end.
 * Invariant: one principal cannot take the streams of another, and a stream ends with its request.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createToolkit } from 'toolcrib';
import { createMcpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { makeSpec } from '../fixtures/hand-made-spec';
import { lastMessage, type RpcOptions, rpcRequest } from '../fixtures/mcp-rpc';
import { recordingLogger } from '../fixtures/recorded-toolkit';

const LISTEN = { notifications: { toolsListChanged: true } };
const MOST = 64;

async function serve(options: McpHandlerOptions = {}) {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
  toolkit.registry.update((draft) => draft.register(makeSpec('a')));
  const handler = createMcpHandler(toolkit, options);
  const listen = (more: RpcOptions = {}) => handler.fetch(rpcRequest('subscriptions/listen', LISTEN, more));
  return { handler, toolkit, listen };
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream';
}

it('a principal has so many streams and no more, whatever others have; an end makes room', async () => {
  const { handler, toolkit, listen } = await serve({
    principal: (request) => {
      const id = request.headers.get('x-user');
      return id === null ? undefined : { id, scopes: [] };
    },
  });
  const as = (user: string | undefined, id = 1) => ({
    id,
    headers: user === undefined ? {} : { 'x-user': user },
  });
  for (const user of ['ann', undefined]) {
    const streams = await Promise.all(Array.from({ length: MOST + 1 }, (_, id) => listen(as(user, id))));
    expect(streams.filter(isStream)).toHaveLength(MOST);
    const refused = streams.filter((response) => !isStream(response));
    expect([refused[0]?.status, await lastMessage(refused[0] ?? Response.error())]).toEqual([
      200,
      { jsonrpc: '2.0', id: MOST, error: { code: -32603, message: 'Subscription limit reached' } },
    ]);
    expect(isStream(await listen(as('bob')))).toBe(true);
    await streams[0]?.body?.cancel();
    expect(isStream(await listen(as(user)))).toBe(true);
    expect(isStream(await listen(as(user)))).toBe(false);
  }
  await handler.close();
  await toolkit.close();
});

it('a stream ends with its signal, also when nobody else holds the request any more', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const { handler, toolkit, listen } = await serve();
  const stops = Array.from({ length: MOST }, () => new AbortController());
  for (const { signal } of stops) expect(isStream(await listen({ signal }))).toBe(true);
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise(setImmediate);
  }
  for (const stop of stops) stop.abort();
  const again = await Promise.all(Array.from({ length: MOST }, () => listen()));
  expect(again.filter(isStream)).toHaveLength(MOST);
  await handler.close();
  await toolkit.close();
});
