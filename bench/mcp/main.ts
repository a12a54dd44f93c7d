/**
 * Measures what a toolkit takes to answer MCP's calls beside servers that do the same without it.
 * Invariant: all that is compared runs interleaved, and has been seen to answer alike.
 */
import 'reflect-metadata';
import { conclude, type Line, measure } from '../report';
import { againstSdk, manyTools, manyToolsByHand } from './in-process';
import { shapeOf } from './servers';

async function main(): Promise<void> {
  const lines: Line[] = [];
  for (const name of ['S', 'M', 'L']) {
    lines.push(...(await measure(() => againstSdk(shapeOf(name)))));
  }
  lines.push(...(await measure(() => manyTools(shapeOf('S')))));
  lines.push(...(await measure(() => manyToolsByHand(shapeOf('S')))));
  conclude(lines);
}

void main();
