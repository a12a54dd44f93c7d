/**
 * The tools over MCP, in an Express application.
 * Invariant: the handler answers its own paths, and leaves every other to the application.
 */
import http from 'node:http';
import express from 'express';
import { run } from '../run';
import { type Listen, listenOn, serve } from './serve';

/** How the handler stands in the application. */
export interface Mounting {
  /** The path that it is mounted under; left out: none. */
  readonly under?: string;
  /** Whether bodies are parsed in front of it. */
  readonly parsesBodies?: boolean;
}

/** Serves in Express. */
export function listenWith({ under = '/', parsesBodies = false }: Mounting = {}): Listen {
  return async (handler, port) => {
    const app = express();
    if (parsesBodies) app.use(express.json());
    app.use(under, handler.node);
    app.get('/', (_request, response) => {
      response.send('The order desk');
    });
    const { url, close } = await listenOn(http.createServer(app), port);
    return { url: `${url}${under === '/' ? '' : under}`, close };
  };
}

if (require.main === module) void run(() => serve(listenWith()));
