/**
 * What a handler is told about its call, the idempotency key included.
 * Invariant: the key is equal for every attempt of the same side effect and different for different ones.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { InvokeOptions, ProgressUpdate, ToolContext } from 'toolcrib';
import {
  type LogEntry,
  type RecordedOptions,
  RunInput,
  recordingLogger,
  toolkitRunning,
} from '../fixtures/recorded-toolkit';

const alice = { id: 'alice', scopes: [] };
const bob = { id: 'bob', scopes: [] };

/** The context of one call. */
async function contextOf(options: InvokeOptions = {}, recorded: RecordedOptions = {}): Promise<ToolContext> {
  const contexts: ToolContext[] = [];
  const { run } = await toolkitRunning((_input, context) => contexts.push(context), recorded);
  await run({}, options);
  const [context] = contexts;
  if (context === undefined) throw new Error('the handler did not run');
  return context;
}

/** The idempotency keys of calls, each with arguments and options. */
async function keysOf(
  recorded: RecordedOptions,
  ...calls: readonly (readonly [args: unknown, options: InvokeOptions])[]
): Promise<readonly string[]> {
  const keys: string[] = [];
  const { run } = await toolkitRunning((_input, context) => keys.push(context.idempotencyKey), recorded);
  for (const [args, options] of calls) await run(args, options);
  expect(keys).toHaveLength(calls.length);
  return keys;
}

describe('the context', () => {
  it('holds what the caller said', async () => {
    const said = { principal: alice, conversationId: 'c-1', turnId: 't-1', callId: 'call-1' };
    expect(await contextOf(said)).toMatchObject(said);
    expect((await contextOf(said)).principal).toBe(alice);
  });

  it('holds undefined for what the caller left out, and a call id of its own', async () => {
    const [first, second] = [await contextOf(), await contextOf()];
    expect([first.principal, first.conversationId, first.turnId]).toEqual([undefined, undefined, undefined]);
    expect(first.callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.callId).not.toBe(first.callId);
  });

  it('holds the logger of the toolkit, whose entries tell the call', async () => {
    const log: LogEntry[] = [];
    const { logger, callId } = await contextOf({}, { logger: recordingLogger(log) });
    const told = { tool: 'test.run@1.0.0', callId };
    logger.info({ order: 7 }, 'found');
    logger.warn({ tool: 'hammer', callId: 'of-another-service' });
    logger.error(['a', 'list']);
    expect(log).toEqual([
      { level: 'info', fields: { order: 7, ...told } },
      { level: 'warn', fields: told },
      { level: 'error', fields: { value: ['a', 'list'], ...told } },
    ]);
  });

  it('has a logger to which the id of the call gives no secret', async () => {
    const log: LogEntry[] = [];
    const callId = 'Bearer t0k-EXAMPLE-t0k';
    const { logger } = await contextOf({ callId }, { logger: recordingLogger(log) });
    logger.info({});
    expect(log).toHaveLength(1);
    expect(JSON.stringify(log)).not.toContain('t0k-EXAMPLE');
  });

  it('hands progress to the caller, and to nobody when nobody asked', async () => {
    const told: ProgressUpdate[] = [];
    const report = async (options: InvokeOptions) => {
      const { run } = await toolkitRunning((_input, context) => {
        context.progress({ progress: 1, total: 2, message: 'half' });
      });
      return run({}, options);
    };
    expect(await report({ onProgress: (update) => told.push(update) })).toEqual({
      success: true,
      result: null,
    });
    expect(await report({})).toEqual({ success: true, result: null });
    expect(told).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  });

  it('cannot be changed by a handler', async () => {
    expect(Object.isFrozen(await contextOf())).toBe(true);
  });

  it('comes to a handler that runs in the asynchronous context of the caller', async () => {
    const storage = new AsyncLocalStorage<string>();
    const { run } = await toolkitRunning(() => storage.getStore());
    expect(await storage.run('outer', () => run())).toEqual({ success: true, result: 'outer' });
  });
});

