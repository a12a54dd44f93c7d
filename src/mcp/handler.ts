/**
 * A toolkit as an MCP server over Streamable HTTP, for clients of 2026-07-28 and older ones.
 * Invariant: a request is looked at only after its host, its origin, its caller and its rate have passed, and one
 * that cannot be judged is refused.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type AuthInfo,
  createMcpHandler as createSdkHandler,
  isJSONRPCRequest,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
  originValidationResponse,
  type RequestId,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { isObject } from '../contract/json-object';
import { within } from '../contract/within';
import { reasonOf } from '../errors/reason';
import { type Rate, toRate } from '../invocation/limits/rate';
import { ResourceServer } from './auth/resource-server';
import { type Caller, Callers, SESSION_HEADER } from './callers';
import { Cancellations, stopsFor } from './cancellations';
import { preflight, readable } from './cors';
import { Door } from './door';
import { calledName, type Exchange, readJson } from './exchange';
import { type HandlerSettings, HEALTH_PATH, toHandlerSettings } from './handler-options';
import { NodeBody } from './node-body';
import { type NodeHandler, toNodeListener } from './node-listener';
import type { McpHandlerOptions, Route } from './options';
import { readBody } from './read-body';
import { RefusedHosts } from './refused-hosts';
import { isHost } from './request-target';
import { refusal } from './responses';
import type { ServedToolkit } from './served-toolkit';
import { Subscribers } from './subscribers';

/** What a request comes with when something in front has looked at it already. */
export interface RequestExtras {
  /** What a gate in front has found; only the option `principal` sees it. */
  readonly authInfo?: AuthInfo;
  /** The parsed body, where a parser in front has read it. */
  readonly parsedBody?: unknown;
}

const NEVER = new AbortController().signal;

/** How many requests a body holds; one that holds none is one all the same. */
function requestsIn(json: unknown): number {
  if (!Array.isArray(json)) return 1;
  return json.filter((message) => isObject(message) && 'method' in message && 'id' in message).length;
}

function shuttingDown(): Response {
  return refusal(503, { 'retry-after': '1', connection: 'close' });
}

/** Serves a toolkit over HTTP. Made by {@link createMcpHandler}. */
export class McpHandler {
  /** For `node:http`, Express and Fastify. A path that is not served goes to `next`, where there is one. */
  readonly node: NodeHandler;
  private readonly door: Door;
  private readonly gate: ResourceServer | undefined;
  private readonly callers: Callers;
  private readonly sdk: McpHttpHandler;
  private readonly rate: Rate | undefined;
  private readonly cancellations = new Cancellations();
  private readonly subscribers = new Subscribers();
  private readonly exchanges = new WeakMap<
    Request,
    { exchange: Exchange; caller: Caller; ids: RequestId[] }
  >();
  private readonly refusedHosts: RefusedHosts;
  /** Requests that have no answer yet. */
  private readonly accepted = new Set<Promise<Response>>();
  /** The servers of exchanges with clients of 2025, which the SDK loses sight of. */
  private readonly legacy = new Set<McpServer>();
  private isClosed = false;
  private hasEnded = false;

  /** @internal */
  constructor(
    private readonly toolkit: ServedToolkit,
    private readonly settings: HandlerSettings,
  ) {
    const { logger } = toolkit;
    const onerror = (error: Error) => logger.debug({ error: reasonOf(error) }, 'an MCP request was refused');
    this.sdk = createSdkHandler((context) => this.serverFor(context), {
      onerror,
      bus: this.subscribers,
    });
    this.door = new Door(toolkit, settings.door, (concerns) => this.subscribers.toolsChanged(concerns));
    const scopes = () => [...this.door.served.list()].flatMap(({ spec }) => spec.scopes ?? []);
    this.gate = settings.auth && new ResourceServer(settings.auth, { logger, scopes });
    this.callers = new Callers(this.gate, settings.principal, logger);
    this.refusedHosts = new RefusedHosts(logger);
    this.rate = toRate(settings.rateLimit);
    this.node = toNodeListener(this, settings.maxRequestBytes, logger);
  }

