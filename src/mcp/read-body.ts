/**
 * Reads the JSON of a request.
 * Invariant: nothing is held beyond the bound, and nobody is waited for longer than the bound.
 */
import { refusal } from './responses';

/** How much of a body is read, and for how long. */
export interface BodyBounds {
  readonly maxRequestBytes: number;
  readonly bodyTimeoutMs: number;
}

class TooLong extends Error {}

/** The text of a body; undefined where it is too long. */
async function readText(
  body: ReadableStream<Uint8Array>,
  { maxRequestBytes, bodyTimeoutMs }: BodyBounds,
): Promise<string | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLong()), bodyTimeoutMs);
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxRequestBytes) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

/** JSON-RPC 2.0, section 5.1. */
function notJson(): Response {
  const error = { code: -32_700, message: 'Parse error: the request is no JSON.' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}

/** The parsed body of a request; a response where it is refused, and undefined where there is none. */
export async function readBody(
  request: Request,
  bounds: BodyBounds,
): Promise<{ readonly json: unknown } | Response | undefined> {
  if (request.body === null) return undefined;
  if (Number(request.headers.get('content-length')) > bounds.maxRequestBytes)
    return refusal(413, { connection: 'close' });
  try {
    const text = await readText(request.body, bounds);
    if (text === undefined) return refusal(413, { connection: 'close' });
    return { json: JSON.parse(text) };
  } catch (error) {
    return error instanceof TooLong ? refusal(408, { connection: 'close' }) : notJson();
  }
}
