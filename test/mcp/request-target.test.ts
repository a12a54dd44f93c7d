/**
 * Where a request goes, by its Host header and its target, byte by byte over a socket.
 * Invariant: no spelling of a host leads to another path, and what cannot be told is refused without an error.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import type { McpHandlerOptions } from 'toolcrib/mcp';
import { add, ran, serveMath } from '../fixtures/mcp-math';
import { rpc } from '../fixtures/mcp-rpc';
import type { LogEntry } from '../fixtures/recorded-toolkit';

const open: Server[] = [];
const log: LogEntry[] = [];

afterEach(async () => {
  log.length = 0;
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: add });

/** Sends one request by its first line and host, and gives the whole answer. */
async function send(line: string, host: string, options: McpHandlerOptions = {}): Promise<string> {
  const handler = await serveMath(options, log);
  const server = createServer((request, response) => void handler.node(request, response));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const socket = connect(address !== null && typeof address === 'object' ? address.port : 0, '127.0.0.1');
  const body = line.startsWith('POST') ? call : '';
  const head = [
    `${line} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${body.length}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const errors = () => log.filter(({ level }) => level === 'error');

it.each([
  ['POST /other', 'localhost/mcp?x='],
  ['POST /other', 'localhost/mcp#'],
  ['POST /mcp', '::'],
  ['POST /mcp', 'a@localhost'],
  ['POST /mcp', 'localhost:99999'],
  ['POST /mcp', 'local%68ost'],
  ['POST /mcp', 'localhost\\x'],
  ['POST http://a@localhost/mcp', 'localhost'],
  ['POST http:///mcp', 'localhost'],
  ['OPTIONS *', 'localhost'],
])('refuses %s of host %s with 400', async (line, host) => {
  expect(statusOf(await send(line, host))).toBe(400);
  expect([ran.calls, errors()]).toEqual([0, []]);
});

it.each([
  ['POST http://localhost/mcp', 'localhost'],
  ['POST http://localhost:81/mcp?a=b', 'evil.example'],
  ['POST HTTPS://LOCALHOST/mcp', 'localhost'],
  ['POST /mcp', '[::1]:3000'],
  ['POST /mcp', 'LocalHost:3000'],
])('takes %s of host %s', async (line, host) => {
  expect(statusOf(await send(line, host))).toBe(200);
  expect(ran.calls).toBe(1);
});

it.each([
  ['POST http://evil.example/mcp', 403],
  ['POST http://localhost/other', 404],
  ['POST http://localhost', 404],
  ['GET http://localhost/health', 200],
])('answers %s by its absolute target', async (line, status) => {
  expect(statusOf(await send(line, 'localhost'))).toBe(status);
  expect(ran.calls).toBe(0);
});

it('answers TRACE with 405, and no error', async () => {
  const answer = await send('TRACE /mcp', 'localhost');
  expect(statusOf(answer)).toBe(405);
  expect(answer.toLowerCase()).toContain('allow: ');
  expect(errors()).toEqual([]);
});

it.each(['evil.com@localhost', 'localhost/evil', 'localhost?', '::', 'localhost#x'])(
  'refuses the host %s in process',
  async (host) => {
    const { status } = await rpc(await serveMath(), 'tools/call', add, { headers: { host } });
    expect([status, ran.calls]).toEqual([403, 0]);
  },
);
