/**
 * The body of a request of Node that nobody has read yet.
 * Invariant: nothing is read before somebody asks, and then no more than the bounds allow.
 */
import type { IncomingMessage } from 'node:http';

/** How much of a body is read, and for how long. */
export interface BodyBounds {
  readonly maxRequestBytes: number;
  readonly bodyTimeoutMs: number;
}

/** What reading came to: the bytes, or the status of the refusal. */
type Outcome = Buffer | 408 | 413;

/** How long what is left of a refused request is read, so that its client gets to read the answer (RFC 9112, 9.6). */
const LINGER_MS = 1_000;

/** Stands for a body until it is wanted. As JSON it is none, so that an adapter that writes it writes nothing. */
export class NodeBody {
  constructor(private readonly request: IncomingMessage) {}

  /** For `JSON.stringify`. */
  toJSON(): undefined {
    return undefined;
  }

  /** Reads the body; one that is cut off is none. Never rejects. */
  async read({ maxRequestBytes, bodyTimeoutMs }: BodyBounds): Promise<Outcome> {
    const { request } = this;
    if (Number(request.headers['content-length']) > maxRequestBytes) return 413;
    if (request.readableEnded || request.destroyed) return Buffer.alloc(0);
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const settle = (outcome: Outcome) => {
        clearTimeout(timer);
        request.off('data', take).off('end', end).off('close', cut);
        resolve(outcome);
      };
      const take = (given: Buffer | string) => {
        const chunk = typeof given === 'string' ? Buffer.from(given) : given;
        size += chunk.byteLength;
        if (size > maxRequestBytes) settle(413);
        else chunks.push(chunk);
      };
      const end = () => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
      const cut = () => settle(Buffer.alloc(0));
      const timer = setTimeout(() => settle(408), bodyTimeoutMs);
      // An error is followed by the close.
      request.on('error', () => {});
      request.on('data', take).on('end', end).on('close', cut);
    });
  }

  /** The request with its body, for who reads it there; a status where it is refused. */
  async attach(request: Request, bounds: BodyBounds): Promise<Request | 408 | 413> {
    if (request.method === 'GET' || request.method === 'HEAD') return request;
    const body = await this.read(bounds);
    if (typeof body === 'number') return body;
    const headers = new Headers(request.headers);
    // The adapter takes them off with the body.
    for (const name of ['content-length', 'content-encoding']) {
      const value = this.request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    return new Request(request, { headers, ...(body.length === 0 ? {} : { body: new Uint8Array(body) }) });
  }
}

/** Ends a request that was answered before all of it came: what still comes is dropped, and the connection soon is. */
export function dropRest(request: IncomingMessage, maxBytes: number): void {
  if (request.complete || request.destroyed) return;
  let size = 0;
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
  request.on('error', () => {});
  request.on('close', () => clearTimeout(timer)).on('end', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer | string) => {
    size += Buffer.byteLength(chunk);
    if (size > maxBytes) request.destroy();
  });
  request.resume();
}
