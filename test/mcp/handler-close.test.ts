/**
 * What becomes of requests when the handler closes, or their clients leave.
 * Invariant: each is answered or ended, none runs for nobody, and none is an error of the server.
 */
import { add, ran, serveMath } from '../fixtures/mcp-math';
import { lastMessage, rpcRequest } from '../fixtures/mcp-rpc';
import type { LogEntry } from '../fixtures/recorded-toolkit';

const ann = { id: 'ann', scopes: [] };
const errors = (log: readonly LogEntry[]) => log.filter(({ level }) => level === 'error');

/** A `principal` that waits, and how its request is let go on. */
function heldBack() {
  let [seen, letGo]: (() => void)[] = [() => {}, () => {}];
  const known = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const going = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const principal = async () => {
    seen?.();
    await going;
    return ann;
  };
  return { principal, known, letGo: () => letGo?.() };
}

describe.each([false, true])('a request that was taken before the end (legacy: %s)', (legacy) => {
  it('is served', async () => {
    const log: LogEntry[] = [];
    const { principal, known, letGo } = heldBack();
    const handler = await serveMath({ principal }, log);
    const answer = handler.fetch(rpcRequest('tools/call', add, { legacy }));
    await known;
    const closed = handler.close();
    letGo();
    expect(await lastMessage(await answer)).toMatchObject({ result: { structuredContent: { total: 3 } } });
    await closed;
    expect(errors(log)).toEqual([]);
  });

  it('is answered 503 where it comes to nothing in time', async () => {
    const log: LogEntry[] = [];
    const { principal, known, letGo } = heldBack();
    const handler = await serveMath({ principal, closeTimeoutMs: 1 }, log);
    const answer = handler.fetch(rpcRequest('tools/call', add, { legacy }));
    await known;
    await handler.close();
    letGo();
    expect((await answer).status).toBe(503);
    expect([ran.calls, errors(log)]).toEqual([0, []]);
  });

  it('is ended with its call where that goes on', async () => {
    let begun: () => void = () => {};
    const runs = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const aborted = new Promise<void>((resolve) => {
      ran.within = ({ signal }) =>
        new Promise<void>((done) => {
          begun();
          signal.addEventListener('abort', () => {
            resolve();
            done();
          });
        });
    });
    const handler = await serveMath({ closeTimeoutMs: 1 });
    const answer = handler.fetch(rpcRequest('tools/call', add, { legacy }));
    await runs;
    await handler.close();
    await aborted;
    const response = await answer;
    expect([response.status, await response.text()]).toEqual(
      legacy ? [200, expect.not.stringContaining('total')] : [503, expect.any(String)],
    );
  });

  it('runs nothing for a client that leaves while it is identified', async () => {
    const { principal, known, letGo } = heldBack();
    const handler = await serveMath({ principal });
    const leaving = new AbortController();
    const answer = handler.fetch(rpcRequest('tools/call', add, { legacy, signal: leaving.signal }));
    await known;
    leaving.abort();
    letGo();
    expect([(await answer).status, ran.calls]).toEqual([499, 0]);
  });
});

it('answers 503 when nobody says in time who is calling', async () => {
  const log: LogEntry[] = [];
  const { principal, known } = heldBack();
  const handler = await serveMath({ principal }, log);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  try {
    const answer = handler.fetch(rpcRequest('tools/call', add));
    await known;
    await jest.advanceTimersByTimeAsync(30_000);
    expect([(await answer).status, ran.calls]).toEqual([503, 0]);
    expect(errors(log)).toHaveLength(1);
  } finally {
    jest.useRealTimers();
  }
});
