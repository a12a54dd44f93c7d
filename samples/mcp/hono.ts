/**
 * The tools over MCP, in a Hono application, by web standards alone.
 * Invariant: the handler answers its own paths, and leaves every other to the application.
 */
import http from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { run } from '../run';
import { type Listen, listenOn, serve } from './serve';

/** Serves in Hono. */
export const listen: Listen = (handler, port) => {
  const app = new Hono();
  app.get('/', (context) => context.text('The order desk'));
  app.all('*', (context, next) =>
    handler.serves(context.req.path) ? handler.fetch(context.req.raw) : next(),
  );
  const server = http.createServer(getRequestListener(app.fetch));
  return listenOn(server, port);
};

if (require.main === module) void run(() => serve(listen));
