/**
 * Which version a name and a range stand for.
 * Invariant: the precedence is SemVer's, and a prerelease counts only where the range names one.
 */
import * as fc from 'fast-check';
import semver from 'semver';
import { ToolRegistry } from 'toolcrib';
import { forAll } from '../fixtures/for-all';
import { makeSpec } from '../fixtures/hand-made-spec';

function fill(...versions: readonly string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const version of versions) registry.register(makeSpec('report', version));
  return registry;
}

const number = fc.constantFrom(0, 1, 2, 9, 10, 11);
const tag = fc.constantFrom('', '-alpha', '-alpha.9', '-alpha.10', '-beta.1', '-rc.1', '-1');
const version = fc
  .tuple(number, number, number, tag)
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);
const versions = fc.uniqueArray(version, { minLength: 1, maxLength: 12 });
const range = fc.oneof(
  fc.constantFrom('*', '', 'x', '1', '^1', '~1.9', '>=1 <2', '1 || 2', '1.x', 'banana', '^', '1.0.0 - 2.0.0'),
  version,
  fc
    .tuple(fc.constantFrom('^', '~', '>', '>=', '<', '<=', '='), version)
    .map(([operator, text]) => `${operator}${text}`),
);

/** The first version, from the highest down, that satisfies a range. */
function oracle(all: readonly string[], wanted: string): string | undefined {
  return semver.rsort([...all]).find((one) => semver.satisfies(one, wanted));
}

describe('resolve', () => {
  const report = () => fill('1.9.0', '1.10.0', '2.0.0-beta.1', '1.2.3-alpha.9', '1.2.3-alpha.10');

  it('VER-01: puts 1.10.0 above 1.9.0', () => {
    expect(report().resolve('report')?.version).toBe('1.10.0');
    expect(report().resolve('report@^1')?.version).toBe('1.10.0');
    expect(report().resolve('report', '^1')?.version).toBe('1.10.0');
    expect(report().resolve('report@1.9.0')?.version).toBe('1.9.0');
  });

  it('VER-01: puts alpha.10 above alpha.9', () => {
    expect(report().resolve('report', '1.2.3-alpha.9 - 1.2.3-alpha.99')?.version).toBe('1.2.3-alpha.10');
    expect(report().versions('report')).toEqual([
      '1.2.3-alpha.9',
      '1.2.3-alpha.10',
      '1.9.0',
      '1.10.0',
      '2.0.0-beta.1',
    ]);
  });

  it('VER-01: agrees with semver for all versions and ranges', () => {
    forAll(
      fc.tuple(versions, range),
      ([all, wanted]) => {
        expect(fill(...all).resolve('report', wanted)?.version).toBe(oracle(all, wanted));
      },
      500,
    );
  });

  it('VER-01: does not depend on the order of registration', () => {
    const orders = versions.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    forAll(orders, ([all, shuffled]) => {
      const [one, other] = [fill(...all), fill(...shuffled)];
      expect(other.versions('report')).toEqual(one.versions('report'));
      expect(other.versions('report')).toEqual(semver.sort([...all]));
      expect(other.resolve('report')?.version).toBe(one.resolve('report')?.version);
    });
  });

  it('VER-02: does not take a prerelease by default', () => {
    expect(fill('1.9.0', '2.0.0-beta.1').resolve('report')?.version).toBe('1.9.0');
    expect(fill('1.9.0', '2.0.0-beta.1').resolve('report', '>=1')?.version).toBe('1.9.0');
  });

  it('VER-02: gives nothing for a name with nothing but prereleases, whose versions still stand', () => {
    const registry = fill('1.0.0-rc.1');
    expect(registry.resolve('report')).toBeUndefined();
    expect(registry.catalog()).toEqual([]);
    expect(registry.versions('report')).toEqual(['1.0.0-rc.1']);
  });

  it('VER-02: gives a prerelease that is asked for, by its key or by a range that names one', () => {
    const registry = fill('1.9.0', '2.0.0-beta.1', '2.0.0-beta.2');
    expect(registry.resolve('report@2.0.0-beta.1')?.version).toBe('2.0.0-beta.1');
    expect(registry.get('report@2.0.0-beta.1')?.version).toBe('2.0.0-beta.1');
    expect(registry.resolve('report', '^2.0.0-beta.1')?.version).toBe('2.0.0-beta.2');
  });

  it('VER-02: takes no prerelease by default, whatever versions there are', () => {
    forAll(versions, (all) => {
      const found = fill(...all).resolve('report')?.version;
      expect(found === undefined ? null : semver.prerelease(found)).toBeNull();
      expect(found === undefined).toBe(all.every((one) => semver.prerelease(one) !== null));
    });
  });

  it.each(['nothing', 'Report', 'report.more', '', '@', 'toString', '__proto__', 'constructor'])(
    'gives nothing for a name that is not there: %p',
    (name) => {
      expect(report().resolve(name)).toBeUndefined();
      expect(report().versions(name)).toEqual([]);
    },
  );

  it.each(['banana', '1.0.0.0', '>', '^1 ^', '@1'])(
    'gives nothing for a range that is none: %p',
    (wanted) => {
      expect(report().resolve('report', wanted)).toBeUndefined();
      expect(report().resolve(`report@${wanted}`)).toBeUndefined();
    },
  );
});
