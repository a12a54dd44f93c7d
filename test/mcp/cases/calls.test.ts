/**
 * The cases of calls over MCP that are known by their ids.
 * Invariant: every one holds over both transports and in both eras.
 */
import { callTool, type Message, type Wire } from '../../fixtures/mcp/wire';
import { WAYS, Wires } from '../../fixtures/mcp/wires';

const wires = new Wires();
afterAll(() => wires.close());

/** The envelope that the text of a failed call holds. */
function envelopeOf({ result }: Message): unknown {
  const { content } = Object(result);
  return JSON.parse(content[0].text);
}

describe.each(WAYS)('over %s, in the era of %s', (transport, era) => {
  let wire: Wire;
  beforeAll(async () => {
    wire = await wires.open(transport, era);
  });

  describe('MCP-01: a call without arguments, however it is said', () => {
    const NOTHING = [{}, { arguments: null }, { arguments: {} }];
    const ODD = [{ arguments: '' }, { arguments: [] }];

    it.each(NOTHING)('runs a tool that takes nothing, or needs nothing: %j', async (extra) => {
      const ping = await callTool(wire, 'case_ping', extra);
      expect(ping.result).toMatchObject({ structuredContent: { ok: true } });
      const optional = await callTool(wire, 'case_optional', extra);
      expect(optional.result).toMatchObject({ structuredContent: { note: null } });
    });

    it.each(NOTHING)('names what is missing where something is needed: %j', async (extra) => {
      const answer = await callTool(wire, 'case_book', extra);
      expect(answer.error).toBeUndefined();
      expect(envelopeOf(answer)).toMatchObject({
        isError: true,
        error: { code: 'invalid_input', detail: { violations: [{ path: '/day' }] } },
      });
    });

    it.each(ODD)('refuses what is no object: %j', async (extra) => {
      for (const tool of ['case_ping', 'case_optional', 'case_book']) {
        const answer = await callTool(wire, tool, extra);
        expect(answer.error).toBeUndefined();
        expect(envelopeOf(answer)).toMatchObject({ isError: true, error: { code: 'invalid_input' } });
      }
    });
  });

  it('MCP-02: bad arguments are a result that models read, and no error of the protocol', async () => {
    const answer = await callTool(wire, 'case_book', { arguments: { day: 'yesterday-ish' } });
    expect(answer.error).toBeUndefined();
    expect(answer.result).toMatchObject({ isError: true });
    expect(answer.result).not.toHaveProperty('structuredContent');
    const envelope = envelopeOf(answer);
    expect(envelope).toMatchObject({
      isError: true,
      error: { code: 'invalid_input', retryable: false, detail: { violations: [{ path: '/day' }] } },
    });
    // What is allowed is said, and what was sent is not.
    expect(JSON.stringify(envelope)).toContain('monday');
    expect(JSON.stringify(envelope)).not.toContain('yesterday');
  });

  describe('MCP-03: a tool that there is not is an error of the protocol', () => {
    it.each(['does_not_exist', 'toString', '__proto__', 'case.ping@0.9.0', 'x'.repeat(5_000)])(
      'whatever its name (%#)',
      async (name) => {
        const answer = await callTool(wire, name, { arguments: {} });
        expect(answer).toMatchObject({ error: { code: -32602 } });
        expect(answer.result).toBeUndefined();
        const { message } = Object(answer.error);
        expect(message).toContain(name.slice(0, 100));
        expect(message.length).toBeLessThan(300);
      },
    );

    it('an empty name as well', async () => {
      expect(await callTool(wire, '')).toMatchObject({ error: { code: -32602 } });
    });
  });

  describe('MCP-12: the text says what the structured result says', () => {
    it.each([
      ['case_total', {}],
      ['case_list', {}],
      ['case_count', { arguments: { count: 9_007_199_254_740_991 } }],
      ['case_count', { arguments: { count: 0 } }],
    ])('exactly: %s %j', async (name, extra) => {
      const { result } = await callTool(wire, name, extra);
      const { structuredContent, content } = Object(result);
      expect(content[0].type).toBe('text');
      const told = JSON.parse(content[0].text);
      const isWrapped = era === '2025-11-25' && name !== 'case_total';
      // Clients of 2025 take objects alone, so the SDK puts anything else into one, for the program's eyes.
      expect(structuredContent).toEqual(isWrapped ? { result: told } : told);
    });
  });
});
