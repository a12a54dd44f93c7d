/**
 * The MCP door of a toolkit: makes the SDK's server for one exchange.
 * Invariant: every call goes through `toolkit.invoke`, and making a server costs the same for any number of tools.
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ScopeChallengeHandler,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { TraceContext } from '../contract/trace-context';
import { canAsk, canCarry } from './askable';
import { toCallToolResult } from './call-result';
import type { Exchange } from './exchange';
import type { Concerns } from './list-changes';
import { cacheScopeOf, listTools } from './listing';
import type { DoorSettings } from './options';
import { Round, stateCodec } from './rounds';
import { recordDenial, scopeChallenge } from './scope-challenge';
import type { ServedToolkit } from './served-toolkit';
import { type ServedTool, ServedTools } from './served-tools';

/** How often a client of 2025 is asked in one call, over a connection that stays open. */
const MAX_LEGACY_ROUNDS = 64;

/** How much of an unknown name is said back. */
const MAX_NAME = 128;

function unknownTool(name: string): ProtocolError {
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(shown)}`);
}

/** A tool as the SDK's own checks need it: of headers against arguments, and of scopes. */
function standardSchema(json: Readonly<Record<string, unknown>>) {
  const jsonSchema = { input: () => json, output: () => json };
  const validate = (value: unknown) => ({ value });
  return { '~standard': { version: 1 as const, vendor: 'toolcrib', validate, jsonSchema } };
}

const NO_HEADERS = standardSchema({ type: 'object' });

/** The trace that a request carries (SEP-414); the toolkit leaves out what is malformed. */
function traceOf(meta: { readonly [key: string]: unknown } | undefined): TraceContext {
  const text = (given: unknown) => (typeof given === 'string' ? given : undefined);
  return {
    traceparent: text(meta?.traceparent),
    tracestate: text(meta?.tracestate),
    baggage: text(meta?.baggage),
  };
}

/** Serves a toolkit, whatever the transport. */
export class Door {
  readonly served: ServedTools;
  private readonly running = new Set<Promise<unknown>>();
  private readonly codec: ReturnType<typeof stateCodec>;

  constructor(
    readonly toolkit: ServedToolkit,
    private readonly settings: DoorSettings,
    onListChange: (concerns: Concerns) => void,
  ) {
    const { versions, requestStateKey } = settings;
    this.codec = stateCodec(requestStateKey);
    this.served = new ServedTools(toolkit, { versions, logger: toolkit.logger }, onListChange);
  }

  /** Makes the server of one exchange; `canNotify`: whether the client can be told of changes of the list. */
  serverFor(exchange: Exchange, canNotify: boolean): McpServer {
    const { serverInfo, instructions, listTtlMs, pageSize } = this.settings;
    const { toolkit, served } = this;
    const server = new McpServer(serverInfo, {
      capabilities: { tools: { listChanged: canNotify } },
      cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: cacheScopeOf(served) } },
      ...(instructions === undefined ? {} : { instructions }),
      requestState: { verify: this.codec.verify },
      inputRequired: { maxRounds: MAX_LEGACY_ROUNDS },
    });
    for (const name of exchange.calledNames) this.register(server, served.get(name), exchange);
    server.server.setRequestHandler('tools/list', ({ params }) =>
      listTools({ toolkit, served, pageSize }, exchange.principal, params?.cursor),
    );
    server.server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = served.get(params.name);
      if (tool === undefined || this.isHidden(tool, exchange, context)) {
        await this.recordUnknown(params.name, exchange, traceOf(context.mcpReq._meta));
        throw unknownTool(params.name);
      }
      const calling = this.call(tool, params.arguments, exchange, {
        context,
        canAsk: canAsk(server, context, exchange),
      });
      this.running.add(calling);
      try {
        const result = await calling;
        if (isInputRequiredResult(result)) return result;
        return server.server.projectCallToolResult(result, tool.definition.outputSchema);
      } finally {
        this.running.delete(calling);
      }
    });
    return server;
  }

  /** Settles when the calls that run have ended. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** Gives the SDK what its own checks need; the calls themselves do not go through it. */
  private register(server: McpServer, tool: ServedTool | undefined, exchange: Exchange): void {
    if (tool === undefined) return;
    const isChallenged = exchange.isChallengeable && !this.settings.concealTools;
    if (tool.headerSchema === undefined && !isChallenged) return;
    const inputSchema = tool.headerSchema === undefined ? NO_HEADERS : standardSchema(tool.headerSchema);
    const challenge: ScopeChallengeHandler = ({ request }) =>
      scopeChallenge(this.toolkit, tool.spec, exchange.principal, traceOf(request.params?._meta));
    const config = { inputSchema, ...(isChallenged ? { scopeChallenge: challenge } : {}) };
    server.registerTool(tool.spec.modelName, config, () => ({ content: [] }));
  }

  private async call(
    tool: ServedTool,
    args: unknown,
    exchange: Exchange,
    asking: { readonly context: ServerContext; readonly canAsk: boolean },
  ): Promise<CallToolResult | InputRequiredResult> {
    const { mcpReq } = asking.context;
    const { id, signal, _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    const isOdd = exchange.oddArguments.has(id);
    const given = isOdd ? exchange.oddArguments.get(id) : args;
    exchange.oddArguments.delete(id);
    const { principal } = exchange;
    const round = new Round(
      {
        tool: tool.spec.key,
        args: given,
        principal,
        state: mcpReq.requestState(),
        responses: mcpReq.inputResponses,
        canCarry: canCarry(asking.context, exchange),
        canAsk: asking.canAsk,
        mayApprove: this.settings.clientApproves,
      },
      this.codec,
    );
    try {
      const result = await this.toolkit.invoke(tool.spec.key, given, {
        principal,
        conversationId: exchange.conversationId,
        signal,
        ...round.options,
        traceContext: traceOf(meta),
        ...(progressToken === undefined
          ? {}
          : {
              onProgress: (update) => {
                const params = { progressToken, ...update };
                // Nobody hears of it once the client has gone.
                mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
              },
            }),
      });
      return toCallToolResult(tool.spec, result);
    } catch (thrown) {
      if (!round.isPaused(thrown)) throw thrown;
      return round.required();
    }
  }

  /** Lets the toolkit answer a name that nobody has, so that the call is recorded as any. */
  private async recordUnknown(
    name: string,
    { principal, conversationId }: Exchange,
    traceContext: TraceContext,
  ): Promise<void> {
    if (this.toolkit.registry.resolve(name) !== undefined) return;
    await this.toolkit.invoke(name, {}, { principal, conversationId, traceContext });
  }

  private isHidden({ spec }: ServedTool, { principal }: Exchange, { mcpReq }: ServerContext): boolean {
    if (!this.settings.concealTools) return false;
    if (this.toolkit.registry.authorise(spec, principal).allowed) return false;
    void recordDenial(this.toolkit, spec, principal, traceOf(mcpReq._meta));
    return true;
  }
}
