/**
 * The faults that a permission review finds: each is planted, and is not found where it was not planted.
 * Invariant: assertions are on codes and on what a finding is about, not on its words.
 */
import { type Grants, PERMISSION_FINDINGS, reviewPermissions, SEVERITIES } from 'toolcrib/audit';
import {
  type Changes,
  GRANTS,
  grantsWith,
  type Place,
  placesIn,
  record,
  refund,
  review,
  TOOLS,
  TRAIL,
  tool,
  toolkitWith,
  withTool,
} from './planted';

const broad = (held: string, required: string) =>
  held === required || (held === 'orders:admin' && required.startsWith('orders:'));
const without = (id: string): Grants => ({
  ...GRANTS,
  principals: GRANTS.principals.filter((grant) => grant.id !== id),
});

const FAULTS: readonly (readonly [place: Place, changes: Changes])[] = [
  [{ code: 'unapproved_destructive', tool: refund }, { asks: 'never' }],
  [{ code: 'approval_by_policy', tool: refund }, { asks: 'policy' }],
  [{ code: 'open_effect', tool: 'orders.wipe@1.0.0' }, withTool(tool('orders.wipe', 'write'))],
  [{ code: 'open_tool', tool: 'math.add@1.0.0' }, withTool(tool('math.add', 'none'))],
  [
    { code: 'undecided_scopes', tool: 'orders.new@1.0.0' },
    withTool(tool('orders.new', 'none', { scopes: undefined })),
  ],
  [
    { code: 'uncallable_tool', tool: 'orders.both@1.0.0' },
    withTool(tool('orders.both', 'write', { scopes: ['orders:write', 'orders:refund'] })),
  ],
  [
    { code: 'missing_owner', tool: 'orders.list@1.0.0' },
    withTool(tool('orders.list', 'none', { scopes: ['orders:read'], owner: undefined })),
  ],
  [
    { code: 'undeclared_side_effect', tool: 'orders.drop@1.0.0' },
    withTool(
      tool('orders.drop', 'destructive', {
        scopes: ['orders:refund'],
        sideEffect: { kind: 'destructive', idempotent: false, openWorld: false, declared: false },
      }),
    ),
  ],
  [
    { code: 'mixed_scope', scope: 'orders:read' },
    withTool(tool('orders.touch', 'write', { scopes: ['orders:read'] })),
  ],
  [
    { code: 'mixed_scope', scope: 'orders:read' },
    {
      covers: (held, required) =>
        held === required || (held === 'orders:read' && required === 'orders:write'),
    },
  ],
  [
    { code: 'hierarchy_only', tool: refund },
    { covers: broad, grants: { principals: [{ id: 'boss', scopes: ['orders:admin'] }] } },
  ],
  [
    { code: 'version_scope_change', tool: 'orders.lookup@2.0.0' },
    withTool(tool('orders.lookup@2.0.0', 'none', { scopes: ['orders:write'] })),
  ],
  [
    { code: 'unknown_scope', scope: 'order:read' },
    { grants: grantsWith({ id: 'guest', scopes: ['order:read'] }) },
  ],
  [
    { code: 'unknown_scope', scope: 'files:read' },
    {
      taxonomy: ['orders:read', 'orders:write', 'orders:refund'],
      grants: grantsWith({ id: 'guest', scopes: ['files:read'] }),
    },
  ],
  [
    { code: 'unknown_scope', scope: 'orders:read\u200b' },
    { grants: grantsWith({ id: 'guest', scopes: ['orders:read\u200b'] }) },
  ],
  [
    { code: 'unneeded_scope', scope: 'files:read' },
    { grants: grantsWith({ id: 'guest', scopes: ['files:read'] }) },
  ],
  [{ code: 'ungranted_scope', scope: 'orders:refund' }, { grants: without('cashier') }],
  [{ code: 'ungranted_scope', scope: 'approvals:decide' }, { grants: without('reviewer') }],
  [
    { code: 'broad_scope', scope: 'orders:admin' },
    { covers: broad, grants: grantsWith({ id: 'boss', scopes: ['orders:admin'] }) },
  ],
  // Also where a tool asks for the broad scope itself.
  [
    { code: 'broad_scope', scope: 'orders:admin' },
    {
      ...withTool(tool('orders.configure', 'write', { scopes: ['orders:admin'] })),
      covers: broad,
      grants: grantsWith({ id: 'boss', scopes: ['orders:admin'] }),
    },
  ],
  [
    { code: 'broad_scope', scope: 'orders:write' },
    {
      covers: (held, required) =>
        held === required || (held === 'orders:write' && required === 'orders:read'),
    },
  ],
  [{ code: 'duplicate_principal', principal: 'reader' }, { grants: grantsWith({ id: 'reader' }) }],
  [{ code: 'duplicate_principal', principal: 'reader' }, { grants: grantsWith({ id: 'Reader' }) }],
  [
    { code: 'holds_everything', principal: 'boss' },
    { grants: grantsWith({ id: 'boss', scopes: ['orders:read', 'orders:write', 'orders:refund'] }) },
  ],
  [
    { code: 'approver_can_call', principal: 'judge' },
    { grants: grantsWith({ id: 'judge', scopes: ['approvals:decide', 'orders:refund'] }) },
  ],
  [
    { code: 'deprecated_granted', tool: 'orders.old@1.0.0' },
    withTool(tool('orders.old', 'none', { scopes: ['orders:read'], deprecated: 'use orders.lookup' })),
  ],
  [{ code: 'unused_scope', scope: 'orders:refund' }, { trail: TRAIL.slice(0, 1) }],
  [
    { code: 'unused_grant', scope: 'orders:refund', principal: 'deputy' },
    { trail: TRAIL, grants: grantsWith({ id: 'deputy', scopes: ['orders:refund'] }) },
  ],
  [
    { code: 'unlisted_principal', principal: 'ghost' },
    { trail: [...TRAIL, record('ghost', 'orders.note@1.0.0')] },
  ],
  [
    { code: 'unlisted_principal', principal: 'ghost' },
    { trail: [...TRAIL, record('ghost', refund, 'denied')] },
  ],
  [
    { code: 'beyond_grants', principal: 'reader' },
    { trail: [...TRAIL, record('reader', refund, 'call_ended')] },
  ],
  [{ code: 'anonymous_call', tool: refund }, { trail: [...TRAIL, record(null, refund)] }],
  [
    { code: 'self_approved', tool: refund, principal: 'cashier' },
    {
      trail: [...TRAIL, record('cashier', refund, 'approval_decided', { outcome: 'approve', by: 'cashier' })],
    },
  ],
];