describe('the idempotency key without a business key', () => {
  const said = { principal: alice, conversationId: 'c-1', callId: 'call-1' };

  it('is equal for a repeated call id, whatever the arguments and the turn', async () => {
    const keys = await keysOf({}, [{ id: 1 }, said], [{ id: 2 }, { ...said, turnId: 't-2' }]);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs by principal, conversation and call id', async () => {
    const keys = await keysOf(
      {},
      [{}, said],
      [{}, { ...said, principal: bob }],
      [{}, { ...said, principal: undefined }],
      [{}, { ...said, conversationId: 'c-2' }],
      [{}, { ...said, conversationId: undefined }],
      [{}, { ...said, callId: 'call-2' }],
      [{}, { principal: alice, conversationId: 'c-1' }],
      [{}, { principal: alice, conversationId: 'c-1' }],
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not run two parts into one', async () => {
    const keys = await keysOf(
      {},
      [{}, { principal: { id: 'ab', scopes: [] }, conversationId: 'c', callId: '1' }],
      [{}, { principal: { id: 'a', scopes: [] }, conversationId: 'bc', callId: '1' }],
    );
    expect(new Set(keys).size).toBe(2);
  });

  it('differs by tool and not by version', async () => {
    const keyAs = async (tool: { readonly name: string; readonly version: string }) => {
      const { toolkit } = await toolkitRunning((_input, context) => context.idempotencyKey, { tool });
      return toolkit.invoke(tool.name, {}, said);
    };
    const key = await keyAs({ name: 'test.one', version: '1.0.0' });
    expect(key).toMatchObject({ success: true });
    expect(await keyAs({ name: 'test.one', version: '2.0.0' })).toEqual(key);
    expect(await keyAs({ name: 'test.two', version: '1.0.0' })).not.toEqual(key);
  });
});

describe('the idempotency key with a business key', () => {
  const tool = { idempotencyKey: ({ id }: { id?: number }) => `order ${id}` };

  it('is equal for equal business keys, whoever calls and however often', async () => {
    const keys = await keysOf(
      { tool },
      [{ id: 1 }, { principal: alice, conversationId: 'c-1', callId: 'call-1' }],
      [{ id: 1, note: 'again' }, { principal: bob }],
    );
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs for different business keys of one call id', async () => {
    const keys = await keysOf({ tool }, [{ id: 1 }, { callId: 'call-1' }], [{ id: 2 }, { callId: 'call-1' }]);
    expect(new Set(keys).size).toBe(2);
  });

  it('is made from the parsed input, which is what the handler gets', async () => {
    const seen: unknown[] = [];
    const { run } = await toolkitRunning(
      (input, context) => {
        seen.push(input);
        return context.idempotencyKey;
      },
      { tool: { idempotencyKey: (input: unknown) => String(seen.push(input)) } },
    );
    await run({ id: 1 });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBeInstanceOf(RunInput);
    expect(seen[1]).toBe(seen[0]);
  });

  it('fails the call, and nothing else, when the business key throws', async () => {
    const { run } = await toolkitRunning((_input, context) => context.idempotencyKey, {
      tool: {
        idempotencyKey: () => {
          throw new Error('no key');
        },
      },
    });
    expect(await run()).toMatchObject({ success: false, error: { code: 'internal_error' } });
  });
});

it('keeps call id and idempotency key over the attempts of one call', async () => {
  const attempts: string[][] = [];
  const { run } = await toolkitRunning(
    (_input, context) => {
      attempts.push([context.callId, context.idempotencyKey]);
      if (attempts.length < 3) throw new Error('again');
    },
    { kind: 'write', ledger: false },
  );
  const replayed = { conversationId: 'talk', callId: 'call-1' };
  for (let attempt = 0; attempt < 3; attempt += 1) await run({}, replayed);
  expect(attempts).toHaveLength(3);
  expect(new Set(attempts.map((attempt) => attempt.join())).size).toBe(1);
});
