/**
 * LG-05: a pause for approval is never an envelope.
 * Invariant: the pause leaves every runtime as it was thrown; it is not tried again and not logged.
 */
import { interrupt } from '@langchain/langgraph';
import { toWire } from 'toolcrib';
import {
  answering,
  approvingRuntimes,
  moneyTools,
  requestsOf,
  wire,
  wired,
} from '../../fixtures/approval-runs';
import { envelopeOf, toolMessages } from '../../fixtures/langgraph-runtimes';
import { silent } from '../../fixtures/langgraph-tools';

describe.each(approvingRuntimes)('LG-05: $name', (runtime) => {
  it('pauses for approval, and then for the handler, without a retry or a log', async () => {
    const logged = jest.fn();
    let handled = 0;
    let ok: unknown;
    const { tools, effects } = await moneyTools(
      { logger: { ...silent, warn: logged, error: logged }, retry: { maxAttempts: 3, baseDelayMs: 1 } },
      () => {
        handled += 1;
        ok = interrupt({ ask: 'send?' });
      },
    );
    const run = runtime.prepare(tools, [wire('c1', 5)]);
    const asked = await run.begin();
    expect(requestsOf(asked)).toHaveLength(1);
    expect(toolMessages(asked)).toEqual([]);
    expect(handled).toBe(0);
    const paused = await run.resume(answering(asked, () => ({ type: 'approve' })));
    expect(paused.__interrupt__).toMatchObject([{ value: { ask: 'send?' } }]);
    expect(toolMessages(paused)).toEqual([]);
    expect(handled).toBe(1);
    const done = await run.resume('yes');
    expect(toolMessages(done).map(envelopeOf)).toEqual([toWire({ success: true, result: 5 })]);
    expect([handled, ok, wired(effects)]).toEqual([2, 'yes', [5]]);
    expect(logged).not.toHaveBeenCalled();
  });
});
