/**
 * Asks a server for a short document.
 * Invariant: it ends within its time, holds no more than its bytes, and follows no redirect, which could lead to
 * where the operator never pointed.
 */

/** A request, and what bounds it. */
export interface BoundedRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** A failure that names itself by a code. */
class FetchFailure extends Error {
  override readonly name = 'FetchFailure';

  constructor(
    readonly code: string,
    readonly status?: number,
  ) {
    super(code);
  }
}

async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > maxBytes) throw new FetchFailure('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches a document whole.
 *
 * @throws where the server does not answer in time, answers with another status than 200, or with more bytes.
 */
export async function boundedFetch(url: string, request: BoundedRequest): Promise<Response> {
  const { maxBytes, ...init } = request;
  const response = await fetch(url, { ...init, redirect: 'manual' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new FetchFailure('unexpected_status', response.status);
  }
  const body: AsyncIterable<Uint8Array> | null = response.body;
  return new Response(body === null ? '' : await readBody(body, maxBytes));
}
