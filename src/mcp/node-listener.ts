/**
 * The handler as a listener of `node:http`, which Express and Fastify take too.
 * Invariant: every request that it takes is answered, and one that is not its own is left to the next.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FetchLikeMcpHandler, toNodeHandler } from '@modelcontextprotocol/node';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Logger } from '../contract/context';
import { reasonOf } from '../errors/reason';
import { dropRest, NodeBody } from './node-body';
import { targetOf } from './request-target';
import { refusal } from './responses';

/** A request of Node; frameworks put the parsed body, and what a gate in front has found, on it. */
export type NodeRequest = IncomingMessage & { readonly auth?: AuthInfo; readonly body?: unknown };

/** Answers a request of Node. The third is a parsed body, or the `next` of Express. Never rejects. */
export type NodeHandler = (
  request: NodeRequest,
  response: ServerResponse,
  bodyOrNext?: unknown,
) => Promise<void>;

/** What answers. */
interface Answering extends FetchLikeMcpHandler {
  serves(pathname: string): boolean;
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Methods of which no web-standard request can be made (Fetch, forbidden methods). */
const FORBIDDEN: readonly unknown[] = ['CONNECT', 'TRACE', 'TRACK'];

async function refuse(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}

/** Makes the listener. */
export function toNodeListener(handler: Answering, maxRequestBytes: number, logger: Logger): NodeHandler {
  const onerror = (error: Error) =>
    logger.error({ error: reasonOf(error) }, 'an HTTP request could not be read');
  // It would read all of a body before the handler knows who sends it; a parsed one it leaves to the handler.
  const listen = toNodeHandler(handler, { onerror });
  return async (request, response, bodyOrNext) => {
    const isNext = typeof bodyOrNext === 'function';
    const target = targetOf(request);
    if (isNext && !handler.serves(pathOf(target?.url ?? request.url ?? '/'))) {
      bodyOrNext();
      return;
    }
    try {
      if (target === undefined || FORBIDDEN.includes(request.method)) {
        await refuse(response, target === undefined ? refusal(400) : refusal(405, { allow: 'POST' }));
        dropRest(request, maxRequestBytes);
        return;
      }
      // The adapter makes the URL of both; its types know no method and no URL that are undefined.
      const own = Object.assign(request, { method: request.method ?? 'GET', url: target.url });
      if (target.host !== undefined) own.headers.host = target.host;
      const hasBody = own.method !== 'GET' && own.method !== 'HEAD';
      const body = (isNext ? undefined : bodyOrNext) ?? request.body;
      await listen(own, response, body ?? (hasBody ? new NodeBody(request) : undefined));
      dropRest(request, maxRequestBytes);
    } catch (error) {
      logger.error({ error: reasonOf(error) }, 'an HTTP request could not be answered');
      response.destroy();
    }
  };
}
