/**
 * Asks a client of 2025 while its call stays open (MCP 2025-11-25, Elicitation, Sampling and Roots).
 * Invariant: it sends only what the client has declared, and whatever else than a result comes of it is no answer.
 */
import type { McpServer, ServerContext, InputRequest as WireRequest } from '@modelcontextprotocol/server';

/** How long a client may take for an answer. */
const TIMEOUT_MS = 600_000;

function isDeclared(server: McpServer, method: WireRequest['method']): boolean {
  const { elicitation, sampling, roots } = server.server.getClientCapabilities() ?? {};
  return (
    { 'elicitation/create': elicitation, 'sampling/createMessage': sampling, 'roots/list': roots }[method] !==
    undefined
  );
}

/** Puts the questions of a call at once, and gives the answers by their keys; left out: there is none. */
export async function askLegacy(
  server: McpServer,
  { mcpReq }: ServerContext,
  requests: ReadonlyMap<string, WireRequest>,
): Promise<ReadonlyMap<string, unknown>> {
  const options = {
    signal: mcpReq.signal,
    timeout: TIMEOUT_MS,
    resetTimeoutOnProgress: true,
    onprogress: () => {},
  };
  const answers = [...requests].map(async ([key, { method, params }]): Promise<[string, unknown][]> => {
    if (!isDeclared(server, method)) return [];
    // Revisions of 2025 that know of modes want one.
    const sent = method === 'elicitation/create' ? { mode: 'form', ...params } : { ...params };
    try {
      return [[key, await mcpReq.send({ method, params: sent }, options)]];
    } catch {
      return [];
    }
  });
  return new Map((await Promise.all(answers)).flat());
}
