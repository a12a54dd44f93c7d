/**
 * The agent behind HTTP: `npm run server`. `GET /tools` gives the caller's catalog, `POST /agent` an answer, and
 * `/approvals` lets a reviewer decide on calls that wait for a person.
 * Invariant: nothing is answered without a known token, and an agent acts as the principal of that token;
 * nobody decides on what they asked for themselves.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { HumanMessage } from '@langchain/core/messages';
import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';
import { type InputContract, inputContract, type Principal, type Toolkit } from 'toolcrib';
import { createOrderAgent } from './agent';
import { openApp } from './app';
import { chooseModel, type ToolCallingModel } from './models';
import { bearerOf, type Principals, principalsFromEnvironment, REVIEWER_SCOPE } from './principals';
import { run } from './run';
import { toTranscript } from './transcript';

const MAX_BODY_BYTES = 16_384;
const SHUTDOWN_MS = 10_000;

/** What the server is made of. */
export interface ServerOptions {
  readonly toolkit: Toolkit;
  readonly model: ToolCallingModel;
  readonly principals: Principals;
}

/** A request as a route sees it. */
interface Visit {
  readonly principal: Principal;
  readonly request: http.IncomingMessage;
  /** The last part of a path that ends with an id. */
  readonly id: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

interface Route {
  readonly method: string;
  answer(visit: Visit): Promise<object>;
}

/** A failure that the client is told about. */
class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: http.OutgoingHttpHeaders = {},
  ) {
    super(message);
  }
}

class AgentRequest {
  @IsString()
  @Length(1, 2_000)
  message!: string;

  /** That of an earlier answer, to go on with it: an approval holds in the conversation that asked for it. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9-]{1,64}$/)
  conversation?: string;
}

class ReviewRequest {
  @IsIn(['approve', 'reject'])
  decision!: 'approve' | 'reject';

  /** The model reads it. */
  @IsOptional()
  @IsString()
  @Length(1, 500)
  reason?: string;
}

const agentRequest = inputContract(AgentRequest);
const reviewRequest = inputContract(ReviewRequest);

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read and dropped, so that the client hears the refusal.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes <= MAX_BODY_BYTES) return Buffer.concat(chunks).toString('utf8');
  throw new HttpError(413, 'body_too_large', `A body has at most ${MAX_BODY_BYTES} bytes.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'invalid_json', 'The body is not JSON.');
  }
}

async function readAs<T>(contract: InputContract<T>, request: http.IncomingMessage): Promise<T> {
  const parsed = await contract.parse(parseJson(await readBody(request)));
  if (parsed.ok) return parsed.value;
  const reasons = parsed.violations.map(({ path, message }) => `${path} ${message}`.trim());
  throw new HttpError(400, 'invalid_body', reasons.join('; '));
}

function checkReviewer({ scopes }: Principal): void {
  if (scopes.includes(REVIEWER_SCOPE)) return;
  throw new HttpError(403, 'insufficient_scope', `This takes the scope ${REVIEWER_SCOPE}.`);
}

async function decide({ approvals }: Toolkit, { principal, request, id }: Visit): Promise<object> {
  checkReviewer(principal);
  const { decision, reason } = await readAs(reviewRequest, request);
  const waiting = await approvals.get(id);
  if (waiting === undefined) throw new HttpError(404, 'not_found', 'Nobody asks for this approval.');
  if (waiting.request.principalId === principal.id) {
    throw new HttpError(403, 'own_request', 'Somebody else decides on what you asked for.');
  }
  const by = principal.id;
  const isDecided =
    decision === 'approve' ? await approvals.approve(id, { by }) : await approvals.reject(id, { by, reason });
  if (isDecided) return { id, decision };
  throw new HttpError(409, 'not_pending', 'This request was decided before, or has expired.');
}

function routesOf({ toolkit, model }: ServerOptions): ReadonlyMap<string, Route> {
  const tools: Route = {
    method: 'GET',
    answer: async ({ principal }) => ({ tools: toolkit.catalog(principal) }),
  };
  const agent: Route = {
    method: 'POST',
    async answer({ principal, request, signal }) {
      const { message, conversation = randomUUID() } = await readAs(agentRequest, request);
      const { messages } = await createOrderAgent(toolkit, model, { visibleTo: principal }).invoke(
        { messages: [new HumanMessage(message)] },
        { context: { principal }, configurable: { thread_id: conversation }, signal },
      );
      return { answer: messages.at(-1)?.text ?? '', conversation, transcript: toTranscript(messages) };
    },
  };
  const approvals: Route = {
    method: 'GET',
    async answer({ principal }) {
      checkReviewer(principal);
      return { approvals: await toolkit.approvals.list() };
    },
  };
  const approval: Route = { method: 'POST', answer: (visit) => decide(toolkit, visit) };
  return new Map([
    ['/tools', tools],
    ['/agent', agent],
    ['/approvals', approvals],
    ['/approvals/{id}', approval],
  ]);
}

/** The ids of requests for approval. */
const ID = /(?<=\/)[0-9a-f-]{36}$/;

function findRoute(routes: ReadonlyMap<string, Route>, { url = '', method }: http.IncomingMessage) {
  const path = url.split('?')[0] ?? '';
  const route = routes.get(path.replace(ID, '{id}'));
  if (route === undefined) throw new HttpError(404, 'not_found', 'There are /tools, /agent and /approvals.');
  if (route.method === method) return { route, id: ID.exec(path)?.[0] ?? '' };
  throw new HttpError(405, 'method_not_allowed', `Use ${route.method}.`, { allow: route.method });
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  console.error(error);
  return new HttpError(500, 'internal_error', 'The request failed.');
}

function send(response: http.ServerResponse, status: number, body: object, headers = {}): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text);
}

/** Makes the server; it does not listen yet. */
export function createServer(options: ServerOptions): http.Server {
  const routes = routesOf(options);
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const client = new AbortController();
    response.on('close', () => client.abort());
    try {
      const principal = bearerOf(request.headers.authorization, options.principals);
      if (principal === undefined) {
        throw new HttpError(401, 'unauthenticated', 'Send a known token: Authorization: Bearer …', {
          'www-authenticate': 'Bearer',
        });
      }
      const { route, id } = findRoute(routes, request);
      send(response, 200, await route.answer({ principal, request, id, signal: client.signal }));
    } catch (error) {
      // Nobody is left to be told.
      if (client.signal.aborted) return;
      const { status, code, message, headers } = toHttpError(error);
      send(response, status, { error: { code, message } }, headers);
    }
  };
  return http.createServer((request, response) => void answer(request, response));
}

async function main(): Promise<void> {
  const app = await openApp();
  try {
    const server = createServer({
      toolkit: app.toolkit,
      model: await chooseModel(),
      principals: principalsFromEnvironment(),
    });
    server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    console.log(`Listening on http://127.0.0.1:${port}; tokens are in samples/principals.ts.`);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    const isClosed = once(server, 'close');
    server.close();
    const impatience = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
    await isClosed;
    clearTimeout(impatience);
  } finally {
    await app.close();
  }
}

if (require.main === module) void run(main);
