/**
 * A toolkit as an MCP server over Streamable HTTP, for clients of 2026-07-28 and older ones.
 * Invariant: a request is looked at only after its host, its origin, its caller and its rate have passed, and one
 * that cannot be judged is refused.
 */
import { randomUUID } from 'node:crypto';
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
import { isPrincipal, type Principal } from '../contract/principal';
import { within } from '../contract/within';
import { reasonOf } from '../errors/reason';
import { type Rate, toRate } from '../invocation/limits/rate';
import { ResourceServer } from './auth/resource-server';
import { Cancellations } from './cancellations';
import { Door } from './door';
import { calledName, type Exchange, readMessage } from './exchange';
import { type HandlerSettings, HEALTH_PATH, toHandlerSettings } from './handler-options';
import { isObject } from './json-object';
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

/** Who makes a request, in which session of 2025. */
interface Caller {
  readonly principal: Principal | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly session: string | undefined;
}

const SESSION_HEADER = 'mcp-session-id';
/** MCP 2025-11-25, Session Management: visible ASCII. */
const SESSION_ID = /^[\x21-\x7E]{1,128}$/;

const NEVER = new AbortController().signal;

function sessionOf(request: Request): string | undefined {
  const session = request.headers.get(SESSION_HEADER);
  return session !== null && SESSION_ID.test(session) ? session : undefined;
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
  private readonly sdk: McpHttpHandler;
  private readonly rate: Rate | undefined;
  private readonly cancellations = new Cancellations();
  private readonly subscribers = new Subscribers();
  private readonly exchanges = new WeakMap<
    Request,
    { exchange: Exchange; caller: Caller; ids: RequestId[] }
  >();
  private readonly refusedHosts: RefusedHosts;
  private isClosed = false;
  private hasWarned = false;

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
  readonly fetch = async (request: Request, extras: RequestExtras = {}): Promise<Response> => {
    try {
      return await this.answer(request, extras);
    } catch (error) {
      this.toolkit.logger.error({ error: reasonOf(error) }, 'an HTTP request could not be answered');
      return refusal(500);
    }
  };

  /**
   * Takes no more requests, waits for the calls that run, within `closeTimeoutMs`, and cuts off those of clients of 2026
   * that are left: 503; those of older clients go on. The toolkit stays open: close it after.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    const { closeTimeoutMs } = this.settings;
    await within(closeTimeoutMs, this.door.settle(), () => new Error('calls still run')).catch(() => {
      this.toolkit.logger.warn({ closeTimeoutMs }, 'closed while calls still run');
    });
    await this.sdk.close();
    this.door.served.close();
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
    if (this.isClosed) return shuttingDown();
    return this.serve(request, extras);
  }

  private async follow(route: Route, request: Request, body: unknown): Promise<Response> {
    const whole = body instanceof NodeBody ? await body.attach(request, this.settings) : request;
    return typeof whole === 'number' ? refusal(whole) : route(whole);
  }

  private health(): Response {
    const status = this.isClosed ? 503 : 200;
    return Response.json(
      { status: this.isClosed ? 'closing' : 'ok' },
      { status, headers: { 'cache-control': 'no-store' } },
    );
  }

  private async serve(request: Request, extras: RequestExtras): Promise<Response> {
    const caller = await this.identify(request, extras.authInfo);
    if (caller instanceof Response) return caller;
    const excess = await this.rate?.(caller.principal?.id ?? '', NEVER);
    if (excess !== undefined) {
      const seconds = excess.why === 'beyond' ? Math.ceil(excess.retryAfterMs / 1_000) : 1;
      return refusal(429, { 'retry-after': String(seconds) });
    }
    const body = await readBody(request, extras.parsedBody, this.settings);
    if (body instanceof Response) return body;
    const json = body?.json;
    const isInitialize = this.prepare(request, caller, json);
    const answer = () =>
      this.sdk.fetch(request, {
        ...(caller.authInfo === undefined ? {} : { authInfo: caller.authInfo }),
        ...(json === undefined ? {} : { parsedBody: json }),
      });
    const isListening = isObject(json) && json.method === 'subscriptions/listen';
    const response = await (isListening ? this.subscribers.open(caller.principal, answer) : answer());
    // Cut off by `close`, where the SDK takes the client for gone.
    if (response.status === 499 && this.isClosed && !request.signal.aborted) return shuttingDown();
    // A session of 2025 holds nothing: it only tells one client's ids from another's.
    if (isInitialize && response.ok) response.headers.set(SESSION_HEADER, randomUUID());
    return response;
  }

  /** Who is calling, or the answer to who may not. */
  private async identify(request: Request, authInfo: AuthInfo | undefined): Promise<Caller | Response> {
    const session = sessionOf(request);
    if (this.gate !== undefined) {
      const found = await this.gate.authenticate(request);
      return found instanceof Response ? found : { ...found, session };
    }
    const found: unknown = await this.settings.principal(request, authInfo);
    if (found instanceof Response) return found;
    const principal = isPrincipal(found) ? found : undefined;
    if (principal === undefined && found !== undefined && !this.hasWarned) {
      this.hasWarned = true;
      const wanted = 'return { id, scopes: [ … ] }, a Response, or undefined';
      this.toolkit.logger.warn({ type: typeof found }, `principal gave nobody that can be known; ${wanted}`);
    }
    return { principal, authInfo, session };
  }

  /** Notes what the messages of a request call; tells whether one of them is the handshake of 2025. */
  private prepare(request: Request, caller: Caller, json: unknown): boolean {
    const messages: readonly unknown[] = Array.isArray(json) ? json : [json];
    const oddArguments = new Map<RequestId, unknown>();
    for (const message of messages) {
      readMessage(message, oddArguments);
      this.cancellations.take(caller, message);
    }
    const { session, principal } = caller;
    const exchange: Exchange = {
      principal,
      isChallengeable: this.gate !== undefined,
      canAskLegacy: false,
      ...(session === undefined ? {} : { conversationId: session }),
      calledNames: [...new Set(messages.flatMap((message) => calledName(message) ?? []))],
      oddArguments,
    };
    // Without a session nobody can cancel by an id.
    const cancellable = session === undefined ? [] : messages;
    const ids = cancellable.flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    this.exchanges.set(request, { exchange, caller, ids });
    return messages.some((message) => isObject(message) && message.method === 'initialize');
  }

  private serverFor({ requestInfo, era }: McpRequestContext): McpServer {
    const known = requestInfo === undefined ? undefined : this.exchanges.get(requestInfo);
    if (known === undefined)
      throw new TypeError('the SDK asked for a server of a request that was never seen');
    // A client of 2025 would have to be told on a stream of its own, which a server without sessions cannot keep.
    const server = this.door.serverFor(known.exchange, era === 'modern');
    if (era === 'legacy') this.cancellations.add(known.caller, known.ids, server);
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
