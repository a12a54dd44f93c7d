/**
 * What a registry refuses to hold.
 * Invariant: no two tools share a key or a model name, and every name, version and scope in it is legal.
 */
import * as fc from 'fast-check';
import { ToolRegistry, type ToolSpec, toModelName } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { forAll } from '../fixtures/for-all';
import { makeSpec } from '../fixtures/hand-made-spec';

const MODEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

function fill(...specs: readonly ToolSpec[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const spec of specs) registry.register(spec);
  return registry;
}

describe('one key twice', () => {
  it('is duplicate_key, says to bump the version, and names both sources', () => {
    const registry = fill(makeSpec('a.b', '1.0.0', { source: { class: 'First', member: 'execute' } }));
    const again = makeSpec('a.b', '1.0.0', { source: { class: 'Second', member: 'run', file: '/b.js' } });
    const [problem, ...rest] = problemsOf(() => registry.register(again));
    expect(problem).toMatchObject({
      code: 'duplicate_key',
      place: { class: 'Second', member: 'run', tool: 'a.b@1.0.0', file: '/b.js' },
    });
    expect(problem?.message).toContain('First');
    expect(problem?.mend).toMatch(/version/);
    expect(rest).toEqual([]);
  });

  it('is refused for the very same spec too, and the first stays', () => {
    const spec = makeSpec('a.b');
    const registry = fill(spec);
    expect(codesOf(problemsOf(() => registry.register(spec)))).toEqual(['duplicate_key']);
    expect(registry.list()).toEqual([spec]);
  });

  it('is no problem for two versions', () => {
    expect(fill(makeSpec('a.b', '1.0.0'), makeSpec('a.b', '1.0.1')).versions('a.b')).toEqual([
      '1.0.0',
      '1.0.1',
    ]);
  });
});

describe('two names with one model name', () => {
  it.each([
    ['dots and underscores', 'crm.read', 'crm_read'],
    ['dots in other places', 'crm.read_all', 'crm_read.all'],
    ['letter case', 'getUser', 'getuser'],
    ['both at once', 'CRM.read', 'crm_READ'],
    ['one that starts with a dot', '.read', '_read'],
    ['runs of separators', 'a..b', 'a__b'],
  ])('DIS-06: collide by %s, in either order, and the first stays', (_what, one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const registry = fill(makeSpec(first, '1.0.0'));
      const [problem] = problemsOf(() => registry.register(makeSpec(second, '2.0.0')));
      expect(problem).toMatchObject({ code: 'model_name_collision', place: { tool: `${second}@2.0.0` } });
      expect(problem?.message).toContain(`${first}@1.0.0`);
      expect(registry.list().map(({ name }) => name)).toEqual([first]);
    }
  });

  it.each([
    ['a hyphen', 'crm.read', 'crm-read'],
    ['a prefix', 'crm.read', 'crm.read.all'],
    ['an underscore more', 'a.b', 'a._b'],
  ])('DIS-06: do not collide by %s', (_what, one, other) => {
    expect(fill(makeSpec(one), makeSpec(other)).list()).toHaveLength(2);
  });

  it('DIS-06: never come about, whatever names are registered, and every model name leads to one tool', () => {
    const name = fc.stringMatching(/^[a-cA-C]{1,2}[._-]{0,2}[a-c]{0,1}$/);
    forAll(fc.array(name, { maxLength: 30 }), (names) => {
      const registry = new ToolRegistry();
      registry.add(...names.map((one) => makeSpec(one)));
      const modelNames = registry.catalog().map((definition) => definition.name.toLowerCase());
      expect(new Set(modelNames).size).toBe(modelNames.length);
      expect(new Set(modelNames)).toEqual(new Set(names.map((one) => toModelName(one).toLowerCase())));
    });
  });

  it('DIS-06: are free again once the last version of the first is gone, and not before', () => {
    const registry = fill(makeSpec('crm.read', '1.0.0'), makeSpec('crm.read', '2.0.0'));
    registry.update((draft) => draft.remove('crm.read@1.0.0'));
    expect(codesOf(problemsOf(() => registry.register(makeSpec('crm_read'))))).toEqual([
      'model_name_collision',
    ]);
    registry.update((draft) => draft.remove('crm.read@2.0.0'));
    registry.register(makeSpec('crm_read'));
    expect(registry.list().map(({ name }) => name)).toEqual(['crm_read']);
  });

  it('DIS-06: are not made by cutting, since a name that is too long is refused', () => {
    const long = 'a'.repeat(64);
    const problems = new ToolRegistry().add(makeSpec(long), makeSpec(`${long}b`), makeSpec(`${long}c`));
    expect(codesOf(problems)).toEqual(['model_name_too_long', 'model_name_too_long']);
  });
});

