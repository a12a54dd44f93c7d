/**
 * Pauses of a run and the claim of the call that pauses.
 * Invariant: the same call enters its claim again, and nothing that was done is done again.
 */
import type { InvokeOptions } from 'toolcrib';
import { codeOf, keyedToolkit, onlyEntryOf } from '../../fixtures/ledger-calls';

class Interrupt extends Error {}
const order = { note: 'o1', id: 500 };
const pausing: InvokeOptions = {
  principal: { id: 'ada', scopes: [] },
  conversationId: 'talk',
  callId: 'call-1',
  isPause: (error) => error instanceof Interrupt,
};

describe('a pause', () => {
  it('keeps the claim for the same call, which enters again', async () => {
    const steps: (() => unknown)[] = [
      () => {
        throw new Interrupt();
      },
      () => {
        throw new Interrupt();
      },
      () => 'done',
    ];
    const handler = jest.fn(() => steps.shift()?.());
    const { run, toolkit } = await keyedToolkit(handler);
    for (let pause = 0; pause < 2; pause += 1) {
      await expect(run(order, pausing)).rejects.toBeInstanceOf(Interrupt);
      expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('paused');
      expect(codeOf(await run({ ...order, id: 501 }, pausing))).toBe('duplicate_call');
    }
    expect(await run(order, pausing)).toEqual({ success: true, result: 'done' });
    expect(await run(order, pausing)).toEqual({ success: true, result: 'done' });
    expect(handler).toHaveBeenCalledTimes(3);
  });

  it('after the action, by an interceptor, does not let it be repeated', async () => {
    const handler = jest.fn(() => 'done');
    const { run, toolkit } = await keyedToolkit(handler, {
      interceptors: [{ stage: 'check_output', run: () => Promise.reject(new Interrupt()) }],
    });
    await expect(run(order, pausing)).rejects.toBeInstanceOf(Interrupt);
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
    expect(codeOf(await run(order, pausing))).toBe('outcome_unknown');
    expect(handler).toHaveBeenCalledTimes(1);
  });
});
