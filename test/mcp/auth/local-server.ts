/**
 * A server on a local port that answers as a test says.
 * Invariant: it counts what it is asked, and ends with its connections.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers with a JSON document. */
export function json(value: unknown, status = 200): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
}

/** Answers by some text. */
export function text(value: string): Answer {
  return (_, response) => void response.end(value);
}

/** Sends whoever asks to another path, which answers well. */
export function redirectTo(value: unknown): Answer {
  return (request, response) => {
    if (request.url === '/moved') return json(value)(request, response);
    response.writeHead(307, { location: '/moved' }).end();
  };
}

/** Never answers. */
export const silence: Answer = () => {};

/** Answers with bytes that do not end. */
export const endless: Answer = (_, response) => {
  const block = `${' '.repeat(65_536)}`;
  const write = () => {
    if (!response.destroyed) response.write(block, write);
  };
  write();
};

/** A server whose answer can be changed. */
export class LocalServer {
  /** How many requests came. */
  asked = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    public answer: Answer,
  ) {
    server.on('request', (request, response) => {
      this.asked += 1;
      this.answer(request, response);
    });
  }

  static async start(answer: Answer): Promise<LocalServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    return new LocalServer(server, `http://127.0.0.1:${address.port}`, answer);
  }

  async close(): Promise<void> {
    const ended = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await ended;
  }
}
