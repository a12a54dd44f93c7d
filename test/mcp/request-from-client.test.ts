/**
 * Questions of handlers to an MCP client itself.
 * Invariant: a handler gets results that have MCP's form, given for its own call, or learns that nobody can be asked.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientQuestion, ToolContext } from 'toolcrib';
import { createMcpHandler, type McpHandler } from 'toolcrib/mcp';
import { rawCall } from '../fixtures/asking-client';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

const SAMPLING: ClientQuestion = {
  key: 'summary',
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up' } }], maxTokens: 9 },
};
const ROOTS: ClientQuestion = { key: 'folders', method: 'roots/list' };

const sampled = { role: 'assistant', content: { type: 'text', text: 'Short.' }, model: 'm' } as const;
const listed = { roots: [{ uri: 'file:///work' }] };
const BOTH = { sampling: {}, roots: {} };

async function serving(run: (context: ToolContext) => unknown): Promise<McpHandler> {
  const { toolkit } = await toolkitRunning((_, context) => run(context));
  return createMcpHandler(toolkit);
}

/** Asks both at once, and answers what came. */
async function asksBoth(context: ToolContext): Promise<unknown> {
  const [summary, folders] = await Promise.all([
    context.requestFromClient(SAMPLING),
    context.requestFromClient(ROOTS),
  ]);
  return { summary: summary ?? null, folders: folders ?? null };
}

async function connect(handler: McpHandler, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: BOTH },
  );
  client.setRequestHandler('sampling/createMessage', () => ({ ...sampled, content: { ...sampled.content } }));
  client.setRequestHandler('roots/list', () => listed);
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
  return client;
}

describe('requestFromClient over MCP', () => {
  it('asks a client of 2026-07-28 both questions at once, and gives what it answers', async () => {
    const handler = await serving(asksBoth);
    const client = await connect(handler, 'auto');
    const { structuredContent } = await client.callTool({ name: 'test_run' });
    expect(structuredContent).toMatchObject({ summary: sampled, folders: listed });
    await client.close();
  });

  it('learns that a client of 2025 cannot be asked over HTTP', async () => {
    const handler = await serving(asksBoth);
    const client = await connect(handler, 'legacy');
    const { structuredContent } = await client.callTool({ name: 'test_run' });
    expect(structuredContent).toEqual({ summary: null, folders: null });
    await client.close();
  });

  it('answers -32021, with what is missing, where the client has not declared it', async () => {
    const handler = await serving((context) => context.requestFromClient(SAMPLING));
    expect(await rawCall(handler, { capabilities: { roots: {} } })).toMatchObject({
      error: { code: -32_021, data: { requiredCapabilities: { sampling: {} } } },
    });
  });

  it('asks again for what has not the form of a result', async () => {
    const handler = await serving(asksBoth);
    const first = await rawCall(handler, { capabilities: BOTH });
    const { requestState } = first.result ?? {};
    for (const wrong of [{}, { action: 'accept', content: {} }, { role: 'assistant' }, [], listed]) {
      const inputResponses = { summary: wrong, folders: listed };
      const { result } = await rawCall(handler, { capabilities: BOTH, requestState, inputResponses });
      expect(Object.keys(result?.inputRequests ?? {})).toEqual(['summary']);
    }
    const inputResponses = { summary: sampled, folders: listed };
    const last = await rawCall(handler, { capabilities: BOTH, requestState, inputResponses });
    expect(last.result?.structuredContent).toMatchObject({ summary: sampled, folders: listed });
  });

  it('keeps an answer for its question alone', async () => {
    let maxTokens = 9;
    const handler = await serving((context) =>
      context.requestFromClient({ ...SAMPLING, params: { ...SAMPLING.params, maxTokens } }),
    );
    const first = await rawCall(handler, { capabilities: BOTH });
    maxTokens = 10;
    const { requestState } = first.result ?? {};
    const again = await rawCall(handler, {
      capabilities: BOTH,
      requestState,
      inputResponses: { summary: sampled },
    });
    expect(again.result?.resultType).toBe('input_required');
  });

  it.each([
    { ...SAMPLING, key: 'a b' },
    { ...SAMPLING, method: 'tools/list' },
    { ...SAMPLING, params: { messages: 'none' } },
    { ...SAMPLING, params: { maxTokens: 1n } },
  ])('fails where the question is not sound: %#', async (question) => {
    // As JavaScript authors may write it.
    const handler = await serving((context) => context.requestFromClient(Object(question)));
    const { result } = await rawCall(handler, { capabilities: BOTH });
    expect(JSON.parse(result?.content?.[0]?.text ?? '')).toMatchObject({ error: { code: 'internal_error' } });
  });
});

describe('requestFromClient elsewhere', () => {
  it('is answered undefined', async () => {
    const { run } = await toolkitRunning((_, context) => asksBoth(context));
    expect(await run()).toEqual({ success: true, result: { summary: null, folders: null } });
  });

  it('gives what a door of the application answers, where that is JSON', async () => {
    const { run } = await toolkitRunning((_, context) => context.requestFromClient(ROOTS));
    expect(await run({}, { clientRequester: ({ method }) => ({ method }) })).toEqual({
      success: true,
      result: { method: 'roots/list' },
    });
    const { run: other } = await toolkitRunning((_, context) => context.requestFromClient(ROOTS));
    expect(await other({}, { clientRequester: () => 1n })).toMatchObject({ success: false });
  });
});
