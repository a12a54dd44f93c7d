/**
 * The sample's grants, as `npm run toolcrib -- audit permissions --grants samples/grants.json` reviews them.
 * Invariant: they say of every principal what its token gives.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviewPermissions, toGrants } from 'toolcrib/audit';
import { principalsFromEnvironment } from '../../samples/principals';
import { openSampleApp } from '../fixtures/sample-app';

const FILE = join(__dirname, '../../samples/grants.json');

it('are those of the tokens, and nothing in them has to be mended', async () => {
  const grants = toGrants(JSON.parse(readFileSync(FILE, 'utf8')));
  const app = await openSampleApp();
  const report = await reviewPermissions({ toolkit: app.toolkit, grants });
  await app.close();
  const held = report.principals.map(({ principal: id, scopes }) => ({ id, scopes }));
  const known = [...principalsFromEnvironment({}).values()].map(({ id, scopes }) => ({
    id,
    scopes: [...scopes].sort(),
  }));
  expect(held).toEqual(known.sort((one, other) => (one.id < other.id ? -1 : 1)));
  expect(report.summary.findings).toMatchObject({ high: 0, medium: 0 });
  expect(report.findings.map(({ code, tool, principal }) => [code, tool ?? principal])).toEqual([
    ['holds_everything', 'manager'],
    ['open_tool', 'math.calculator@1.0.0'],
  ]);
});
