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
import { isObject } from '../contract/json-object';
import type { TraceContext } from '../contract/trace-context';
import { askLegacy } from './ask-legacy';
import { canAsk, canCarry } from './askable';
import { toCallToolResult } from './call-result';
import { signalOf } from './cancellations';
import { DecidedCalls } from './decided-calls';
import { type Exchange, givenArguments } from './exchange';
import type { Concerns } from './list-changes';
import { cacheScopeOf, listTools } from './listing';
import type { DoorSettings } from './options';
import { APPROVAL_TTL_MS, Round, stateCodec } from './rounds';
import { recordDenial, scopeChallenge } from './scope-challenge';
import type { ServedToolkit } from './served-toolkit';
import { type ServedTool, ServedTools } from './served-tools';

/** How often a client of 2025 is asked in one call, over a connection that stays open. */
const MAX_LEGACY_ROUNDS = 64;

/** How much of an unknown name is said back. */
const MAX_NAME = 128;

/** `meant` is the name of the tool that was meant, where that is known. */
function unknownTool(name: string, meant: string | undefined): ProtocolError {
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  const hint = meant === undefined ? '' : `; call it ${JSON.stringify(meant)}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(shown)}${hint}`);
}

/** A reference to what the name would be, in a version that no tool can have: nothing that it names can run. */
function notServed(name: string): string {
  return `${name}@not-served`;
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
  private readonly decided = new DecidedCalls(APPROVAL_TTL_MS);

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
      // Its own answers to what goes wrong there would be none of the pipeline's.
      inputRequired: { legacyShim: false },
    });
    for (const name of exchange.calledNames) this.register(server, served.get(name), exchange);
    server.server.setRequestHandler('tools/list', ({ params }) =>
      listTools({ toolkit, served, pageSize }, exchange.principal, params?.cursor),
    );
    server.server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = served.get(params.name);
      if (tool === undefined || this.isHidden(tool, exchange)) {
        await this.recordRefusal(params.name, tool, exchange, traceOf(context.mcpReq._meta));
        throw unknownTool(params.name, this.meantBy(params.name, exchange));
      }
      const calling = this.call(tool, givenArguments(params.arguments), exchange, {
        server,
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

  /** Whether a call runs. */
  get isBusy(): boolean {
    return this.running.size > 0;
  }

  /** Settles when the calls that run have ended. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** Gives the SDK what its own checks need; the calls themselves do not go through it. */
  private register(server: McpServer, tool: ServedTool | undefined, exchange: Exchange): void {
    // A check would tell a hidden tool from one that is not there.
    if (tool === undefined || this.isHidden(tool, exchange)) return;
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
    asking: { readonly server: McpServer; readonly context: ServerContext; readonly canAsk: boolean },
  ): Promise<CallToolResult | InputRequiredResult> {
    const { mcpReq } = asking.context;
    const { id, _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    const { principal } = exchange;
    const round = new Round(
      {
        spec: tool.spec,
        args,
        principal,
        state: mcpReq.requestState(),
        responses: mcpReq.inputResponses,
        canCarry: canCarry(asking.context, exchange),
        canAsk: asking.canAsk,
        mayApprove: this.settings.clientApproves,
      },
      this.codec,
      this.decided,
    );
    const invoke = async () => {
      const result = await this.toolkit.invoke(tool.spec.key, args, {
        principal,
        conversationId: exchange.conversationId,
        signal: signalOf(mcpReq.signal, exchange.stops?.get(id)),
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
    };
    for (let asked = 1; ; asked += 1) {
      try {
        return await round.run(invoke);
      } catch (thrown) {
        if (!round.isPaused(thrown)) throw thrown;
        if (isObject(mcpReq.envelope)) return round.required();
        const isLast = asked > MAX_LEGACY_ROUNDS;
        round.resume(isLast ? undefined : await askLegacy(asking.server, asking.context, round.questions));
      }
    }
  }

  /** Lets the toolkit answer a name that nobody has, or a tool that is hidden, so that it is recorded as any. */
  private async recordRefusal(
    name: string,
    hidden: ServedTool | undefined,
    { principal, conversationId }: Exchange,
    traceContext: TraceContext,
  ): Promise<void> {
    if (hidden !== undefined) await recordDenial(this.toolkit, hidden.spec, principal, traceContext);
    else await this.toolkit.invoke(notServed(name), {}, { principal, conversationId, traceContext });
  }

  /** The name on the wire of a tool that the caller may call, by its dotted name. */
  private meantBy(name: string, { principal }: Exchange): string | undefined {
    const { registry } = this.toolkit;
    const modelName = registry.resolve(name)?.modelName;
    const spec = modelName === undefined ? undefined : this.served.get(modelName)?.spec;
    return spec?.name === name && registry.authorise(spec, principal).allowed ? modelName : undefined;
  }

  private isHidden({ spec }: ServedTool, { principal }: Exchange): boolean {
    return this.settings.concealTools && !this.toolkit.registry.authorise(spec, principal).allowed;
  }
}
