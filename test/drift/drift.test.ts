/**
 * The promise that the package stands on, in its short form: the schema that the model reads and the rules that
 * are enforced accept the same values, and differ from class-validator only by the closed list of readings.
 * Invariant: `npm run -s drift` runs the same code on more values and under two compilers.
 */
import { type Class, inputContract, type JsonSchema, STRICTER_READINGS } from 'toolcrib';
import { dtoWith } from '../fixtures/dto-with';
import { unmet } from './expectations';
import { coveredDecorators, exportedDecorators, FORMS, MORE_FORMS } from './forms/all';
import { askValidator } from './judge';
import { disagreementsOf, tableOf, verdictOf } from './print';
import { allowedOf, mergeShares, type ShareReport, totalOf } from './report';
import { runShare, type ShareOptions } from './share';
import { forget } from './spec';
import { ORDERED_PAIRS, PAIRS } from './stacking';

const PATIENCE_MS = 120_000;
const SEED = 20260131;
const quiet: Omit<ShareOptions, 'pairs'> = {
  build: 'jest',
  seed: SEED,
  subject: inputContract,
  progress: () => {},
};

/** A contract whose schema and gate take whatever the sound ones refuse on text. */
function careless(cls: Class<object>): ReturnType<ShareOptions['subject']> {
  const contract = inputContract(cls);
  const schema: JsonSchema = { type: 'object' };
  return { ...contract, schema, parse: async (value) => ({ ok: true, value: Object(value), json: null }) };
}

describe('the forms', () => {
  it('are those of every property decorator that class-validator exports', () => {
    expect(coveredDecorators()).toEqual(exportedDecorators());
    expect(exportedDecorators()).toHaveLength(113);
    expect(FORMS).toHaveLength(178);
    expect(new Set(FORMS.map(({ name }) => name)).size).toBe(178);
  });

  it('are stacked in both orders', () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(335);
    expect(ORDERED_PAIRS).toHaveLength(2 * PAIRS.length);
  });

  it('have samples that class-validator accepts', async () => {
    const refused: string[] = [];
    for (const { name, decorate, accepted } of [...FORMS, ...MORE_FORMS]) {
      const cls = dtoWith(...decorate());
      for (const v of accepted) {
        const { verdict } = await askValidator(cls, JSON.parse(JSON.stringify({ v })));
        if (verdict !== 'accepts') refused.push(`${name} ${JSON.stringify(v)}`);
      }
      forget([cls]);
    }
    expect(refused).toEqual([]);
  });
});

describe('schema, contract and class-validator', () => {
  let report: ShareReport;
  beforeAll(async () => {
    report = await runShare({ ...quiet, pairs: 12_000 });
  }, PATIENCE_MS);

  it('agree on every form, every ordered pair and composed DTOs, but for the closed list', () => {
    expect(disagreementsOf(report)).toEqual([]);
    expect(verdictOf(report)).toMatch(/^disagreements: 0 over \d+ pairs$/);
  });

  it('are asked about values of which class-validator accepts a quarter', () => {
    const { pairs, accepted } = totalOf(report);
    expect(pairs).toBeGreaterThanOrEqual(12_000);
    expect(accepted / pairs).toBeGreaterThan(0.25);
  });

  it('differ by readings of the closed list alone, and by most of them', () => {
    const names = allowedOf(totalOf(report).allowed)
      .map(([name]) => name)
      .filter((name) => name !== 'validator_only');
    for (const name of names) expect(STRICTER_READINGS).toHaveProperty(name);
    expect(names.length).toBeGreaterThanOrEqual(6);
  });

  it('are reported form by form', () => {
    const table = tableOf(report);
    for (const { name } of FORMS) expect(table.some((line) => line.startsWith(name))).toBe(true);
  });

  it('give the counts that a proof needs, and fewer values do not', () => {
    expect(unmet(report, 12_000)).toEqual([]);
    expect(unmet(report, 10 ** 9)).toHaveLength(1);
  });

  it('lose nothing when two shares are merged', () => {
    const twice = mergeShares(report, { ...report, build: 'other' });
    expect(totalOf(twice).pairs).toBe(2 * totalOf(report).pairs);
    expect(twice.stacked.dtos).toBe(report.stacked.dtos);
    const alone = report.alone.map((form) => ({ ...form, grade: 'refused' as const }));
    expect(mergeShares(report, { ...report, alone }).disagreements.length).toBeGreaterThan(0);
  });
});

describe('a contract that takes everything', () => {
  it(
    'is found out',
    async () => {
      const report = await runShare({ ...quiet, pairs: 2_000, subject: careless });
      expect(totalOf(report).disagreements).toBeGreaterThan(1_000);
      expect(disagreementsOf(report)[0]).toMatch(/^disagreement: /);
    },
    PATIENCE_MS,
  );
});
