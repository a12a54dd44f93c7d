/**
 * What tools do to standard output while it carries the protocol.
 * Invariant: the client reads the protocol and nothing else, to the end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Bundle, bundle } from '../fixtures/mcp/bundle';

jest.setTimeout(30_000);

let server: Bundle;
beforeAll(() => {
  server = bundle('loud-server');
});
afterAll(() => server.remove());

const params = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const messages = [
  { id: 0, method: 'initialize', params },
  ...['loud_cork', 'loud_end', 'loud_destroy', 'loud_end'].map((name, index) => ({
    id: index + 1,
    method: 'tools/call',
    params: { name },
  })),
];
const sent = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

it.each(['a pipe', 'a file'])('is nobody else’s where it is %s', async (kind) => {
  const path = join(dirname(server.file), 'stdout');
  const file = kind === 'a file' ? openSync(path, 'w') : undefined;
  const child = spawn(process.execPath, [server.file], { stdio: ['pipe', file ?? 'pipe', 'pipe'] });
  child.stdin?.end(sent);
  const [written, printed, [code]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close'),
  ]);
  if (file !== undefined) closeSync(file);
  const lines = (file === undefined ? written : readFileSync(path, 'utf8')).trim().split('\n');
  const answers = lines.map((line): unknown => JSON.parse(line));
  expect(answers).toHaveLength(messages.length);
  expect(answers).toEqual(
    expect.arrayContaining(
      messages.map(({ id }) => expect.objectContaining({ id, result: expect.anything() })),
    ),
  );
  expect(printed).toContain('printed at the end\n');
  expect(printed).toContain('printed by console\n');
  expect(code).toBe(0);
});
