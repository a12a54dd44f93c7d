/**
 * The process of a command that serves: signals, and the sealed process that speaks a protocol over stdio.
 * Invariant: in a sealed process nothing reaches the client but what is written to its own stream: standard output is
 * standard error there, for native code and for child processes too, and standard input is empty.
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import type { ServingProcess } from '../io';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What tells a process that it is a sealed one. */
export const SEALED = '--sealed';

/** Where a sealed process has the streams of its client. */
const INPUT = 3;
const OUTPUT = 4;

/** What shells make of a signal that ended a process. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Calls back at each signal that asks to end. */
function onSignals(asked: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.on(signal, asked);
}

function onStop(stop: () => void): void {
  let isAsked = false;
  onSignals((signal) => {
    if (isAsked) {
      // As if nobody had heard it.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    isAsked = true;
    stop();
  });
}

/**
 * A terminal signals to a whole group of processes, and the one in front hands each signal on: two are not two wishes
 * here. The one in front ends a sealed process at once where that is wanted.
 */
function onStopSealed(stop: () => void): void {
  onSignals(stop);
  process.once('disconnect', stop);
  if (!process.connected) stop();
}

function runSealed(command: readonly string[], argv: readonly string[]): Promise<number> {
  const [runtime = '', ...args] = command;
  const stdio = ['ignore', 2, 2, 0, 1, 'ipc'] as const;
  const child = spawn(runtime, [...args, ...argv, SEALED], { stdio: [...stdio] });
  let asked: NodeJS.Signals | undefined;
  onSignals((signal) => {
    child.kill(asked === undefined ? signal : 'SIGKILL');
    asked = signal;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(asked ?? signal ?? 'SIGKILL')));
  });
}

function isPipe(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket();
}

function openInput(): Readable {
  if (isatty(INPUT)) return new ReadStream(INPUT);
  if (isPipe(INPUT)) return new Socket({ fd: INPUT, readable: true, writable: false });
  return createReadStream('', { fd: INPUT });
}

function openOutput(): Writable {
  if (isPipe(OUTPUT)) return new Socket({ fd: OUTPUT, readable: false, writable: true });
  return createWriteStream('', { fd: OUTPUT });
}

/** The process that this program runs in. */
export function servingProcess(argv: readonly string[]): ServingProcess {
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)];
  return {
    command,
    onStop: argv.includes(SEALED) ? onStopSealed : onStop,
    runSealed: (given) => runSealed(command, given),
    openSealed: () => ({ input: openInput(), output: openOutput() }),
  };
}
