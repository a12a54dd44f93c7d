/**
 * Fifty clients at once call two server processes through a proxy, while one of them is stopped and killed: a few
 * calls in each run of the tests, and 20,000 where TOOLCRIB_LOAD_ROUNDS is set.
 * Invariant: the calls come from a seed, which a failure names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Application, makeApplication } from '../fixtures/installed-package';
import type { McpStormReport } from '../fixtures/load/mcp/storm';

const SEED = 7;
const IS_LONG = process.env.TOOLCRIB_LOAD_ROUNDS !== undefined;
const CALLS = IS_LONG ? 20_000 : 500;

let application: Application | undefined;
let report: McpStormReport;

function printTable({ ends, heapBefore, heapAfter, ...rest }: McpStormReport): void {
  const heap = { 'heap after / before': (heapAfter / heapBefore).toFixed(3) };
  const counted = Object.entries(rest).map(([what, figure]) => [
    what,
    Array.isArray(figure) && what !== 'exits' ? figure.length : String(figure),
  ]);
  console.table({ ...Object.fromEntries(counted), ...ends, ...heap });
}

beforeAll(() => {
  application = makeApplication();
  for (const file of ['clients.ts', 'proxy.ts', 'server.ts', 'storm.ts', 'tools.ts']) {
    application.write(file, readFileSync(join(__dirname, '../fixtures/load/mcp', file), 'utf8'));
  }
  application.compile();
  report = JSON.parse(application.run('storm.js', [], [SEED, CALLS].map(String)));
  if (IS_LONG) printTable(report);
}, 600_000);

afterAll(() => application?.remove());

it('answers every call, or refuses it with 502 or 503', () => {
  expect(report.unanswered).toEqual([]);
  expect(report.calls).toBeGreaterThanOrEqual(CALLS);
  expect(Object.values(report.ends).reduce((sum, count) => sum + count, 0)).toBe(report.calls);
  const refused = Object.keys(report.ends).filter((end) => end.startsWith('refused'));
  expect(['refused 502', 'refused 503']).toEqual(expect.arrayContaining(refused));
  expect(report.ends.answered).toBeGreaterThan(0.5 * report.calls);
});

it('answers nobody what another has asked', () => {
  expect(report.misdirected).toEqual([]);
});

it('charges no order twice, and none that it says it has charged not at all', () => {
  expect(report.chargedTwice).toEqual([]);
  expect(report.unfounded).toEqual([]);
  expect(report.charged).toBeGreaterThan(0);
});

it('retains within 15 in a hundred of the heap that it had', () => {
  expect(report.heapAfter).toBeLessThanOrEqual(1.15 * report.heapBefore);
});

it('ends by itself when it is told to stop, with nothing unhandled', () => {
  expect(report.faults).toEqual([]);
  expect(report.exits).toEqual([0, 0, 0]);
});