  /** Whether a path is one that it answers. */
  serves(pathname: string): boolean {
    const { path, routes } = this.settings;
    return (
      pathname === path ||
      pathname === HEALTH_PATH ||
      routes.has(pathname) ||
      this.gate?.serves(pathname) === true
    );
  }

  /** Answers a request: of MCP, of the OAuth metadata, of the health of the server, or of a route. Never rejects. */
  readonly fetch = (request: Request, extras: RequestExtras = {}): Promise<Response> =>
    this.guarded(() => this.answer(request, extras));

  /**
   * Takes no more requests, waits for those that it has taken, within `closeTimeoutMs`, and cuts off what is left: with
   * 503, or by the end of a stream that has begun. The toolkit stays open: close it after.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    const { closeTimeoutMs } = this.settings;
    await within(closeTimeoutMs, this.settle(), () => new Error('calls still run')).catch(() => {
      this.toolkit.logger.warn({ closeTimeoutMs }, 'closed while calls still run');
    });
    this.hasEnded = true;
    await this.sdk.close();
    await Promise.allSettled([...this.legacy].map((server) => server.close()));
    this.door.served.close();
  }

  private async guarded(answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer();
    } catch (error) {
      this.toolkit.logger.error({ error: reasonOf(error) }, 'an HTTP request could not be answered');
      return refusal(500);
    }
  }

  /** Settles when all requests that were taken have their answers. */
  private async settle(): Promise<void> {
    while (this.accepted.size > 0) await Promise.allSettled(this.accepted);
    // A stream is there before the call that it is for begins.
    await setImmediate();
    await this.door.settle();
  }

  private async answer(request: Request, extras: RequestExtras): Promise<Response> {
    const { allowedHosts, allowedOrigins, path, routes } = this.settings;
    const { pathname, host } = new URL(request.url);
    // Load balancers ask by address.
    if (pathname === HEALTH_PATH) return this.health();
    // What serves web standards in process makes requests without the header; their URL says the same.
    const asked = request.headers.get('host') ?? host;
    if (!isHost(asked) || !validateHostHeader(asked, allowedHosts).ok) {
      this.refusedHosts.note(asked);
      return refusal(403);
    }
    // Public, also for web pages of other origins.
    const metadata = this.gate?.metadata(request);
    if (metadata !== undefined) return metadata;
    const refused = originValidationResponse(request, allowedOrigins);
    if (refused !== undefined) return refused;
    const route = routes.get(pathname);
    if (route !== undefined) return this.follow(route, request, extras.parsedBody);
    if (pathname !== path) return refusal(404);
    const response = preflight(request) ?? (await this.guarded(() => this.accept(request, extras)));
    return readable(request, response);
  }

  private async follow(route: Route, request: Request, body: unknown): Promise<Response> {
    const whole = body instanceof NodeBody ? await body.attach(request, this.settings) : request;
    if (typeof whole === 'number') return refusal(whole);
    const response: unknown = await route(whole);
    if (response instanceof Response) return response;
    throw new TypeError(`the route ${new URL(request.url).pathname} gave no Response`);
  }

  private health(): Response {
    const status = this.isClosed ? 503 : 200;
    return Response.json(
      { status: this.isClosed ? 'closing' : 'ok' },
      { status, headers: { 'cache-control': 'no-store' } },
    );
  }

  private async accept(request: Request, extras: RequestExtras): Promise<Response> {
    if (this.isClosed) return shuttingDown();
    const serving = this.serve(request, extras);
    this.accepted.add(serving);
    try {
      return await serving;
    } finally {
      this.accepted.delete(serving);
    }
  }

