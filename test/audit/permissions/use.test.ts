/**
 * A review against the trail that a toolkit itself has written.
 * Invariant: what is found follows from calls that were made, through the records as they are.
 */
import { type AuditEvent, createToolkit, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { reviewPermissions } from 'toolcrib/audit';

class Desk {
  @Tool({ name: 'orders.note', version: '1.0.0', owner: 'Desk', description: 'Write a note' })
  @Scopes('orders:write')
  @SideEffect('write')
  note(): void {}

  @Tool({ name: 'orders.purge', version: '1.0.0', owner: 'Desk', description: 'Remove old orders' })
  @Scopes('orders:purge')
  @SideEffect('destructive')
  purge(): void {}
}

const grants = {
  principals: [
    { id: 'clerk', scopes: ['orders:write'] },
    { id: 'deputy', scopes: ['orders:write'] },
    { id: 'cleaner', scopes: ['orders:purge'] },
    { id: 'x'.repeat(1_000), scopes: ['orders:write'] },
  ],
};
const logger = { debug() {}, info() {}, warn() {}, error() {} };

let toolkit: Toolkit;
let trail: AuditEvent[];
beforeEach(async () => {
  trail = [];
  const sink = { append: (event: AuditEvent) => void trail.push(event) };
  toolkit = await createToolkit({ discover: { classes: [Desk] }, audit: { sink }, logger });
});
afterEach(() => toolkit.close());

async function call(tool: string, id: string, ...scopes: readonly string[]) {
  const answer = await toolkit.invoke(tool, {}, { principal: { id, scopes } });
  return answer.success ? undefined : answer.error;
}

async function found() {
  const { findings, tools } = await reviewPermissions({ toolkit, grants, trail });
  const callers = tools.flatMap((one) =>
    one.callers.map((caller) => [caller.principal, caller.use] as const),
  );
  return {
    findings: findings.map(({ code, scope, principal }) => [code, principal ?? scope]),
    use: new Map(callers),
  };
}

it('tells who used what, who did not, and who is not listed', async () => {
  const long = 'x'.repeat(1_000);
  await call('orders.note', 'clerk', 'orders:write');
  await call('orders.note', long, 'orders:write');
  await call('orders.note', 'ghost', 'orders:write');
  await call('orders.purge', 'deputy', 'orders:write');
  const { findings, use } = await found();
  expect(findings).toEqual([
    ['unlisted_principal', 'ghost'],
    ['unused_grant', 'deputy'],
    ['unused_scope', 'orders:purge'],
  ]);
  expect(use.get('clerk')).toEqual({ calls: 1, refused: 0, denied: 0 });
  expect(use.get(long)).toEqual({ calls: 1, refused: 0, denied: 0 });
});

it('finds calls beyond the grants, and those that were approved by whoever made them', async () => {
  await call('orders.note', 'clerk', 'orders:write');
  await call('orders.note', 'deputy', 'orders:write');
  await call('orders.note', 'x'.repeat(1_000), 'orders:write');
  await call('orders.note', 'cleaner', 'orders:write');
  const error = await call('orders.purge', 'cleaner', 'orders:purge');
  expect(error?.code).toBe('approval_required');
  const [asked] = await toolkit.approvals.list();
  await toolkit.approvals.approve(asked?.request.id ?? '', { by: 'cleaner' });
  const { findings } = await found();
  expect(findings).toEqual([
    ['self_approved', 'cleaner'],
    ['beyond_grants', 'cleaner'],
  ]);
});

it('counts a call that waits for approval as use', async () => {
  await call('orders.note', 'clerk', 'orders:write');
  await call('orders.purge', 'cleaner', 'orders:purge');
  const { findings } = await found();
  expect(findings).not.toContainEqual(['unused_scope', 'orders:purge']);
});