describe('names and versions', () => {
  it.each([
    ['illegal_name', 'a b', '1.0.0'],
    ['illegal_name', 'a@b', '1.0.0'],
    ['illegal_name', '9a', '1.0.0'],
    ['reserved_name', 'constructor', '1.0.0'],
    ['reserved_name', '__proto__', '1.0.0'],
    ['reserved_name', 'toString', '1.0.0'],
    ['model_name_too_long', 'a'.repeat(65), '1.0.0'],
    ['illegal_version', 'a.b', '1.0'],
    ['illegal_version', 'a.b', 'v1.0.0'],
    ['illegal_version', 'a.b', 'latest'],
    ['illegal_version', 'a.b', '1.0.0+build.1'],
  ])('%s: %s@%s', (code, name, version) => {
    const registry = new ToolRegistry();
    expect(codesOf(problemsOf(() => registry.register(makeSpec(name, version))))).toEqual([code]);
    expect(registry.list()).toEqual([]);
  });

  it('VER-03: are never shown to a model together, and each model name is one that model APIs take', () => {
    const registry = fill(makeSpec('report.make', '1.10.0'), makeSpec('report.make', '2.0.0-beta.1'));
    const [definition, ...rest] = registry.catalog();
    expect(rest).toEqual([]);
    expect(definition?.name).toMatch(MODEL_NAME);
    expect(definition).toMatchObject({
      name: 'report_make',
      _meta: { key: 'report.make@1.10.0', version: '1.10.0' },
    });
    expect(registry.get('report.make@1.10.0')?.modelName).toBe('report_make');
  });

  it('VER-03: make the model name; a spec that claims another is refused', () => {
    for (const modelName of ['report@1.0.0', 'report.make', 'other', '']) {
      const problems = new ToolRegistry().add(makeSpec('report.make', '1.0.0', { modelName }));
      expect(problems).not.toEqual([]);
    }
  });

  it('make the key; a spec that claims another is refused', () => {
    const problems = new ToolRegistry().add(makeSpec('report.make', '1.0.0', { key: 'other@1.0.0' }));
    expect(problems).not.toEqual([]);
  });
});

describe('scopes', () => {
  const registry = () => new ToolRegistry({ scopes: ['a:read', 'a:write'] });

  it('of the taxonomy are taken, and so is the decision to need none', () => {
    const taken = registry();
    expect(taken.add(makeSpec('a.b', '1.0.0', { scopes: ['a:read'] }), makeSpec('a.c'))).toEqual([]);
    expect(taken.add(makeSpec('a.d', '1.0.0', { scopes: undefined }))).toEqual([]);
  });

  it('outside of it are unknown_scope, and each is named', () => {
    const spec = makeSpec('a.b', '1.0.0', { scopes: ['a:read', 'a:raed', 'toString'] });
    const [problem, ...rest] = registry().add(spec);
    expect(problem).toMatchObject({ code: 'unknown_scope', place: { tool: 'a.b@1.0.0' } });
    expect(problem?.message).toMatch(/a:raed.*toString/);
    expect(rest).toEqual([]);
  });

  it('are all unknown where the taxonomy is empty, and all known where there is none', () => {
    const spec = makeSpec('a.b', '1.0.0', { scopes: ['a:read'] });
    expect(codesOf(new ToolRegistry({ scopes: [] }).add(spec))).toEqual(['unknown_scope']);
    expect(new ToolRegistry().add(spec)).toEqual([]);
  });

  it('are those of the moment when the registry was made', () => {
    const scopes = ['a:read'];
    const made = new ToolRegistry({ scopes });
    scopes.push('b:read');
    expect(codesOf(made.add(makeSpec('a.b', '1.0.0', { scopes: ['b:read'] })))).toEqual(['unknown_scope']);
  });
});

describe('several mistakes', () => {
  it('of one spec are reported together', () => {
    const registry = new ToolRegistry({ scopes: [] });
    const spec = makeSpec('a b', '1', { scopes: ['a:read'] });
    expect(codesOf(problemsOf(() => registry.register(spec)))).toEqual([
      'illegal_name',
      'illegal_version',
      'unknown_scope',
    ]);
  });
});
