/**
 * What a review reads of a toolkit that an application has made.
 * Invariant: it is what the application said, or what holds where it said nothing.
 */
import { createToolkit, type ToolkitOptions } from 'toolcrib';
import { reviewPermissions } from 'toolcrib/audit';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

async function summaryWith(options: Omit<ToolkitOptions, 'discover' | 'logger'>) {
  const toolkit = await createToolkit({ discover: {}, logger, ...options });
  const report = await reviewPermissions({ toolkit, grants: { principals: [] } });
  await toolkit.close();
  return report;
}

it.each<[string, ToolkitOptions['approval']]>([
  ['destructive', undefined],
  ['destructive', { timeoutMs: 1_000 }],
  ['policy', { policy: () => true }],
  ['never', false],
])('asks: %s', async (asks, approval) => {
  const { summary } = await summaryWith(approval === undefined ? {} : { approval });
  expect(summary.approval).toBe(asks);
});

it('has the scopes that exist, whatever becomes of the list', async () => {
  const scopes = ['orders:read'];
  const toolkit = await createToolkit({ discover: {}, logger, scopes });
  scopes.push('orders:write');
  const report = await reviewPermissions({ toolkit, grants: { principals: [] } });
  expect(report.scopes.map(({ scope }) => scope)).toEqual(['orders:read']);
  await toolkit.close();
});
