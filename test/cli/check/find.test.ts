/**
 * What `toolcrib check` finds: every planted fault, and nothing in tools that are sound.
 * Invariant: a fault is known by its code and its place, and the order of findings is that of the tools.
 */
import { type Class, discoverTools, ToolRegistry, toModelName, toToolKey } from 'toolcrib';
import { type Finding, findFindings } from '../../../src/cli/check/find';
import { FINDING_CODES } from '../../../src/cli/check/finding';
import { FAULTY_TOOLS, PLANTED } from '../../fixtures/faulty-tools';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { openSampleApp } from '../../fixtures/sample-app';

async function findIn(classes: readonly Class[]): Promise<readonly Finding[]> {
  const registry = new ToolRegistry();
  expect(registry.add(...(await discoverTools({ classes: [...classes] })))).toEqual([]);
  return findFindings(registry.list());
}

function write({ code, place }: Finding): string {
  const owner = [place.class, place.member].filter((part) => part !== undefined).join('.');
  return [code, place.tool, place.schemaPath, owner].filter((part) => part !== undefined).join(' ');
}

describe('the faulty tools', () => {
  it('have each planted fault found, and nothing else', async () => {
    expect((await findIn(FAULTY_TOOLS)).map(write)).toEqual(PLANTED);
    expect(PLANTED.length).toBeGreaterThanOrEqual(25);
    expect(new Set(PLANTED).size).toBe(PLANTED.length);
  });

  it('have a fault of every code, but for defaults, which a DTO cannot get wrong', () => {
    const planted = new Set(PLANTED.map((line) => line.split(' ')[0]));
    expect(FINDING_CODES.filter((code) => !planted.has(code))).toEqual(['invalid_default']);
  });

  it('are found in the same order, whatever the order of discovery', async () => {
    expect(await findIn([...FAULTY_TOOLS].reverse())).toEqual(await findIn(FAULTY_TOOLS));
  });

  it('are each told why and what to do', async () => {
    for (const finding of await findIn(FAULTY_TOOLS)) {
      expect(finding).toEqual({
        code: expect.any(String),
        place: expect.any(Object),
        reason: expect.stringMatching(/\S/),
        mend: expect.stringMatching(/^[A-Z].*\.$/),
      });
    }
  });
});

it('finds nothing in the samples', async () => {
  const app = await openSampleApp();
  const findings = findFindings(app.toolkit.registry.list());
  await app.close();
  expect(findings).toEqual([]);
});

it('finds nothing where there are no tools', () => {
  expect(findFindings([])).toEqual([]);
});

describe('two versions of one tool', () => {
  it('are no twins', () => {
    const specs = ['1.0.0', '2.0.0'].map((version) =>
      makeSpec('stock.count', version, { owner: 'StockTeam' }),
    );
    expect(findFindings(specs)).toEqual([]);
  });
});

describe('a name', () => {
  it.each([
    ['orders.lookup', false],
    ['orders.items.lookup', false],
    ['lookup', true],
    ['lookup.', true],
    ['.lookup', true],
  ])('%s, has no domain: %s', (name, isFound) => {
    const spec = makeSpec('a.b', '1.0.0', {
      name,
      key: toToolKey(name, '1.0.0'),
      modelName: toModelName(name),
      owner: 'StockTeam',
    });
    const codes = findFindings([spec]).map(({ code }) => code);
    expect(codes).toEqual(isFound ? ['missing_domain'] : []);
  });
});
