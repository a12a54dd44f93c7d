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

function pathOf({ url = '/' }: NodeRequest): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Makes the listener. */
export function toNodeListener(handler: Answering, maxRequestBytes: number, logger: Logger): NodeHandler {
  const onerror = (error: Error) =>
    logger.error({ error: reasonOf(error) }, 'an HTTP request could not be read');
  // It would read all of a body before the handler knows who sends it; a parsed one it leaves to the handler.
  const listen = toNodeHandler(handler, { onerror });
  return async (request, response, bodyOrNext) => {
    const isNext = typeof bodyOrNext === 'function';
    if (isNext && !handler.serves(pathOf(request))) {
      bodyOrNext();
      return;
    }
    try {
      // The adapter's types know no method and no URL that are undefined.
      const own = Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' });
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
