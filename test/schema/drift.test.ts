/**
 * The promise that the package stands on: the schema that the model reads and the rules that are enforced
 * accept the same inputs, and differ from class-validator only by the closed list of stricter readings.
 * Invariant: the long form runs the same check on more classes; it differs in nothing else.
 */
import fc from 'fast-check';
import { inputContract, STRICTER_READINGS } from 'toolcrib';
import { ALL_CASES, checkCase, newTally } from './drift/check';

/** The long form sets more; fewer would not reach every reading. */
const RUNS = Math.max(300, Number(process.env.TOOLCRIB_DRIFT_RUNS ?? 0));
const PATIENCE_MS = 60_000 + RUNS * 100;

describe('schema, contract and class-validator', () => {
  it(
    `agree on ${RUNS} random DTOs, but for the stricter readings`,
    async () => {
      const tally = newTally();
      await fc.assert(
        fc.asyncProperty(ALL_CASES, (one) => checkCase(one, inputContract, tally)),
        { seed: 20260131, numRuns: RUNS },
      );
      const all = tally.accepted + tally.refused;
      expect(tally.accepted / all).toBeGreaterThan(0.1);
      expect(tally.refused / all).toBeGreaterThan(0.1);
      expect(tally.exact / all).toBeGreaterThan(0.2);
      for (const reading of tally.readings.keys()) expect(STRICTER_READINGS).toHaveProperty(reading);
      expect(tally.readings.size).toBeGreaterThanOrEqual(6);
    },
    PATIENCE_MS,
  );
});
