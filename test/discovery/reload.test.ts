/**
 * Files that are evaluated more than once, as test runners and watchers do.
 * Invariant: every evaluation gives tools of its own, which no earlier one disturbs.
 */
import { join } from 'node:path';
import { discoverTools, ToolRegistry, type ToolSpec } from 'toolcrib';

const FOLDER = join(__dirname, '../fixtures/discovery');

/** Discovers the sample tools from files that are evaluated anew. */
async function discoverAnew(): Promise<readonly ToolSpec[]> {
  jest.resetModules();
  const load = (file: string): unknown => require(file);
  return discoverTools({ patterns: ['tools/**/*.tool.ts'], cwd: FOLDER, load });
}

function registryOf(specs: readonly ToolSpec[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const spec of specs) registry.register(spec);
  return registry;
}

describe('two evaluations of the same files', () => {
  it('DIS-04: fill two registries, alike and apart', async () => {
    const [first, second] = [registryOf(await discoverAnew()), registryOf(await discoverAnew())];
    expect(second.list().map(({ key }) => key)).toEqual(first.list().map(({ key }) => key));
    expect(JSON.stringify(second.catalog())).toBe(JSON.stringify(first.catalog()));
    const [one, two] = [first.get('net.ping@1.0.0'), second.get('net.ping@1.0.0')];
    expect(one?.handler).not.toBe(two?.handler);
    expect([one, two].map((spec) => spec?.handler({ word: 'hi' }, Object.create(null)))).toEqual([
      'hi',
      'hi',
    ]);
  });

  it('DIS-04: have states of their own', async () => {
    const [first, second] = [registryOf(await discoverAnew()), registryOf(await discoverAnew())];
    first.get('clock.set@1.0.0')?.handler({ hour: 5 }, Object.create(null));
    expect(first.get('clock.read@1.0.0')?.handler({}, Object.create(null))).toBe(5);
    expect(second.get('clock.read@1.0.0')?.handler({}, Object.create(null))).toBe(0);
  });

  it('DIS-04: keep the rules of their DTOs apart, though the classes have one name', async () => {
    const specs = [...(await discoverAnew()), ...(await discoverAnew())];
    const pings = specs.filter(({ name }) => name === 'net.ping');
    expect(pings).toHaveLength(2);
    for (const { input } of pings) {
      expect(Object.keys(input.schema.properties ?? {})).toEqual(['word']);
      expect(await input.parse({ word: 'hi' })).toMatchObject({ ok: true });
      expect(await input.parse({ word: '' })).toMatchObject({ ok: false });
    }
  });

  it('DIS-04: let the newer replace the older in a running registry', async () => {
    const registry = registryOf(await discoverAnew());
    registry.seal();
    const newer = await discoverAnew();
    registry.update((draft) => {
      for (const spec of newer) {
        draft.remove(spec.key);
        draft.register(spec);
      }
    });
    expect(registry.list()).toEqual(newer);
    expect(registry.get('net.ping@1.0.0')).toBe(newer.find(({ name }) => name === 'net.ping'));
  });

  it('DIS-04: work with a package that was evaluated anew as well', async () => {
    const old = await discoverAnew();
    jest.resetModules();
    const fresh: typeof import('toolcrib') = require('toolcrib');
    const load = (file: string): unknown => require(file);
    const specs = await fresh.discoverTools({ patterns: ['tools/**/*.tool.ts'], cwd: FOLDER, load });
    const registry = new fresh.ToolRegistry();
    for (const spec of specs) registry.register(spec);
    expect(registry.list().map(({ key }) => key)).toEqual(old.map(({ key }) => key));
  });
});
