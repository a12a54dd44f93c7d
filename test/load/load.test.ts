/**
 * A thousand calls at once over fifty tools with injected faults, in a process of its own: a few rounds in each
 * run of the tests, and many where TOOLCRIB_LOAD_ROUNDS says so.
 * Invariant: the calls come from a seed, which a failure names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Application, makeApplication } from '../fixtures/installed-package';
import type { StormReport } from '../fixtures/load/storm';

const SEED = 5;
const WARM_UP = process.env.TOOLCRIB_LOAD_ROUNDS === undefined ? 4 : 8;
const ROUNDS = Number(process.env.TOOLCRIB_LOAD_ROUNDS ?? 4);

let application: Application | undefined;
let report: StormReport;

beforeAll(() => {
  application = makeApplication();
  for (const file of ['faults.ts', 'storm.ts']) {
    application.write(file, readFileSync(join(__dirname, '../fixtures/load', file), 'utf8'));
  }
  application.compile();
  const numbers = [SEED, WARM_UP, ROUNDS].map(String);
  report = JSON.parse(application.run('storm.js', ['--expose-gc'], numbers));
}, 600_000);

afterAll(() => application?.remove());

it('answers every call with one well-formed envelope that leaks nothing', () => {
  expect(report.malformed).toEqual([]);
  expect(Object.values(report.codes).reduce((sum, count) => sum + count, 0)).toBe(report.calls);
  expect(report.calls).toBe((WARM_UP + ROUNDS) * 1_000);
});

it('has seen every way in which a call can end', () => {
  expect(Object.keys(report.codes).sort()).toEqual([
    'cancelled',
    'done',
    'insufficient_scope',
    'internal_error',
    'invalid_input',
    'invalid_output',
    'load_failed',
    'outcome_unknown',
    'rate_limited',
    'retry_refused',
    'timeout',
    'unavailable',
  ]);
});

it('never runs more handlers of a tool at once than its bound, and as many as that', () => {
  expect(report.concurrency).toHaveLength(50);
  expect(report.concurrency.map(({ most }) => most)).toEqual(report.concurrency.map(({ bound }) => bound));
});

it('leaves nothing unhandled, no warning, and no timer', () => {
  expect(report.unhandled).toEqual([]);
  expect(report.left).toEqual([]);
});

it('retains within a tenth of the heap that it had', () => {
  expect(report.heapAfter).toBeLessThanOrEqual(1.1 * report.heapBefore);
});
