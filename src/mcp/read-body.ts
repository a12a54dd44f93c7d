/**
 * Reads the JSON of a request.
 * Invariant: nothing is held beyond the bound, and nobody is waited for longer than the bound.
 */
import { type BodyBounds, NodeBody } from './node-body';
import { refusal } from './responses';

class TooLong extends Error {}

const decoder = new TextDecoder();

/** The text of a body; undefined where it is too long. */
async function readText(
  body: ReadableStream<Uint8Array>,
  { maxRequestBytes, bodyTimeoutMs }: BodyBounds,
): Promise<string | undefined> {
  const reader = body.getReader();
  const streaming = new TextDecoder();
  let [text, size] = ['', 0];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLong()), bodyTimeoutMs);
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return text + streaming.decode();
      size += value.byteLength;
      if (size > maxRequestBytes) return undefined;
      text += streaming.decode(value, { stream: true });
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

/** A parsed body; a response where it is refused, and undefined where there is none. */
type Read = { readonly json: unknown } | Response | undefined;

function parse(text: string): Read {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return notJson();
  }
}

/** What no body is: nothing is missing but from POST. */
function none(method: string): Read {
  return method === 'POST' ? notJson() : undefined;
}

async function readNode({ method }: Request, body: NodeBody, bounds: BodyBounds): Promise<Read> {
  const bytes = await body.read(bounds);
  // Of a body that is too large the client may still send; it would not get to read the answer.
  if (typeof bytes === 'number') return refusal(bytes, bytes === 408 ? { connection: 'close' } : {});
  return bytes.length === 0 ? none(method) : parse(decoder.decode(bytes));
}

/**
 * The parsed body of a request.
 *
 * @param given what something in front has parsed, or a {@link NodeBody} in place of what the request would hold.
 * @throws where something in front has read the body and kept it.
 */
export async function readBody(request: Request, given: unknown, bounds: BodyBounds): Promise<Read> {
  if (given instanceof NodeBody) return readNode(request, given, bounds);
  if (given !== undefined) return { json: given };
  if (request.body === null) return none(request.method);
  if (request.bodyUsed)
    throw new TypeError(
      'the body was read in front, or by principal: read a clone(), or give it as parsedBody',
    );
  if (Number(request.headers.get('content-length')) > bounds.maxRequestBytes)
    return refusal(413, { connection: 'close' });
  try {
    const text = await readText(request.body, bounds);
    return text === undefined ? refusal(413, { connection: 'close' }) : parse(text);
  } catch (error) {
    return error instanceof TooLong ? refusal(408, { connection: 'close' }) : notJson();
  }
}
