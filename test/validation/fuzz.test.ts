/**
 * Hostile arguments of every kind, given to contracts and through a toolkit.
 * Invariant: none throws, hangs, or changes a prototype; each ends in a verdict or in a named limit. The long form
 * takes the number of values from the environment: TOOLCRIB_FUZZ_VALUES=200000.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileOf } from './fuzz/hostile-values';
import { watchPrototypes } from './fuzz/prototypes';
import { LIMIT_MS, runFuzz, watch } from './fuzz/run-fuzz';
import { TARGETS } from './fuzz/targets';

const VALUES = Number(process.env.TOOLCRIB_FUZZ_VALUES ?? 4_000);

describe('hostile arguments', () => {
  it(`end in a verdict or in a named limit, ${VALUES} of them`, async () => {
    const report = await runFuzz(0, VALUES);
    const { milliseconds, number, kind, target } = report.slowest;
    const slowest = `slowest: ${milliseconds.toFixed(0)} ms, value ${number}, ${kind}, for ${target}`;
    process.stdout.write(`${report.values} hostile values, ${report.accepted} accepted; ${slowest}\n`);
    process.stdout.write(`refused first by: ${JSON.stringify(report.rules)}\n`);
    expect(report).toMatchObject({ faults: [], values: VALUES });
    expect(milliseconds).toBeLessThan(LIMIT_MS);
    expect(Object.keys(report.rules)).toEqual(
      expect.arrayContaining(['isJson', 'maxDepth', 'maxElements', 'maxBytes', 'maxSteps', 'isInt', 'type']),
    );
    expect(report.accepted).toBeGreaterThan(VALUES / 50);
  }, 600_000);
});

describe('what the hostile arguments are made of', () => {
  it.each(TARGETS)('$name accepts what is valid', async ({ contract, valid }) => {
    expect(await contract.parse(valid())).toMatchObject({ ok: true });
  });

  it('is the same for the same number', () => {
    const kinds = (): string[] => Array.from({ length: 200 }, (_, at) => hostileOf(at, TARGETS[0]).kind);
    expect(kinds()).toEqual(kinds());
    expect(new Set(kinds()).size).toBeGreaterThan(50);
  });

  it.each([
    ['never ends', 'for (;;);', 'value 7: took over 1000 ms'],
    ['throws', "throw new Error('lost');", 'value 7: Error: lost'],
    ['ends the thread', 'process.exit();', 'value 7: the thread ended'],
  ])(
    'is watched: one that %s is named',
    async (_, code, words) => {
      const folder = mkdtempSync(join(tmpdir(), 'toolcrib-watch-'));
      const file = join(folder, 'worker.cjs');
      writeFileSync(file, `require('node:worker_threads').workerData.inWork[0] = 7; ${code}`);
      try {
        await expect(watch(file, 0, 1, 1_000)).rejects.toThrow(words);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    30_000,
  );

  it('is watched: a changed prototype is seen', () => {
    const changed = watchPrototypes();
    expect(changed()).toEqual([]);
    Object.defineProperty(Object.prototype, 'injected', { value: 1, configurable: true });
    try {
      expect(changed()).toEqual(['Object.prototype.injected']);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'injected');
    }
    expect(changed()).toEqual([]);
  });
});
