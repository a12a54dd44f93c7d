/**
 * Questions and approvals over stdio, in both eras, with a server in a process of its own.
 * Invariant: a client of 2025 is asked while its call stays open, and gets the same answers as one of 2026.
 */
import { Client, type ElicitRequestParams } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { FormAnswer } from '../fixtures/asking-client';
import { type Bundle, bundle } from '../fixtures/mcp/bundle';

// A process takes a while to start on a machine that is busy.
jest.setTimeout(30_000);

let server: Bundle;
const clients: Client[] = [];
beforeAll(() => {
  server = bundle('asking-server');
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(() => server.remove());

async function connect(
  mode: 'auto' | 'legacy',
  answer?: (params: ElicitRequestParams) => FormAnswer,
): Promise<Client> {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({ ...answer(params) }));
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server.file] }));
  return client;
}

it.each(['auto', 'legacy'] as const)('a client over stdio in mode %s is asked', async (mode) => {
  const asked: string[] = [];
  let answer: FormAnswer | undefined;
  const client = await connect(mode, ({ message }) => {
    asked.push(message);
    // The first is invalid.
    return answer ?? { action: 'accept', content: { row: asked.length === 1 ? 99 : asked.length } };
  });
  const booked = await client.callTool({ name: 'seats_book', arguments: {} });
  expect(booked.structuredContent).toEqual({ rows: [2, 3] });
  expect(asked).toHaveLength(3);
  const decisions: readonly (readonly [FormAnswer, string])[] = [
    [{ action: 'accept', content: { decision: 'approve' } }, 'cancelled'],
    [{ action: 'decline' }, 'approval_rejected'],
    [{ action: 'cancel' }, 'approval_required'],
  ];
  for (const [given, said] of decisions) {
    answer = given;
    const { content } = await client.callTool({ name: 'seats_cancel', arguments: {} });
    expect(JSON.stringify(content)).toContain(said);
  }
  expect(asked).toHaveLength(6);
});

it('a client of 2025 over stdio that cannot show forms is not asked', async () => {
  const client = await connect('legacy');
  const booked = await client.callTool({ name: 'seats_book', arguments: {} });
  expect(booked.structuredContent).toEqual({ rows: ['nobody', 'nobody'] });
  const { content } = await client.callTool({ name: 'seats_cancel', arguments: {} });
  expect(JSON.stringify(content)).toContain('approval_required');
});

it('an error of a client of 2025 is no answer: the pipeline says what comes of the call', async () => {
  const client = await connect('legacy', () => {
    throw new Error('the window is gone');
  });
  const booked = await client.callTool({ name: 'seats_book', arguments: {} });
  expect(booked.structuredContent).toEqual({ rows: ['nobody', 'nobody'] });
  const { content, isError } = await client.callTool({ name: 'seats_cancel', arguments: {} });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('approval_required');
  expect(JSON.stringify(content)).not.toContain('window');
});
