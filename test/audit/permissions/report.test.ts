/**
 * The report itself: who may call what, and that it is the same whatever order things come in.
 * Invariant: what the report says of a call is what the registry decides of that call.
 */
import * as fc from 'fast-check';
import { ToolRegistry } from 'toolcrib';
import { type Grants, type PermissionReport, reviewPermissions } from 'toolcrib/audit';
import { forAllAwaited } from '../../fixtures/for-all';
import { GRANTS, record, review, TOOLS, TRAIL, tool, toolkitWith } from './planted';

function callersOf({ tools }: PermissionReport, key: string) {
  return tools.find((one) => one.tool === key)?.callers;
}

it('says who may call what, and by which scopes', async () => {
  const report = await review();
  expect(callersOf(report, 'orders.lookup@1.0.0')).toEqual([
    { principal: 'clerk', via: [{ required: 'orders:read', held: 'orders:read' }], byHierarchy: false },
    { principal: 'reader', via: [{ required: 'orders:read', held: 'orders:read' }], byHierarchy: false },
  ]);
  expect(report).toMatchObject({
    schemaVersion: 1,
    summary: { tools: 3, scopes: 4, principals: 4, approval: 'destructive', trail: null },
  });
  expect(report.tools.map(({ access, approval }) => [access, approval])).toEqual([
    ['scopes', 'no'],
    ['scopes', 'no'],
    ['scopes', 'yes'],
  ]);
  expect(report.principals.find(({ principal }) => principal === 'reviewer')).toEqual({
    principal: 'reviewer',
    roles: [],
    scopes: ['approvals:decide'],
    tools: [],
    approves: true,
  });
});

it('tells a scope that is held by name from one that a broader scope covers', async () => {
  const covers = (held: string, required: string) => held === required || held === 'admin';
  const grants = {
    principals: [
      { id: 'admin', scopes: ['admin'] },
      { id: 'cashier', scopes: ['orders:refund', 'admin'] },
    ],
  };
  const report = await review({ covers, grants });
  expect(callersOf(report, 'orders.refund@1.0.0')).toEqual([
    { principal: 'admin', via: [{ required: 'orders:refund', held: 'admin' }], byHierarchy: true },
    { principal: 'cashier', via: [{ required: 'orders:refund', held: 'orders:refund' }], byHierarchy: false },
  ]);
  expect(report.scopes.find(({ scope }) => scope === 'orders:refund')).toEqual({
    scope: 'orders:refund',
    requiredBy: ['orders.refund@1.0.0'],
    heldBy: ['cashier'],
    coveredFor: ['admin'],
  });
});

it('denies where the hierarchy throws, as a call would be denied', async () => {
  const covers = () => {
    throw new Error('no hierarchy today');
  };
  expect((await review({ covers })).tools.flatMap(({ callers }) => callers)).toEqual([]);
});

it('adds the scopes of roles and of all entries of a principal', async () => {
  const grants: Grants = {
    roles: { desk: ['orders:read'] },
    principals: [
      { id: 'ann', roles: ['desk'] },
      { id: 'ann', scopes: ['orders:write'] },
    ],
  };
  const { principals } = await review({ grants });
  expect(principals).toEqual([
    {
      principal: 'ann',
      roles: ['desk'],
      scopes: ['orders:read', 'orders:write'],
      tools: ['orders.lookup@1.0.0', 'orders.note@1.0.0'],
      approves: false,
    },
  ]);
});

it('counts the calls of the trail, and says what it covers', async () => {
  const trail = [
    ...TRAIL,
    record('clerk', 'orders.note@1.0.0', 'call_ended', { outcome: 'succeeded' }),
    record('clerk', 'orders.note@1.0.0', 'call_refused', { code: 'invalid_input' }),
    record('clerk', 'orders.note@1.0.0', 'denied', { code: 'insufficient_scope' }),
    { time: '2026-02-01T00:00:00.000Z', kind: 'gap' as const, missing: 3 },
  ];
  const report = await review({ trail });
  expect(callersOf(report, 'orders.note@1.0.0')?.[0]?.use).toEqual({ calls: 1, refused: 1, denied: 1 });
  expect(callersOf(report, 'orders.lookup@1.0.0')?.[0]).not.toHaveProperty('use');
  expect(report.summary.trail).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-31T00:00:00.000Z',
    records: 6,
    missing: 3,
  });
});

