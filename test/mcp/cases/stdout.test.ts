/**
 * The case MCP-07: a tool prints while it is served over stdio.
 * Invariant: from its start to its end the server writes nothing but messages of the protocol to standard output.
 */
import { callTool, request } from '../../fixtures/mcp/wire';
import { Wires } from '../../fixtures/mcp/wires';

describe.each(['2026-07-28', '2025-11-25'] as const)('MCP-07 in the era of %s', (era) => {
  const wires = new Wires();
  afterAll(() => wires.close());

  it('what a tool prints goes to standard error, with secrets masked', async () => {
    const wire = await wires.openStdio(era);
    const noisy = Promise.all([1, 2, 3].map(() => callTool(wire, 'case_noisy')));
    for (const answer of await noisy) {
      expect(answer.result).toMatchObject({ structuredContent: { printed: 5 } });
    }
    expect(await request(wire, 'tools/list')).toHaveProperty('result.tools');
    await wire.close();
    expect(wire.lines.length).toBeGreaterThanOrEqual(4);
    for (const line of wire.lines) {
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number) });
    }
    // One of the printed lines looks like an answer; no client may take it for one.
    expect(wire.received.filter(({ result }) => JSON.stringify(result) === '{}')).toEqual([]);
    for (const printed of [
      'hello from a tool',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      'debug',
      'raw',
      'bytes',
    ]) {
      expect(wire.errors.split(printed)).toHaveLength(4);
    }
    expect(wire.errors).not.toContain('ghp_0123456789');
  });
});
