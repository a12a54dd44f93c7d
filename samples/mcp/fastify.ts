/**
 * The tools over MCP, in a Fastify application, whose own parser reads the bodies.
 * Invariant: the handler writes the answers of the paths that are its own, and Fastify every other.
 */
import fastify from 'fastify';
import { run } from '../run';
import { type Listen, serve, urlOf } from './serve';

/** Serves in Fastify. */
export const listen: Listen = async (handler, port) => {
  const app = fastify();
  app.get('/', () => 'The order desk');
  app.all('/*', async (request, reply) => {
    if (!handler.serves(new URL(request.url, 'http://localhost').pathname)) return reply.callNotFound();
    reply.hijack();
    await handler.node(request.raw, reply.raw, request.body);
  });
  await app.listen({ port, host: '127.0.0.1' });
  return { url: urlOf(app.server), close: () => app.close() };
};

if (require.main === module) void run(() => serve(listen));