it('takes grants from a function, and a trail as it is read', async () => {
  async function* trail() {
    yield* TRAIL;
  }
  const report = await reviewPermissions({
    toolkit: toolkitWith({}),
    grants: async () => GRANTS,
    trail: trail(),
  });
  expect(report).toEqual(await review({ trail: TRAIL }));
});

describe('for all tools and grants', () => {
  const scope = fc.constantFrom('a:read', 'a:write', 'a', 'b:read', '__proto__', 'x|y\n');
  const scopes = fc.array(scope, { maxLength: 3 });
  const specs = fc
    .uniqueArray(
      fc.record({
        name: fc.constantFrom('a.a', 'a.b', 'b.a', 'b.b'),
        scopes: fc.option(scopes, { nil: undefined }),
      }),
      { selector: ({ name }) => name, maxLength: 4 },
    )
    .map((made) => made.map(({ name, scopes: asked }) => tool(name, 'write', { scopes: asked })));
  const principals = fc.array(fc.record({ id: fc.constantFrom('ann', 'Ann', 'bob', '__proto__'), scopes }), {
    maxLength: 5,
  });
  const covers = (held: string, required: string) => held === required || required.startsWith(`${held}:`);

  it('says of every call what the registry decides', async () => {
    await forAllAwaited(fc.record({ specs, principals }), async ({ specs: tools, principals: granted }) => {
      const registry = new ToolRegistry({ covers });
      expect(registry.add(...tools)).toEqual([]);
      const report = await reviewPermissions({
        toolkit: { registry, approvals: { asks: 'destructive' } },
        grants: { principals: granted },
      });
      for (const spec of registry.list()) {
        const reviewed = report.tools.find((one) => one.tool === spec.key);
        expect(reviewed?.access === 'anyone').toBe(registry.authorise(spec, undefined).allowed);
        if (reviewed?.access === 'anyone') continue;
        const callers = report.principals
          .filter(({ principal: id, scopes: held }) => registry.authorise(spec, { id, scopes: held }).allowed)
          .map(({ principal }) => principal);
        expect(reviewed?.callers.map(({ principal }) => principal)).toEqual(callers);
      }
    });
  });

  it('is the same in whatever order they are granted', async () => {
    await forAllAwaited(fc.record({ specs, principals }), async ({ specs: tools, principals: granted }) => {
      const report = await review({ tools, covers, grants: { principals: granted } });
      const reversed = [...granted]
        .reverse()
        .map(({ id, scopes: held }) => ({ id, scopes: [...held].reverse() }));
      expect(await review({ tools, covers, grants: { principals: reversed } })).toEqual(report);
    });
  });
});

it('reviews a thousand principals', async () => {
  const principals = Array.from({ length: 1_000 }, (_, n) => ({
    id: `user-${n}`,
    scopes: ['orders:read', `extra:${n % 50}`],
  }));
  const tools = Array.from({ length: 100 }, (_, n) =>
    tool(`orders.read_${n}`, 'none', { scopes: ['orders:read'] }),
  );
  const report = await review({ tools: [...TOOLS, ...tools], grants: { principals } });
  expect(report.summary.principals).toBe(1_000);
  expect(report.tools.filter(({ callers }) => callers.length === 1_000)).toHaveLength(101);
});

it('asks the hierarchy once for each scope that is held and each that is asked for', async () => {
  const asked: string[] = [];
  const covers = (held: string, required: string) => {
    asked.push(`${held} ${required}`);
    return held === required || held === '*';
  };
  const required = Array.from({ length: 20 }, (_, n) => `orders:${n}`);
  const tools = Array.from({ length: 60 }, (_, n) =>
    tool(`orders.tool-${n}`, n % 2 === 0 ? 'none' : 'write', { scopes: [`orders:${n % 20}`] }),
  );
  const principals = Array.from({ length: 200 }, (_, n) => ({ id: `user-${n}`, roles: [`role-${n % 3}`] }));
  const roles = { 'role-0': required, 'role-1': ['*'], 'role-2': required.slice(1) };
  const report = await review({ covers, tools, grants: { principals, roles }, trail: TRAIL });
  expect(report.tools.flatMap(({ callers }) => callers)).toHaveLength(60 * 200 - 3 * 66);
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.length).toBeLessThanOrEqual(21 * 21);
});
