/**
 * A toolkit as an MCP server over stdio, for clients of 2026-07-28 and older ones.
 * Invariant: nothing but the protocol is written to where the client reads, and the client holds only the scopes that the
 * configuration grants.
 */
import { Readable, Writable } from 'node:stream';
import { type McpServer, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { isPrincipal } from '../contract/principal';
import { reasonOf } from '../errors/reason';
import { Door } from './door';
import { HeldInput } from './held-input';
import { MCP_OPTIONS, type StdioOptions, toDoorSettings } from './options';
import { ReadingTransport } from './reading-transport';
import type { ServedToolkit } from './served-toolkit';
import { guardStdout } from './stdout-guard';

const WHAT = 'serveStdio';

/** The SDK has no other word for it; it then closes, since the rest of the message cannot be told from the next. */
function isTooLong({ message }: Error): boolean {
  return message.startsWith('ReadBuffer exceeded');
}

/** A toolkit that is served over stdio. */
export interface StdioServer {
  /** Settles when the client has closed its end and has its answers, or the server was closed. */
  readonly closed: Promise<void>;
  /** Takes no more messages, and settles when the calls that run have ended. The toolkit stays open: close it after. */
  close(): Promise<void>;
}

/**
 * Serves a toolkit over standard input and output until the client closes its end; the calls that run then are answered
 * first. `console.log`, and whatever else goes through the methods of `process.stdout`, goes to standard error, with
 * secrets masked, and cannot end it. Native code, `fs.writeSync(1, …)`, `Writable.prototype.write.call(process.stdout, …)`
 * and child processes that inherit standard output are out of reach: where tools may do so, give an `output` that nobody
 * else knows, as `toolcrib serve` does. A message of more than 10 MiB ends the server, which the log says.
 *
 * @throws DeclarationError `illegal_schema` with every tool that MCP's clients could not take.
 * @throws TypeError when there is no such option, or one is not sound.
 */
export function serveStdio(toolkit: ServedToolkit, options: StdioOptions = {}): StdioServer {
  const settings = toDoorSettings(WHAT, options, [...MCP_OPTIONS, 'principal', 'input', 'output']);
  const { principal, input = process.stdin, output } = options;
  if (principal !== undefined && !isPrincipal(principal)) {
    throw new TypeError(`${WHAT}: principal is no { id, scopes: [ … ] }.`);
  }
  if (!(input instanceof Readable)) throw new TypeError(`${WHAT}: input is no readable stream.`);
  if (output !== undefined && !(output instanceof Writable)) {
    throw new TypeError(`${WHAT}: output is no writable stream.`);
  }
  const servers = new Set<McpServer>();
  const door = new Door(toolkit, settings, (concerns) => {
    if (!concerns(principal)) return;
    for (const server of servers) server.sendToolListChanged();
  });
  const guard = output === undefined ? guardStdout() : undefined;
  const held = new HeldInput(input, () => transport.finish(door));
  const wire = new StdioServerTransport(held, output ?? guard?.protocol);
  const transport = new ReadingTransport(wire);
  const exchange = { principal, isChallengeable: false, canAskLegacy: true, calledNames: [] };
  const handle = serveSdk(
    () => {
      const server = door.serverFor(exchange, true);
      servers.add(server);
      return server;
    },
    {
      transport,
      onerror: (error) => {
        if (isTooLong(error)) {
          const maxBytes = STDIO_DEFAULT_MAX_BUFFER_SIZE;
          toolkit.logger.error(
            { maxBytes },
            'the server ends: its client has sent a message beyond the bound',
          );
        } else {
          toolkit.logger.debug({ error: reasonOf(error) }, 'an MCP message was refused');
        }
      },
    },
  );
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      held.destroy();
      door.served.close();
      guard?.restore();
      resolve();
    };
  });
  const close = async (): Promise<void> => {
    transport.deafen();
    await door.settle();
    await handle.close();
    await closed;
  };
  return { closed, close };
}