it('finds nothing where nothing was planted', async () => {
  expect(placesIn(await review())).toEqual([]);
  expect(placesIn(await review({ trail: TRAIL }))).toEqual([]);
});

describe('a planted fault', () => {
  it.each(FAULTS)('%j is found', async (place, changes) => {
    const found = placesIn(await review(changes));
    expect(found).toContainEqual(place);
  });

  it('there is one of each code', () => {
    const planted = new Set(FAULTS.map(([{ code }]) => code));
    expect([...planted].sort()).toEqual(Object.keys(PERMISSION_FINDINGS).sort());
  });

  it('all at once are found, the worst first', async () => {
    const tools = [
      ...new Map(FAULTS.flatMap(([, one]) => one.tools ?? TOOLS).map((one) => [one.key, one])).values(),
    ];
    const principals = FAULTS.flatMap(([, one]) => one.grants?.principals ?? []);
    const trail = FAULTS.flatMap(([, one]) => one.trail ?? []);
    const report = await review({ tools, trail, asks: 'never', grants: { ...GRANTS, principals } });
    const codes = new Set(report.findings.map(({ code }) => code));
    expect(codes.size).toBeGreaterThanOrEqual(15);
    const ranks = report.findings.map(({ severity }) => SEVERITIES.indexOf(severity));
    expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
  });
});

it('tells a scope that mixes reading and changing once, as the worse', async () => {
  const covers = (held: string, required: string) =>
    held === required || (held === 'orders:read' && required === 'orders:write');
  expect(placesIn(await review({ covers })).filter(({ scope }) => scope === 'orders:read')).toEqual([
    { code: 'mixed_scope', scope: 'orders:read' },
  ]);
});

describe('a right that is not used', () => {
  const grants = grantsWith({ id: 'deputy', scopes: ['orders:refund'] });
  const first = '2026-03-01T00:00:00.000Z';
  it.each([
    [first, 'info'],
    ['2026-03-30T23:59:59.999Z', 'info'],
    ['2026-03-31T00:00:00.000Z', 'low'],
  ])('in a trail from %s to %s is %s', async (last, severity) => {
    const trail = [
      record('cashier', refund, 'call_started', { time: first }),
      record('cashier', refund, 'call_ended', { time: last }),
    ];
    const { findings } = await review({ trail, grants });
    const unused = findings.filter(({ code }) => code.startsWith('unused_'));
    expect(unused.map((one) => [one.code, one.severity])).toEqual([
      ['unused_grant', severity],
      ['unused_scope', severity],
    ]);
    const isAdvised = unused.map(({ code, mend }) => mend === PERMISSION_FINDINGS[code].mend);
    expect(isAdvised).toEqual([severity === 'low', severity === 'low']);
  });
});

describe('refuses what it cannot be made of, with a TypeError that names', () => {
  const review = (options: unknown) => Reflect.apply(reviewPermissions, undefined, [options]);
  const toolkit = toolkitWith({});
  it.each<[string, unknown]>([
    ['options', undefined],
    ['toolkit', {}],
    ['toolkit', { grants: GRANTS }],
    ['toolkit', { toolkit: {}, grants: GRANTS }],
    ['trial', { toolkit, grants: GRANTS, trial: [] }],
    ["readAudit\\('audit.jsonl'\\)", { toolkit, grants: GRANTS, trail: 'audit.jsonl' }],
    ['readAudit', { toolkit, grants: GRANTS, trail: {} }],
    ['readAudit', { toolkit, grants: GRANTS, trail: null }],
  ])('%s', async (name, options) => {
    await expect(review(options)).rejects.toThrow(TypeError);
    await expect(review(options)).rejects.toThrow(new RegExp(name));
  });
});

it('lets nobody call what anyone may', async () => {
  const trail = [...TRAIL, record(null, 'orders.wipe@1.0.0')];
  const report = await review({ ...withTool(tool('orders.wipe', 'write')), trail });
  expect(placesIn(report)).toEqual([{ code: 'open_effect', tool: 'orders.wipe@1.0.0' }]);
});

it('suggests the scope that was meant', async () => {
  const { findings } = await review({ grants: grantsWith({ id: 'guest', scopes: ['Orders.Read'] }) });
  expect(findings).toEqual([
    expect.objectContaining({ code: 'unknown_scope', mend: expect.stringContaining('orders:read') }),
  ]);
});

it('does not call somebody an approver of calls that nobody is asked about', async () => {
  const grants = grantsWith({ id: 'judge', scopes: ['approvals:decide', 'orders:refund'] });
  expect(placesIn(await review({ grants, asks: 'never' })).map(({ code }) => code)).toEqual([
    'unapproved_destructive',
  ]);
});
