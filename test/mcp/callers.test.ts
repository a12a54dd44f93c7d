/**
 * What the application's `principal` may answer, and what is logged of requests that are not served.
 * Invariant: nobody is let through by mistake, and a mistake of the application is told to its log.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { add, ran, serveMath } from '../fixtures/mcp-math';
import { rpc, rpcRequest } from '../fixtures/mcp-rpc';
import type { LogEntry } from '../fixtures/recorded-toolkit';

const warnings = (log: readonly LogEntry[]) => log.filter(({ level }) => level === 'warn');

function refuse(): Response {
  return new Response('who?', { status: 401, headers: { 'www-authenticate': 'Bearer realm="keys"' } });
}

it('answers with the response that principal gives', async () => {
  const log: LogEntry[] = [];
  const handler = await serveMath({ principal: refuse }, log);
  const response = await handler.fetch(rpcRequest('tools/call', add));
  expect([response.status, await response.text()]).toEqual([401, 'who?']);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keys"');
  expect([ran.calls, warnings(log)]).toEqual([0, []]);
});

it.each([
  ['and keeps the connection', '{}'],
  ['whatever is still to come', `"${'x'.repeat(3_000_000)}"`],
])('does so over node:http, %s', async (_, body) => {
  const handler = await serveMath({ principal: async () => refuse() });
  const server = createServer((request, response) => void handler.node(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, init);
  expect([response.status, response.headers.get('connection')]).toEqual([401, 'keep-alive']);
  await response.text();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

it.each([['null'], ['"ann"'], ['{ "id": "ann" }']])('warns once when principal gives %s', async (found) => {
  const log: LogEntry[] = [];
  const handler = await serveMath({ principal: () => JSON.parse(found) }, log);
  for (let times = 0; times < 2; times += 1) {
    const { body } = await rpc(handler, 'tools/call', { ...add, name: 'math_secret' });
    expect(body).toMatchObject({ result: { isError: true } });
  }
  expect(warnings(log)).toHaveLength(1);
  expect(JSON.stringify(warnings(log))).not.toContain('ann');
});

it('logs the names of hosts that are refused: once each, clean, and not without end', async () => {
  const log: LogEntry[] = [];
  const handler = await serveMath({}, log);
  const ask = (host: string) => rpc(handler, 'tools/call', add, { headers: { host } });
  await ask('evil.example');
  await ask('evil.example');
  await ask(`a\u0085b${'c'.repeat(500)}`);
  const hosts = () => warnings(log).map(({ fields }) => ('host' in fields ? String(fields.host) : ''));
  expect(hosts()).toEqual(['evil.example', `ab${'c'.repeat(125)}`]);
  for (let number = 0; number < 200; number += 1) await ask(`host-${number}.example`);
  expect(hosts()).toHaveLength(100);
});
