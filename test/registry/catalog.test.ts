/**
 * What one principal's model gets to see.
 * Invariant: one version a name, pinned or the highest that is no prerelease, and nothing that they may not call.
 */
import * as fc from 'fast-check';
import { type Principal, ToolRegistry, type ToolSpec } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { forAll } from '../fixtures/for-all';
import { makeSpec } from '../fixtures/hand-made-spec';

function fill(...specs: readonly ToolSpec[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const spec of specs) registry.register(spec);
  return registry;
}

function report(): ToolRegistry {
  return fill(makeSpec('report', '1.4.0'), makeSpec('report', '2.0.0'), makeSpec('report', '3.0.0-rc.1'));
}

function keysOf(registry: ToolRegistry, versions: Record<string, string> = {}): readonly string[] {
  return registry.catalog(undefined, { versions }).map(({ _meta }) => _meta.key);
}

describe('the version of a name', () => {
  it('VER-04: is one, the highest that is no prerelease, under the bare name', () => {
    const catalog = report().catalog();
    expect(catalog.map(({ name, _meta }) => [name, _meta.key])).toEqual([['report', 'report@2.0.0']]);
  });

  it('VER-04: is the pinned one, by range, by version or by a prerelease', () => {
    expect(keysOf(report(), { report: '^1' })).toEqual(['report@1.4.0']);
    expect(keysOf(report(), { report: '1.4.0' })).toEqual(['report@1.4.0']);
    expect(keysOf(report(), { report: '3.0.0-rc.1' })).toEqual(['report@3.0.0-rc.1']);
  });

  it('VER-04: is never shown twice, and never told apart by a suffix that could collide', () => {
    const registry = fill(
      makeSpec('report', '1.1.10'),
      makeSpec('report', '1.11.0'),
      makeSpec('report', '11.1.0'),
    );
    expect(registry.catalog().map(({ name }) => name)).toEqual(['report']);
    forAll(fc.constantFrom('*', '1', '~1.1', '1.11.0', '>1'), (range) => {
      expect(registry.catalog(undefined, { versions: { report: range } })).toHaveLength(1);
    });
  });

  it('VER-04: refuses a pin on a version that is gone, and names those that are there', () => {
    const registry = report();
    registry.update((draft) => draft.remove('report@1.4.0'));
    const [problem, ...rest] = problemsOf(() => registry.catalog(undefined, { versions: { report: '^1' } }));
    expect(problem).toMatchObject({ code: 'unknown_version', place: { tool: 'report' } });
    expect(problem?.mend).toMatch(/2\.0\.0/);
    expect(rest).toEqual([]);
  });

  it('VER-04: refuses every bad pin at once: no such tool, no such version, no range', () => {
    const versions = { nothing: '1', report: '^9', toString: '1', other: 'banana' };
    const registry = fill(...report().list(), makeSpec('other'));
    expect(codesOf(problemsOf(() => registry.select({ versions })))).toEqual([
      'unknown_tool',
      'unknown_tool',
      'unknown_version',
      'unknown_version',
    ]);
  });

  it('refuses a bad pin for a tool that the principal may not call as well', () => {
    const registry = fill(makeSpec('closed', '1.0.0', { scopes: undefined }));
    expect(codesOf(problemsOf(() => registry.catalog(undefined, { versions: { closed: '^2' } })))).toEqual([
      'unknown_version',
    ]);
  });

  it('is not pinned for other names', () => {
    const registry = fill(...report().list(), makeSpec('audit', '1.0.0'), makeSpec('audit', '2.0.0'));
    expect(keysOf(registry, { report: '^1' })).toEqual(['audit@2.0.0', 'report@1.4.0']);
  });

  it('leaves out a name with nothing but prereleases, unless it is pinned', () => {
    const registry = fill(makeSpec('beta', '1.0.0-beta.1'));
    expect(keysOf(registry)).toEqual([]);
    expect(keysOf(registry, { beta: '1.0.0-beta.1' })).toEqual(['beta@1.0.0-beta.1']);
  });
});

describe('what a principal may not call', () => {
  const registry = fill(
    makeSpec('a.open'),
    makeSpec('a.read', '1.0.0', { scopes: ['a:read'] }),
    makeSpec('a.write', '1.0.0', { scopes: ['a:read', 'a:write'] }),
    makeSpec('a.undecided', '1.0.0', { scopes: undefined }),
  );
  const seenBy = (principal?: Principal) => registry.catalog(principal).map(({ name }) => name);

  it('is not in the catalog', () => {
    expect(seenBy({ id: 'x', scopes: ['a:read'] })).toEqual(['a_open', 'a_read']);
    expect(seenBy({ id: 'x', scopes: ['a:read', 'a:write'] })).toEqual(['a_open', 'a_read', 'a_write']);
    expect(seenBy({ id: 'x', scopes: ['a:write'] })).toEqual(['a_open']);
    expect(seenBy({ id: 'x', scopes: [] })).toEqual(['a_open']);
  });

  it('is everything that is not open to anyone, when nobody is known', () => {
    expect(seenBy()).toEqual(['a_open']);
  });

  it('is decided for the version that was chosen, not for one that they could call', () => {
    const guarded = fill(
      makeSpec('t', '1.0.0', { scopes: [] }),
      makeSpec('t', '2.0.0', { scopes: ['t:use'] }),
    );
    expect(guarded.catalog()).toEqual([]);
    expect(keysOf(guarded, { t: '^1' })).toEqual(['t@1.0.0']);
  });

  it('is in select all the same, which knows no principal', () => {
    expect(registry.select().map(({ name }) => name)).toEqual(['a.open', 'a.read', 'a.undecided', 'a.write']);
  });
});

describe('a definition', () => {
  it('is pure JSON', () => {
    const spec = makeSpec('a.b', '1.0.0', { scopes: ['x'], title: 'T', owner: 'O', deprecated: 'Use a.c.' });
    const [definition] = fill(spec).catalog({ id: 'x', scopes: ['x'] });
    expect(definition).toMatchObject({ _meta: { scopes: ['x'], owner: 'O', deprecated: 'Use a.c.' } });
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
  });

  it('is made of the spec that update put in its place', () => {
    const registry = fill(makeSpec('a.b'));
    const before = registry.catalog();
    registry.update((draft) => {
      draft.remove('a.b@1.0.0');
      draft.register(makeSpec('a.b', '1.0.0', { description: 'Changed' }));
    });
    expect(before[0]?.description).not.toBe('Changed');
    expect(registry.catalog()[0]?.description).toBe('Changed');
  });
});
