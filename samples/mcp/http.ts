/**
 * The tools over MCP, on `node:http` alone.
 * Invariant: the handler answers every request.
 */
import http from 'node:http';
import { run } from '../run';
import { type Listen, listenOn, serve } from './serve';

/** Serves on `node:http`. */
export const listen: Listen = (handler, port) => {
  const server = http.createServer((request, response) => void handler.node(request, response));
  return listenOn(server, port);
};

if (require.main === module) void run(() => serve(listen));
