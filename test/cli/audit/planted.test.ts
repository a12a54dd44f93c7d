/**
 * An application of decorated tools, a file of grants and an audit trail, with faults in each.
 * Invariant: the command line finds every one of them, under its code and where it is.
 */
import { join } from 'node:path';
import { createToolkit, Scopes, SideEffect, Tool } from 'toolcrib';
import { FileAudit } from 'toolcrib/audit';
import { makeWorkspace, type Workspace } from '../workspace';

class Billing {
  @Tool({ name: 'bills.read', version: '1.0.0', owner: 'Billing', description: 'Read a bill' })
  @Scopes('bills:use')
  @SideEffect('none')
  read(): void {}

  @Tool({ name: 'bills.pay', version: '1.0.0', owner: 'Billing', description: 'Pay a bill' })
  @Scopes('bills:use')
  @SideEffect('write')
  pay(): void {}

  @Tool({ name: 'bills.void', version: '1.0.0', owner: 'Billing', description: 'Void a bill' })
  @Scopes('bills:void')
  @SideEffect('destructive')
  void(): void {}

  @Tool({ name: 'bills.void', version: '2.0.0', owner: 'Billing', description: 'Void a bill' })
  @Scopes('bills:void', 'bills:use')
  @SideEffect('destructive')
  voidWithCare(): void {}

  @Tool({ name: 'bills.remind', version: '1.0.0', description: 'Send a reminder' })
  @Scopes()
  @SideEffect('write')
  remind(): void {}

  @Tool({ name: 'bills.drop', version: '1.0.0', owner: 'Billing', description: 'Drop all bills' })
  @Scopes('bills:drop')
  drop(): void {}

  @Tool({ name: 'bills.count', version: '1.0.0', owner: 'Billing', description: 'Count the bills' })
  @SideEffect('none')
  count(): void {}

  @Tool({ name: 'rates.now', version: '1.0.0', owner: 'Rates', description: 'Tell the rates' })
  @Scopes()
  @SideEffect('none')
  rates(): void {}

  @Tool({ name: 'bills.old', version: '1.0.0', owner: 'Billing', description: 'As before', deprecated: true })
  @Scopes('bills:use')
  @SideEffect('none')
  old(): void {}
}

const GRANTS = {
  roles: { admin: ['bills:*'] },
  principals: [
    { id: 'ann', scopes: ['bills:use'] },
    { id: 'ann', scopes: ['reports:read'] },
    { id: 'bob', scopes: ['bill:use'] },
    { id: 'root', roles: ['admin'], scopes: ['approvals:decide'] },
  ],
  approvalScopes: ['approvals:decide'],
};

const PLANTED: readonly object[] = [
  { code: 'unapproved_destructive', tool: 'bills.void@1.0.0' },
  { code: 'open_effect', tool: 'bills.remind@1.0.0' },
  { code: 'self_approved', tool: 'bills.void@1.0.0', principal: 'root' },
  { code: 'undecided_scopes', tool: 'bills.count@1.0.0' },
  { code: 'uncallable_tool', tool: 'bills.drop@1.0.0' },
  { code: 'missing_owner', tool: 'bills.remind@1.0.0' },
  { code: 'undeclared_side_effect', tool: 'bills.drop@1.0.0' },
  { code: 'mixed_scope', scope: 'bills:use' },
  { code: 'hierarchy_only', tool: 'bills.void@1.0.0' },
  { code: 'version_scope_change', tool: 'bills.void@2.0.0' },
  { code: 'unknown_scope', scope: 'bill:use' },
  { code: 'duplicate_principal', principal: 'ann' },
  { code: 'unlisted_principal', principal: 'ghost' },
  { code: 'beyond_grants', principal: 'bob' },
  { code: 'broad_scope', scope: 'bills:*' },
  { code: 'ungranted_scope', scope: 'bills:drop' },
  { code: 'unneeded_scope', scope: 'reports:read' },
  { code: 'deprecated_granted', tool: 'bills.old@1.0.0' },
  { code: 'open_tool', tool: 'rates.now@1.0.0' },
];

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let workspace: Workspace;
beforeAll(async () => {
  workspace = makeWorkspace(() =>
    createToolkit({
      discover: { classes: [Billing] },
      approval: false,
      logger: silent,
      covers: (held, required) =>
        held === required ||
        (held === 'bills:*' && required.startsWith('bills:') && required !== 'bills:drop'),
    }),
  );
  workspace.write('grants.json', JSON.stringify(GRANTS));
  const audit = await FileAudit.open({ file: join(workspace.folder, 'trail.jsonl') });
  const time = '2026-03-01T00:00:00.000Z';
  const tool = 'bills.void@1.0.0';
  await audit.append({ time, kind: 'call_started', tool: 'bills.pay@1.0.0', principalId: 'ghost' });
  await audit.append({ time, kind: 'call_started', tool, principalId: 'bob' });
  await audit.append({
    time,
    kind: 'approval_decided',
    tool,
    principalId: 'root',
    by: 'root',
    outcome: 'approve',
  });
  await audit.close();
});
afterAll(() => workspace.remove());

it('finds each planted fault', async () => {
  const argv = ['audit', 'permissions', '--json', '--grants', 'grants.json', '--trail', 'trail.jsonl'];
  const { exitCode, stdout } = await workspace.run(argv);
  const { findings } = JSON.parse(stdout);
  expect(exitCode).toBe(1);
  for (const planted of PLANTED) expect(findings).toContainEqual(expect.objectContaining(planted));
  expect(PLANTED.length).toBeGreaterThanOrEqual(12);
});
