/**
 * The stages of a call.
 * Invariant: their order is that of the design; nothing of a call is looked at before it is authorised.
 */
import { STAGES } from 'toolcrib';

describe('STAGES', () => {
  it('are those of the design, in its order', () => {
    expect(STAGES).toEqual([
      'resolve',
      'authorise',
      'limit',
      'retry_guard',
      'validate',
      'approve',
      'claim',
      'execute',
      'check_output',
      'record',
    ]);
  });
});
