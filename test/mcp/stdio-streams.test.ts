/**
 * `serveStdio` on streams that the application gives.
 * Invariant: nothing but the protocol is written there, and standard output stays what it was.
 */
import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import { createToolkit, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { type StdioOptions, serveStdio } from 'toolcrib/mcp';
import { type LogEntry, recordingLogger } from '../fixtures/recorded-toolkit';

class Loud {
  @Tool({ name: 'loud.print', version: '1.0.0', description: 'Prints', output: Number })
  @Scopes()
  @SideEffect('none')
  print(): number {
    process.stdout.write('');
    return 7;
  }
}

let toolkit: Toolkit;
beforeAll(async () => {
  toolkit = await createToolkit({ discover: { instances: [new Loud()] } });
});
afterAll(() => toolkit.close());

const handshake = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

it('talks over the streams alone, and ends with its input', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { write } = process.stdout;
  const server = serveStdio(toolkit, { input, output });
  expect(process.stdout.write).toBe(write);
  const answer = async (message: object): Promise<unknown> => {
    input.write(`${JSON.stringify(message)}\n`);
    const [chunk] = await once(output, 'data');
    return JSON.parse(String(chunk));
  };
  expect(await answer(handshake)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'loud_print' } };
  expect(await answer(call)).toMatchObject({ id: 2, result: { content: [{ type: 'text', text: '7' }] } });
  input.end();
  await server.closed;
  await server.close();
});

it.each([
  ['input', { input: {} }],
  ['input that only writes', { input: new Writable() }],
  ['output', { output: 3 }],
  ['output that only reads', { output: new Readable() }],
])('refuses an %s that is no such stream', (_, options: object) => {
  const given: StdioOptions = options;
  const { write } = process.stdout;
  expect(() => serveStdio(toolkit, given)).toThrow(TypeError);
  expect(process.stdout.write).toBe(write);
});

it('says so when a message is beyond what it takes, and ends', async () => {
  const log: LogEntry[] = [];
  const own = await createToolkit({ discover: { instances: [new Loud()] }, logger: recordingLogger(log) });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serveStdio(own, { input, output });
  input.write(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
  await server.closed;
  await own.close();
  expect(log).toEqual([expect.objectContaining({ level: 'error', fields: { maxBytes: 10 * 1024 * 1024 } })]);
});
