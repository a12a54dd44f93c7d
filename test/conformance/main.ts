/**
 * Runs the official conformance suite of MCP against a server written with toolcrib alone: npm run conformance
 * Invariant: the exit code is the suite's; a scenario that is not scored, but required here, counts like one that is.
 */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { startServer } from './server';

const REVISION = '2026-07-28';
/** Not scored by the suite, since its own server does not pass them. */
const ALSO_REQUIRED = [
  'json-schema-2020-12',
  'http-header-validation',
  'http-custom-header-server-validation',
];

const root = resolve(__dirname, '../../..');
const folder = join(root, 'test/conformance');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs the suite's command `server`; answers its exit code. */
async function runSuite(url: string, ...options: readonly string[]): Promise<number> {
  const preload = 'globSync' in fs ? [] : ['--import', join(folder, 'node20.mjs')];
  const child = spawn(process.execPath, [...preload, suite, 'server', '--url', url, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

async function main(): Promise<void> {
  const server = await startServer();
  const codes: number[] = [];
  try {
    const baseline = join(folder, 'baseline.yml');
    codes.push(await runSuite(server.url, '--requirements', REVISION, '--expected-failures', baseline));
    for (const scenario of ALSO_REQUIRED) {
      codes.push(await runSuite(server.url, '--scenario', scenario, '--spec-version', REVISION));
    }
  } finally {
    await server.close();
  }
  process.exitCode = codes.find((code) => code !== 0) ?? 0;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
