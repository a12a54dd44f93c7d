/**
 * What a permission review does not take for a fault.
 * Invariant: each case is near to a fault that is found, and nothing at all is found in it.
 */
import { type Changes, grantsWith, placesIn, record, refund, review, TRAIL, tool, withTool } from './planted';

describe('what is no fault', () => {
  it.each<[string, Changes]>([
    [
      'a scope to read beside one to change',
      withTool(tool('orders.edit', 'write', { scopes: ['orders:read', 'orders:write'] })),
    ],
    [
      'a scope to read that a tool asks for beside a broader one to change',
      {
        ...withTool(tool('orders.edit', 'write', { scopes: ['orders:read', 'orders:write'] })),
        covers: (held, required) => held === required || (held === 'all:read' && required === 'orders:read'),
        grants: grantsWith({ id: 'audit', scopes: ['all:read'] }),
      },
    ],
    [
      'a broader scope that only reads',
      {
        covers: (held, required) => held === required || (held === 'all:read' && required === 'orders:read'),
        grants: grantsWith({ id: 'audit', scopes: ['all:read'] }),
      },
    ],
    [
      'an approver who calls what nobody is asked about',
      { grants: grantsWith({ id: 'judge', scopes: ['approvals:decide', 'orders:write'] }) },
    ],
    [
      'versions that ask for the same in another order',
      withTool(
        tool('orders.edit@1.0.0', 'write', { scopes: ['orders:read', 'orders:write'] }),
        tool('orders.edit@2.0.0', 'write', { scopes: ['orders:write', 'orders:read'] }),
      ),
    ],
    [
      'reading that leaves no trace in the trail',
      { trail: TRAIL, grants: grantsWith({ id: 'silent', scopes: ['orders:read'] }) },
    ],
    [
      'use of another version of the tool',
      { trail: [record('clerk', 'orders.note@0.9.0'), record('cashier', refund)] },
    ],
    ['a call of a tool that is gone', { trail: [...TRAIL, record('reader', 'orders.gone@1.0.0')] }],
    ['a denied caller that is listed', { trail: [...TRAIL, record('reader', refund, 'denied')] }],
    ['nobody, who was denied', { trail: [...TRAIL, record(null, refund, 'denied')] }],
    ['a call by nobody of a tool that is gone', { trail: [...TRAIL, record(null, 'orders.gone@1.0.0')] }],
    [
      'an approval by somebody else',
      {
        trail: [
          ...TRAIL,
          record('cashier', refund, 'approval_decided', { outcome: 'approve', by: 'reviewer' }),
        ],
      },
    ],
    [
      'a rejection of the own request',
      {
        trail: [
          ...TRAIL,
          record('cashier', refund, 'approval_decided', { outcome: 'reject', by: 'cashier' }),
        ],
      },
    ],
    [
      'a scope of the taxonomy',
      { taxonomy: ['orders:read', 'orders:write', 'orders:refund', 'approvals:decide'] },
    ],
  ])('%s', async (_, changes) => {
    expect(placesIn(await review(changes))).toEqual([]);
  });
});
