/**
 * A client over stdio that closes its end while it waits for answers.
 * Invariant: what it has asked is answered before the server ends, and nothing keeps the server from ending.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type Bundle, bundle } from '../fixtures/mcp/bundle';

jest.setTimeout(30_000);

let server: Bundle;
beforeAll(() => {
  server = bundle('asking-server');
});
afterAll(() => server.remove());

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};
const call = (name: string, params: object = {}) => ({ method: 'tools/call', params: { name, ...params } });
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends requests, closes standard input, and gives what was answered, by id, and the exit code. */
async function exchange(
  requests: readonly object[],
): Promise<[code: unknown, answers: Map<unknown, unknown>]> {
  const child = spawn(process.execPath, [server.file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = requests.map((request, id) => JSON.stringify({ jsonrpc: '2.0', id, ...request }));
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [written, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const messages: { id?: unknown; result?: unknown }[] = written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return [code, new Map(messages.flatMap(({ id, result }) => (result === undefined ? [] : [[id, result]])))];
}

it('answers the calls that run', async () => {
  const [code, answers] = await exchange([initialize, call('seats_count'), { method: 'tools/list' }]);
  expect(code).toBe(0);
  expect([...answers.keys()].sort()).toEqual([0, 1, 2]);
  expect(answers.get(1)).toMatchObject({ content: [{ type: 'text', text: '40' }] });
});

it('answers the calls of a client of 2026, and does not wait for its subscription', async () => {
  const listen = { method: 'subscriptions/listen', params: { notifications: {}, _meta: meta } };
  const [code, answers] = await exchange([listen, call('seats_count', { _meta: meta })]);
  expect(code).toBe(0);
  expect(answers.get(1)).toMatchObject({ content: [{ type: 'text', text: '40' }] });
});

it('does not wait for the person at a client that has gone', async () => {
  const [code, answers] = await exchange([initialize, call('seats_book')]);
  expect(code).toBe(0);
  expect(answers.get(1)).toMatchObject({ structuredContent: { rows: ['nobody', 'nobody'] } });
});

it('ends at once where nothing was asked', async () => {
  expect(await exchange([])).toEqual([0, new Map()]);
});
