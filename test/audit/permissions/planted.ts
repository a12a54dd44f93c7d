/**
 * An application with many faults in its permissions, and who was granted what in it.
 * Invariant: `SOUND` has none of the faults; each fault of the tests is one change to it, or stands in `PLANTED`.
 */
import type { Principal, ScopeCover, ToolSpec } from 'toolcrib';
import {
  type Grants,
  type PermissionFinding,
  type PermissionReport,
  type ReviewedToolkit,
  reviewPermissions,
} from 'toolcrib/audit';
import type { AuditEvent } from '../../../src/contract/audit';
import { makeSpec } from '../../fixtures/hand-made-spec';

type Kind = ToolSpec['sideEffect']['kind'];

/** A side effect that is declared. */
function effect(kind: Kind): ToolSpec['sideEffect'] {
  return { kind, idempotent: false, openWorld: false, declared: true };
}

/** A tool that a team owns. */
export function tool(key: string, kind: Kind, overrides: Partial<ToolSpec> = {}): ToolSpec {
  const [name = '', version = '1.0.0'] = key.split('@');
  return makeSpec(name, version, { owner: 'Team', sideEffect: effect(kind), ...overrides });
}

/** What of a toolkit a test changes. */
export interface Changes {
  readonly tools?: readonly ToolSpec[];
  readonly taxonomy?: readonly string[];
  readonly covers?: ScopeCover;
  readonly asks?: ReviewedToolkit['approvals']['asks'];
  readonly grants?: Grants;
  readonly trail?: readonly AuditEvent[];
}

/** Three tools, of which each side effect has one. */
export const TOOLS: readonly ToolSpec[] = [
  tool('orders.lookup', 'none', { scopes: ['orders:read'] }),
  tool('orders.note', 'write', { scopes: ['orders:write'] }),
  tool('orders.refund', 'destructive', { scopes: ['orders:refund'] }),
];

/** Everybody holds something, nobody everything. */
export const GRANTS: Grants = {
  principals: [
    { id: 'reader', scopes: ['orders:read'] },
    { id: 'clerk', scopes: ['orders:write', 'orders:read'] },
    { id: 'cashier', scopes: ['orders:refund'] },
    { id: 'reviewer', scopes: ['approvals:decide'] },
  ],
  approvalScopes: ['approvals:decide'],
};

/** The cover that holds where an application gives none. */
const same: ScopeCover = (held, required) => held === required;

/** A toolkit of specs. */
export function toolkitWith({ tools = TOOLS, taxonomy, covers = same, asks = 'destructive' }: Changes) {
  return { registry: { list: () => tools, scopes: taxonomy, covers }, approvals: { asks } };
}

/** Reviews the sound application, with changes. */
export function review(changes: Changes = {}): Promise<PermissionReport> {
  const { grants = GRANTS, trail } = changes;
  return reviewPermissions({
    toolkit: toolkitWith(changes),
    grants,
    ...(trail === undefined ? {} : { trail }),
  });
}

/** Grants beside those of the sound application. */
export function grantsWith(...principals: readonly Grants['principals'][number][]): Grants {
  return { ...GRANTS, principals: [...GRANTS.principals, ...principals] };
}

/** A record of a call. */
export function record(
  principalId: Principal['id'] | null,
  tool: string,
  kind: AuditEvent['kind'] = 'call_started',
  more: Partial<AuditEvent> = {},
): AuditEvent {
  return { time: '2026-03-01T00:00:00.000Z', kind, tool, principalId, ...more };
}

/** A trail in which everybody did what they may do. */
export const TRAIL: readonly AuditEvent[] = [
  record('clerk', 'orders.note@1.0.0'),
  record('cashier', 'orders.refund@1.0.0', 'call_started', { time: '2026-03-31T00:00:00.000Z' }),
];

/** What a finding is, and what it is about. */
export type Place = Pick<PermissionFinding, 'code' | 'tool' | 'scope' | 'principal'>;

/** The findings of a report, without their words. */
export function placesIn({ findings }: PermissionReport): readonly Place[] {
  return findings.map(({ code, severity: _s, message: _m, why: _w, mend: _d, ...place }) => ({
    code,
    ...place,
  }));
}

/** The destructive tool of {@link TOOLS}. */
export const refund = 'orders.refund@1.0.0';

/** The sound application with more tools. */
export function withTool(...tools: readonly ToolSpec[]): Changes {
  return { tools: [...TOOLS, ...tools] };
}
