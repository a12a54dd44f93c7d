/**
 * Requests of MCP as clients of 2026 and of 2025 send them, and what came back.
 * Invariant: both eras ask for the same, and an answer that is no success is an error of the measurement.
 */

/** Which protocol a client speaks. */
export type Era = '2026-07-28' | '2025-11-25';

/** A call as it is sent. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let id = 0;

/** A call of a tool, with an id of its own. */
export function toSent(era: Era, name: string, args: unknown): Sent {
  id += 1;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  };
  const isModern = era === '2026-07-28';
  const params = { name, arguments: args, ...(isModern ? { _meta: meta } : {}) };
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era,
      ...(isModern ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  };
}

/** Throws where an answer is no success. */
export function requireSuccess(status: number, text: string): void {
  if (status === 200 && text.includes('"result":') && !text.includes('"isError":true')) return;
  throw new Error(`a measured request ended ${status}: ${text.slice(0, 500)}`);
}

type Fields = { readonly [name: string]: unknown };

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** What a successful answer says: JSON, or the last event of a stream. */
export function resultOf(text: string): { readonly structured: unknown; readonly mirrored: unknown } {
  const json = text.startsWith('{')
    ? text
    : (text
        .match(/^data: (\{.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '');
  const message: unknown = JSON.parse(json);
  const result = isFields(message) && isFields(message.result) ? message.result : {};
  const [block]: unknown[] = Array.isArray(result.content) ? result.content : [];
  const mirror = isFields(block) && typeof block.text === 'string' ? block.text : 'null';
  return { structured: result.structuredContent, mirrored: JSON.parse(mirror) };
}
