/**
 * Bodies of Responses that nobody reads.
 * Invariant: a body that was read, is being read, or was taken by a mapping is never touched.
 */
import { ToolError } from 'toolcrib';
import { hush } from '../../src/contract/hush';
import { type RecordedOptions, runOnce } from '../fixtures/recorded-toolkit';
import { watchProcess } from '../torture/host';

/** A Response, and what was done to its body. */
function watched(cancel: () => unknown = () => undefined) {
  const cancelled = jest.fn(cancel);
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(8)),
    cancel: async () => void (await cancelled()),
  });
  return { response: new Response(body, { status: 500 }), cancelled };
}

async function outcomeOf(answer: (response: Response) => unknown, options: RecordedOptions = {}) {
  const { response, cancelled } = watched();
  const { result } = await runOnce(() => answer(response), { retry: false, ...options });
  expect(result.success).toBe(false);
  return cancelled.mock.calls.length;
}

function thrower(make: (response: Response) => unknown): (response: Response) => never {
  return (response) => {
    throw make(response);
  };
}

it.each<readonly [string, (response: Response) => unknown]>([
  ['thrown', thrower((response) => response)],
  ['a cause', thrower((cause) => new Error('no', { cause }))],
  ['the cause of a ToolError', thrower((cause) => foreseen(cause))],
  ['a part of an AggregateError', thrower((response) => new AggregateError([response], 'no'))],
  ['a member of an error', thrower((response) => Object.assign(new Error('no'), { response }))],
  ['answered', (response) => response],
  ['in an output', (response) => ({ found: [response] })],
])('are cancelled: %s', async (_case, answer) => {
  expect(await outcomeOf(answer)).toBe(1);
});

function foreseen(cause: unknown): ToolError {
  return new ToolError({ code: 'no_luck', message: 'No luck.', retryable: false, cause });
}

it('are left to a mapping that reads them', async () => {
  const texts: Promise<string>[] = [];
  const mapError = (error: unknown) => {
    if (error instanceof Response) texts.push(error.clone().text());
    return undefined;
  };
  await outcomeOf(
    thrower(() => new Response('why', { status: 500 })),
    { mapError },
  );
  await expect(Promise.all(texts)).resolves.toEqual(['why']);
});

it('are not touched once somebody reads them', async () => {
  const read = watched();
  const reader = read.response.body?.getReader();
  hush(read.response);
  expect(read.cancelled).not.toHaveBeenCalled();
  await expect(reader?.read()).resolves.toMatchObject({ done: false });
  const used = new Response('used');
  await used.text();
  hush({ used, none: new Response(null, { status: 204 }) });
});

it('that cannot be cancelled are heard, and so are look-alikes', async () => {
  const watch = watchProcess();
  hush(watched(() => Promise.reject(new Error('broken'))).response);
  const fail = () => {
    throw new Error('hostile');
  };
  const tag = { [Symbol.toStringTag]: 'Response' };
  const stream = { [Symbol.toStringTag]: 'ReadableStream', locked: false };
  hush(Object.defineProperty({ ...tag }, 'bodyUsed', { get: fail }));
  hush(Object.defineProperty({ ...tag, bodyUsed: false }, 'body', { get: fail }));
  hush({ ...tag, bodyUsed: false, body: { ...stream, cancel: fail } });
  hush({ ...tag, bodyUsed: false, body: { ...stream, cancel: () => Promise.reject(new Error('late')) } });
  hush({ ...tag, bodyUsed: false, body: stream });
  hush(Object.defineProperty({}, Symbol.toStringTag, { get: fail }));
  await new Promise(setImmediate);
  watch.stop();
  expect(watch.seen).toEqual([]);
});
