/**
 * Interceptors within a claim.
 * Invariant: what is recorded is what left them, and whatever they do, no action is repeated.
 */
import type { InvokeOptions } from 'toolcrib';
import { byHand, codeOf, keyedToolkit, onlyEntryOf } from '../../fixtures/ledger-calls';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';

const same: InvokeOptions = {
  principal: { id: 'ada', scopes: [] },
  conversationId: 'talk',
  callId: 'call-1',
};
const order = { note: 'o1', id: 500 };

describe('an interceptor', () => {
  it('that changes the output has it recorded as it left, and replayed so', async () => {
    const handler = jest.fn(() => 'card 4111');
    const { run, toolkit } = await keyedToolkit(handler, {
      interceptors: [
        {
          stage: 'check_output',
          run: async (_call, next) => {
            const result = await next();
            return result.success ? { success: true, result: 'card ****' } : result;
          },
        },
      ],
    });
    expect(await run(order, same)).toEqual({ success: true, result: 'card ****' });
    expect(JSON.stringify(await onlyEntryOf(toolkit.ledger))).not.toContain('4111');
    expect(await run(order, same)).toEqual({ success: true, result: 'card ****' });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('that changes the output in place has it recorded as it left', async () => {
    const { run, toolkit } = await keyedToolkit(() => ({ card: '4111' }), {
      interceptors: [
        {
          stage: 'check_output',
          run: async (_call, next) => {
            const result = await next();
            if (result.success) Object.assign(Object(result.result), { card: '****' });
            return result;
          },
        },
      ],
    });
    await run(order, same);
    const entry = await onlyEntryOf(toolkit.ledger);
    expect(entry?.result).toEqual({ success: true, result: { card: '****' } });
  });

  it('sees a replay by its note', async () => {
    const replayed: unknown[] = [];
    const { run } = await keyedToolkit(() => 'done', {
      interceptors: [
        {
          stage: 'authorise',
          run: async (call, next) => {
            const result = await next();
            replayed.push(call.notes.get('replayed'));
            return result;
          },
        },
      ],
    });
    await run(order, same);
    await run(order, same);
    expect(replayed).toEqual([undefined, true]);
  });

  it('that answers no JSON after the action leaves it unknown', async () => {
    const { run, toolkit } = await keyedToolkit(() => 'done', {
      interceptors: [
        {
          stage: 'check_output',
          run: async (_call, next) => {
            await next();
            return Object({ success: true, result: 10n });
          },
        },
      ],
    });
    expect(codeOf(await run(order, same))).toBe('internal_error');
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
  });

  it('that fails a call after its action leaves it unknown', async () => {
    const { run, toolkit } = await toolkitRunning(() => 'done', {
      kind: 'write',
      interceptors: [{ stage: 'check_output', run: () => Promise.reject(new Error('no')) }],
    });
    expect(codeOf(await run({}, same))).toBe('internal_error');
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
  });

  it('that answers in place of the handler is recorded too', async () => {
    const handler = jest.fn(() => 'done');
    const answers = jest.fn(async () => ({ success: true as const, result: 'elsewhere' }));
    const { run } = await keyedToolkit(handler, { interceptors: [{ stage: 'execute', run: answers }] });
    expect(await run(order, same)).toEqual({ success: true, result: 'elsewhere' });
    expect(await run(order, same)).toEqual({ success: true, result: 'elsewhere' });
    expect(answers).toHaveBeenCalledTimes(1);
    expect(handler).not.toHaveBeenCalled();
  });

  it('that may change outputs keeps a late one from being recorded without it', async () => {
    const hand = byHand();
    const controller = new AbortController();
    const { run, toolkit, log } = await keyedToolkit(
      () => {
        controller.abort();
        return hand.promise;
      },
      { interceptors: [{ stage: 'record', run: (_call, next) => next() }] },
    );
    await run(order, { ...same, signal: controller.signal });
    hand.resolve('card 4111');
    await toolkit.close();
    expect(log.filter(({ fields }) => 'late' in fields)).toHaveLength(1);
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
  });
});
