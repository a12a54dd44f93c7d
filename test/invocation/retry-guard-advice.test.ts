/**
 * What the retry guard advises where it refuses.
 * Invariant: nobody is told to change the arguments of a call whose action may have happened.
 */
import type { SideEffectKind } from 'toolcrib';
import { codeOf, failing, talk } from '../fixtures/guarded-calls';
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

it.each<readonly [string, RunHandler, SideEffectKind, boolean]>([
  ['what did nothing', failing, 'write', true],
  ['what only reads', () => Promise.reject(new Error('no')), 'none', true],
  ['what may have acted', () => Promise.reject(new Error('no')), 'write', false],
  ['what has acted', () => 1n, 'write', false],
  ['what is out of time', () => new Promise(() => {}), 'write', false],
])(
  'advises other arguments, of %s, only where that does no harm',
  async (_case, handler, kind, isAdvised) => {
    const { run } = await toolkitRunning(handler, { kind, tool: { timeoutMs: 1 } });
    await run({}, talk);
    const advice = expect.stringContaining('Change its arguments');
    const message = isAdvised ? advice : expect.not.stringContaining('Change');
    expect(await run({}, talk)).toMatchObject({ error: { code: 'retry_refused', message } });
  },
);

it('does not advise other arguments where an earlier call with its key may have acted', async () => {
  const { run } = await toolkitRunning(() => Promise.reject(new Error('no')), {
    kind: 'write',
    tool: { idempotencyKey: () => 'k' },
  });
  await run({ id: 1 }, { ...talk, turnId: 't1' });
  expect(codeOf(await run({ id: 1 }, { ...talk, turnId: 't2' }))).toBe('outcome_unknown');
  const message = expect.not.stringContaining('Change');
  expect(await run({ id: 1 }, { ...talk, turnId: 't2' })).toMatchObject({
    error: { code: 'retry_refused', detail: { failedWith: 'outcome_unknown' }, message },
  });
});
