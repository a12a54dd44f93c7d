/**
 * A caller and the arguments of one good call of `orders.place`.
 * Invariant: the caller holds every scope, and the arguments leave defaults out.
 */

/** Holds all scopes. */
export const ANN = { id: 'ann', scopes: ['orders:read', 'orders:write', 'orders:rush'] };

/** Good arguments. */
export const ORDER = {
  customer_id: 'CUS-0001',
  due: '2026-02-28T14:00:00Z',
  address: { street: 'Main 1', postcode: '10115' },
  lines: [{ sku: 'A' }, { sku: 'B', quantity: 4 }],
};
