/**
 * Runs the official conformance suite of MCP against a server written with toolcrib alone: npm run conformance
 * Invariant: the exit code is the suite's; what is not scored, but required here, counts like what is.
 */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startServer } from './server';

const REVISION = '2026-07-28';
/** Not scored by the suite, since its own server does not pass them. */
const ALSO_REQUIRED = [
  'json-schema-2020-12',
  'http-header-validation',
  'http-custom-header-server-validation',
];
/** What must hold of scenarios that fail for other reasons, by the names of their checks. */
const REQUIRED_CHECKS = [
  'sep-2549-tools-list-caching-hints',
  'sep-2549-ttl-non-negative',
  'sep-2549-cache-scope-valid',
];

const root = resolve(__dirname, '../../..');
const folder = join(root, 'test/conformance');
const suite = join(require.resolve('@modelcontextprotocol/conformance/package.json'), '../dist/index.js');

/** Runs the suite's command `server`; answers its exit code. */
async function runSuite(url: string, ...options: readonly string[]): Promise<number> {
  const preload = 'globSync' in fs ? [] : ['--import', join(folder, 'node20.mjs')];
  const child = spawn(process.execPath, [...preload, suite, 'server', '--url', url, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** The names of the checks that the suite has found to hold. */
function passedIn(results: string): ReadonlySet<string> {
  const files = fs.readdirSync(results, { recursive: true, encoding: 'utf8' });
  const checks = files
    .filter((file) => file.endsWith('checks.json'))
    .flatMap((file): { id: string; status: string }[] =>
      JSON.parse(fs.readFileSync(join(results, file), 'utf8')),
    );
  return new Set(checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id));
}

async function main(): Promise<void> {
  const results = fs.mkdtempSync(join(tmpdir(), 'conformance-'));
  const server = await startServer();
  const codes: number[] = [];
  try {
    const baseline = join(folder, 'baseline.yml');
    const options = ['--requirements', REVISION, '--expected-failures', baseline, '--output-dir', results];
    codes.push(await runSuite(server.url, ...options));
    const passed = passedIn(results);
    const failed = REQUIRED_CHECKS.filter((id) => !passed.has(id));
    if (failed.length > 0) console.log(`required, and not passed: ${failed.join(', ')}`);
    codes.push(failed.length === 0 ? 0 : 1);
    for (const scenario of ALSO_REQUIRED) {
      codes.push(await runSuite(server.url, '--scenario', scenario, '--spec-version', REVISION));
    }
  } finally {
    await server.close();
    fs.rmSync(results, { recursive: true, force: true });
  }
  process.exitCode = codes.find((code) => code !== 0) ?? 0;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
