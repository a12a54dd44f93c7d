#!/usr/bin/env node
/**
 * The program `toolcrib`.
 * Invariant: it ends when the run has ended, with the run's exit code, whatever the configuration or a tool
 * left open or threw beside it, and with all output written.
 */
import { reasonOf } from '../errors/reason';
import { scrubText } from '../invocation/scrub';
import type { Io } from './io';
import { run } from './program';
import { servingProcess } from './serve/process';
import { oneLine } from './text';

const argv = process.argv.slice(2);
const io: Io = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  stdin: () => process.stdin,
  cwd: process.cwd(),
  env: process.env,
  serving: servingProcess(argv),
};
let isEnded = false;

function end(exitCode: number): void {
  isEnded = true;
  // What cannot be written is told a turn later, and a pipe takes what was written later still.
  setImmediate(() => process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode))));
}

// The run has a result of its own: a tool may have acted by now, and what was opened is yet to be closed.
process.on('uncaughtException', (error) => {
  io.stderr(`toolcrib: thrown beside the run: ${oneLine(scrubText(reasonOf(error)))}\n`);
});
process.on('exit', () => {
  if (isEnded) return;
  io.stderr('toolcrib: the configuration or a tool ended the process\n');
  process.exitCode = 2;
});
process.stdout.on('error', (error) => {
  isEnded = true;
  // A reader that has seen enough, such as head, is no failure.
  if ('code' in error && error.code === 'EPIPE') return;
  process.stderr.write(`toolcrib: the output cannot be written: ${error.message}\n`);
  process.exit(2);
});
process.stderr.on('error', () => {});

// Standard output is for the answer alone, whatever a tool logs.
for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error;

void run(argv, io).then(end);
