/**
 * Parallel calls of which some need approval, what a reviewer says of them, and what then has to be.
 * Invariant: of approved, edited and rejected calls, and of those that need no approval, there is at least one.
 */
import { call } from './money';
import type { Decide } from './reviewer';

export const mixedCalls = [
  call('c1', 'charge', 1),
  call('c2', 'wire', 2),
  call('c3', 'wire', 3),
  call('c4', 'wire', 4),
  call('c5', 'charge', 5),
];
export const mixed: Decide = ({ callId }) => {
  if (callId === 'c3') return { type: 'edit', arguments: { amount: 30 } };
  return callId === 'c4' ? { type: 'reject', reason: 'Too much.' } : { type: 'approve' };
};
export const mixedEffects = ['c1 charge 1', 'c2 wire 2', 'c3 wire 30', 'c5 charge 5'];
export const mixedAnswers = [
  ['c1', 1],
  ['c2', 2],
  ['c3', 30],
  ['c4', 'approval_rejected'],
  ['c5', 5],
];
