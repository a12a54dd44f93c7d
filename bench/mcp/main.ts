/**
 * Measures what a toolkit takes to answer MCP's calls beside servers that do the same without it.
 * Invariant: all that is compared runs interleaved, and has been seen to answer alike.
 */
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { conclude, type Line, measure } from '../report';
import { againstSdk, manyTools, manyToolsByHand } from './in-process';
import { isNestThere, NEST, overHttp } from './over-http';
import { shapeOf } from './servers';

const HELP = `npm run -s bench:mcp [-- --with-nest]

Measures the CPU time that a request takes of a toolkit served over MCP, in units of what it takes of a server written
by hand on the same SDK with zod: through handler.fetch in process, and over HTTP on the loopback, where other
servers stand beside; and what a thousand tools take of a toolkit in units of one. Each figure is the median of the
rounds' ratios, with their quartiles; exit code 1 when one misses its target.

  --with-nest  installs NestJS and @rekog/mcp-nest into build/nest, and measures them too`;

const NAMES = ['S', 'M', 'L'];

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(HELP);
    return;
  }
  if (process.argv.includes('--with-nest')) {
    cpSync(join(__dirname, '../../../bench/mcp/nest'), NEST, { recursive: true });
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: NEST, stdio: 'inherit' });
  }
  const lines: Line[] = [];
  for (const name of NAMES) {
    lines.push(...(await measure(() => againstSdk(shapeOf(name)))));
  }
  lines.push(...(await measure(() => manyTools(shapeOf('S')))));
  lines.push(...(await measure(() => manyToolsByHand(shapeOf('S')))));
  for (const name of NAMES) {
    lines.push(...(await measure(() => overHttp(shapeOf(name)))));
  }
  if (!isNestThere()) console.log('@rekog/mcp-nest is not installed; --with-nest installs and measures it');
  conclude(lines);
}

void main();
