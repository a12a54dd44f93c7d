/**
 * Named checks, run in their order.
 * Invariant: each is counted once, a failure stops none of the others, and an empty list is a failure.
 */
import { writeFileSync } from 'node:fs';

/** What a run of checks found. */
export interface Report {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly name: string; readonly error: string }[];
}

/** One check; it fails by throwing. */
export type Check = readonly [name: string, run: () => unknown];

/** Runs checks and writes the report as JSON. */
export async function runChecks(checks: readonly Check[], file: string): Promise<Report> {
  const passed: string[] = [];
  const failed: { name: string; error: string }[] = [];
  for (const [name, run] of checks) {
    try {
      await run();
      passed.push(name);
    } catch (error) {
      failed.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
  if (checks.length === 0) failed.push({ name: 'there are checks', error: 'there are none' });
  const report: Report = { passed, failed };
  writeFileSync(file, JSON.stringify(report));
  return report;
}
