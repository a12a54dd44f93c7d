#!/usr/bin/env node
/**
 * The program `toolcrib`.
 * Invariant: it ends when the run has ended, whatever the configuration left open, and with all output written.
 */
import type { Io } from './io';
import { run } from './program';
import { reportError } from './report-error';

const argv = process.argv.slice(2);
const io: Io = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stdin: () => process.stdin,
  cwd: process.cwd(),
  env: process.env,
};

function end(exitCode: number): void {
  // What cannot be written is told a turn later, and a pipe takes what was written later still.
  setImmediate(() => process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode))));
}

process.on('uncaughtException', (error) => end(reportError(error, io, argv)));
process.stdout.on('error', (error) => {
  // A reader that has seen enough, such as head, is no failure.
  if ('code' in error && error.code === 'EPIPE') return;
  process.stderr.write(`toolcrib: the output cannot be written: ${error.message}\n`);
  process.exit(2);
});
process.stderr.on('error', () => {});

void run(argv, io).then(end);
