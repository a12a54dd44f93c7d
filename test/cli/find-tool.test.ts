/**
 * How a user names a tool.
 * Invariant: what is found is the version that a call by the same words would reach.
 */
import { findTool } from '../../src/cli/find-tool';
import { makeSpec } from '../fixtures/hand-made-spec';
import { toolkitOf } from './workspace';

const toolkit = toolkitOf(
  makeSpec('orders.lookup', '1.0.0'),
  makeSpec('orders.lookup', '1.2.0'),
  makeSpec('orders.lookup', '2.0.0-beta.1'),
  makeSpec('orders_new.search', '0.1.0-alpha'),
);

it.each([
  ['orders.lookup', 'orders.lookup@1.2.0'],
  ['orders_lookup', 'orders.lookup@1.2.0'],
  ['orders.lookup@~1.0', 'orders.lookup@1.0.0'],
  ['orders_lookup@1.0.0', 'orders.lookup@1.0.0'],
  ['orders.lookup@2.0.0-beta.1', 'orders.lookup@2.0.0-beta.1'],
  ['orders_new_search@0.1.0-alpha', 'orders_new.search@0.1.0-alpha'],
])('%s is %s', (reference, key) => {
  expect(findTool(toolkit, reference).key).toBe(key);
});

it.each([
  ['', 'unknown_tool'],
  ['@1.0.0', 'unknown_tool'],
  ['toString', 'unknown_tool'],
  ['Orders.Lookup', 'unknown_tool'],
  ['orders.lookup@^3', 'unknown_version'],
  ['orders.lookup@nonsense', 'unknown_version'],
  ['orders_new.search', 'unknown_version'],
])('%j is refused as %s', (reference, code) => {
  expect(() => findTool(toolkit, reference)).toThrow(expect.objectContaining({ code }));
});

it('names the versions that there are', () => {
  expect(() => findTool(toolkit, 'orders_new_search')).toThrow(/0\.1\.0-alpha/);
});