  private async serve(request: Request, { authInfo, parsedBody }: RequestExtras): Promise<Response> {
    const caller = await this.callers.identify(request, authInfo, parsedBody instanceof NodeBody);
    if (caller instanceof Response) return caller;
    const excess = await this.count(caller, 1);
    if (excess !== undefined) return excess;
    const body = await readBody(request, parsedBody, this.settings);
    if (body instanceof Response) return body;
    const json = readJson(body?.json);
    const excessInside = await this.count(caller, requestsIn(json) - 1);
    if (excessInside !== undefined) return excessInside;
    const isInitialize = this.prepare(request, caller, json);
    const answer = async () => {
      if (this.hasEnded) return shuttingDown();
      // The SDK hears only of clients that leave from now on.
      if (request.signal.aborted) return new Response(null, { status: 499 });
      return this.sdk.fetch(request, {
        ...(caller.authInfo === undefined ? {} : { authInfo: caller.authInfo }),
        ...(json === undefined ? {} : { parsedBody: json }),
      });
    };
    const isListening = isJSONRPCRequest(json) && json.method === 'subscriptions/listen';
    const { principal } = caller;
    const response = await (isListening
      ? this.subscribers.open({ principal, request, id: json.id }, answer)
      : answer());
    // Cut off by `close`, where the SDK takes the client for gone.
    if (response.status === 499 && this.isClosed && !request.signal.aborted) return shuttingDown();
    // A session of 2025 holds nothing: it only tells one client's ids from another's.
    if (isInitialize && response.ok) response.headers.set(SESSION_HEADER, randomUUID());
    return response;
  }

  /** Counts requests of a caller, and gives the answer to one that is beyond the rate. */
  private async count(caller: Caller, requests: number): Promise<Response | undefined> {
    for (let counted = 0; this.rate !== undefined && counted < requests; counted += 1) {
      const excess = await this.rate(caller.principal?.id ?? '', NEVER);
      if (excess === undefined) continue;
      const seconds = excess.why === 'beyond' ? Math.ceil(excess.retryAfterMs / 1_000) : 1;
      return refusal(429, { 'retry-after': String(seconds) });
    }
    return undefined;
  }

  /** Notes what the messages of a request call; tells whether one of them is the handshake of 2025. */
  private prepare(request: Request, caller: Caller, json: unknown): boolean {
    const messages: readonly unknown[] = Array.isArray(json) ? json : [json];
    for (const message of messages) this.cancellations.take(caller, message);
    const { session, principal } = caller;
    // Without a session nobody can cancel by an id.
    const cancellable = session === undefined ? [] : messages;
    const ids = cancellable.flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    const exchange: Exchange = {
      principal,
      isChallengeable: this.gate !== undefined,
      canAskLegacy: false,
      ...(session === undefined ? {} : { conversationId: session }),
      calledNames: [...new Set(messages.flatMap((message) => calledName(message) ?? []))],
      stops: stopsFor(ids),
    };
    this.exchanges.set(request, { exchange, caller, ids });
    return messages.some((message) => isObject(message) && message.method === 'initialize');
  }

  private serverFor({ requestInfo, era }: McpRequestContext): McpServer {
    const known = requestInfo === undefined ? undefined : this.exchanges.get(requestInfo);
    if (known === undefined)
      throw new TypeError('the SDK asked for a server of a request that was never seen');
    // A client of 2025 would have to be told on a stream of its own, which a server without sessions cannot keep.
    const server = this.door.serverFor(known.exchange, era === 'modern');
    if (era === 'legacy') {
      this.cancellations.add(known.caller, known.ids, server, known.exchange.stops ?? new Map());
      this.legacy.add(server);
      const { onclose } = server.server;
      server.server.onclose = () => {
        onclose?.();
        this.legacy.delete(server);
      };
    }
    return server;
  }
}

/**
 * Serves a toolkit over MCP's Streamable HTTP: `fetch` for servers that speak web standards, `node` for the others.
 *
 * @throws DeclarationError `illegal_schema` with every tool that MCP's clients could not take.
 * @throws TypeError when there is no such option, or one is not sound.
 */
export function createMcpHandler(toolkit: ServedToolkit, options: McpHandlerOptions = {}): McpHandler {
  return new McpHandler(toolkit, toHandlerSettings(options));
}
