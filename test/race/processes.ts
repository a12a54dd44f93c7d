/**
 * Processes that take part in races.
 * Invariant: a process that ends early fails whoever waits for it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answers, Racer } from './race';
import type { StoreAddress } from './stores';
import type { WorkerMessage } from './worker';

interface Waiting {
  readonly resolve: (answers: Answers) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a process that takes part; settles when it is ready. */
export function startRacer(address: StoreAddress): Promise<Racer> {
  const child: ChildProcess = fork(join(__dirname, 'worker.js'), [JSON.stringify(address)]);
  const waiting = new Map<string, Waiting>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.on('message', (message: WorkerMessage) => {
      if ('ready' in message) resolve({ race, close });
      else {
        waiting.get(message.reference)?.resolve(message);
        waiting.delete(message.reference);
      }
    });
    child.once('exit', (code) => {
      const error = new Error(`a process ended with ${code}`);
      reject(error);
      for (const one of waiting.values()) one.reject(error);
    });
    const race: Racer['race'] = (share) =>
      new Promise((resolve, reject) => {
        waiting.set(share.reference, { resolve, reject });
        child.send(share);
      });
    const close = async () => {
      child.send('end');
      await ended;
    };
  });
}
