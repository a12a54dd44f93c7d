/**
 * Registering, reading and closing a registry.
 * Invariant: what is read is the very spec that was registered, and a sealed registry takes no more.
 */
import * as fc from 'fast-check';
import { type Principal, ToolRegistry } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { forAll } from '../fixtures/for-all';
import { makeSpec } from '../fixtures/hand-made-spec';

const lookup = makeSpec('orders.lookup', '1.0.0');

function fill(...keys: readonly (readonly [string, string])[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const [name, version] of keys) registry.register(makeSpec(name, version));
  return registry;
}

describe('get', () => {
  it('gives the spec of a key, with its handler', () => {
    const registry = new ToolRegistry();
    registry.register(lookup);
    expect(registry.get('orders.lookup@1.0.0')).toBe(lookup);
    expect(registry.get('orders.lookup@1.0.0')?.handler({}, Object.create(null))).toBe('1.0.0');
  });

  it.each([
    'orders.lookup',
    'orders.lookup@',
    'orders.lookup@1',
    'orders.lookup@^1.0.0',
    'orders.lookup@1.0.1',
    'orders.lookup@v1.0.0',
    'orders.lookup@1.0.0+build',
    'orders_lookup@1.0.0',
    'Orders.lookup@1.0.0',
    '@1.0.0',
    '',
    '__proto__@1.0.0',
  ])('gives nothing for what is no key of it: %p', (key) => {
    const registry = new ToolRegistry();
    registry.register(lookup);
    expect(registry.get(key)).toBeUndefined();
  });
});

describe('list', () => {
  it('is empty at first', () => {
    expect(new ToolRegistry().list()).toEqual([]);
  });

  it('DIS-09: is by name in code units and by version, whatever was registered first', () => {
    const keys = [
      ['Z', '1.0.0'],
      ['a', '1.9.0'],
      ['a', '1.10.0'],
      ['a', '2.0.0-rc.1'],
      ['a', '2.0.0'],
      ['a-b', '1.0.0'],
      ['a.b', '1.0.0'],
      ['a10', '1.0.0'],
      ['a2', '1.0.0'],
      ['b', '0.0.1'],
    ] as const;
    const expected = fill(...keys);
    expect(expected.list().map(({ name, version }) => [name, version])).toEqual(keys);
    forAll(fc.shuffledSubarray([...keys], { minLength: keys.length }), (shuffled) => {
      const registry = fill(...shuffled);
      expect(registry.list().map(({ key }) => key)).toEqual(expected.list().map(({ key }) => key));
      expect(JSON.stringify(registry.catalog())).toBe(JSON.stringify(expected.catalog()));
    });
  });

  it('is a list of its own: changing it changes nothing', () => {
    const registry = fill(['a', '1.0.0'], ['b', '1.0.0']);
    for (const list of [registry.list(), registry.versions('a'), registry.catalog(), registry.select()]) {
      if (Array.isArray(list)) list.length = 0;
    }
    expect(registry.list()).toHaveLength(2);
    expect(registry.versions('a')).toEqual(['1.0.0']);
  });

  it('of one registry is not that of another', () => {
    fill(['a', '1.0.0']);
    expect(
      fill(['b', '1.0.0'])
        .list()
        .map(({ name }) => name),
    ).toEqual(['b']);
  });
});

describe('add', () => {
  it('registers all that are legal and lists what is wrong with the others', () => {
    const registry = new ToolRegistry();
    const problems = registry.add(makeSpec('a'), makeSpec('b c'), makeSpec('a'), makeSpec('d'));
    expect(codesOf(problems)).toEqual(['duplicate_key', 'illegal_name']);
    expect(registry.list().map(({ name }) => name)).toEqual(['a', 'd']);
  });

  it('of nothing is nothing', () => {
    expect(new ToolRegistry().add()).toEqual([]);
  });
});

describe('seal', () => {
  it('closes the registry to register and add, for legal specs and others, and says how to go on', () => {
    const registry = fill(['a', '1.0.0']);
    registry.seal();
    const [problem, ...rest] = problemsOf(() => registry.register(lookup));
    expect(problem).toMatchObject({ code: 'registry_sealed', place: { tool: 'orders.lookup@1.0.0' } });
    expect(problem?.mend).toContain('update');
    expect(rest).toEqual([]);
    expect(codesOf(registry.add(makeSpec('b'), makeSpec('c d')))).toEqual([
      'registry_sealed',
      'registry_sealed',
    ]);
    expect(registry.list().map(({ key }) => key)).toEqual(['a@1.0.0']);
  });

  it('leaves everything readable, and can be repeated', () => {
    const registry = fill(['a', '1.0.0']);
    registry.seal();
    registry.seal();
    expect(registry.get('a@1.0.0')?.key).toBe('a@1.0.0');
    expect(registry.catalog()).toHaveLength(1);
  });
});

describe('authorise', () => {
  const read = makeSpec('a.read', '1.0.0', { scopes: ['a:read'] });
  const admin: Principal = { id: 'ann', scopes: ['a'] };

  it('holds a principal’s scopes against those of the tool', () => {
    const registry = new ToolRegistry();
    expect(registry.authorise(read, { id: 'bob', scopes: ['a:read'] })).toEqual({
      allowed: true,
      missing: [],
    });
    expect(registry.authorise(read, admin)).toEqual({ allowed: false, missing: ['a:read'] });
    expect(registry.authorise(read, undefined)).toEqual({ allowed: false, missing: ['a:read'] });
    expect(registry.authorise(makeSpec('a.open'), undefined)).toEqual({ allowed: true, missing: [] });
    expect(registry.authorise(makeSpec('a.undecided', '1.0.0', { scopes: undefined }), admin).allowed).toBe(
      false,
    );
  });

  it('asks the application’s cover', () => {
    const registry = new ToolRegistry({ covers: (held, required) => required.startsWith(`${held}:`) });
    expect(registry.authorise(read, admin).allowed).toBe(true);
    expect(registry.authorise(read, { id: 'bob', scopes: ['a:read'] }).allowed).toBe(false);
  });
});
