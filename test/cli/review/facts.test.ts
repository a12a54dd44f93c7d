/**
 * The facts of a tool that `show` and review sheets tell in one place.
 * Invariant: what most tools do not have is told only of those that have it.
 */
import { factsOf } from '../../../src/cli/review/facts';
import { makeSpec } from '../../fixtures/hand-made-spec';

it('tells which tool takes the action back, where one does', () => {
  const named = makeSpec('orders.cancel', '1.0.0', { compensation: 'orders.reopen' });
  expect(factsOf(named)).toContainEqual(['taken back by', 'orders.reopen']);
  expect(factsOf(makeSpec('orders.lookup')).map(([name]) => name)).not.toContain('taken back by');
});
