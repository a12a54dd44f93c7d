/**
 * Kills processes in the midst of calls.
 * Invariant: a run counts only where its process was ended by SIGKILL.
 */
import { fork } from 'node:child_process';
import type { Order } from './child';

/** What came of a run. */
export interface Killed {
  readonly point: string;
  readonly reference: string;
  /** What the process had told before it was killed, as JSON. */
  readonly acknowledged: string | undefined;
}

/** Starts a process for an order and settles when it was killed. */
export function runAndKill(child: string, order: Order): Promise<Killed> {
  const process = fork(child, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let acknowledged: string | undefined;
  process.on('message', (message) => {
    if (message === 'ready') process.send(order);
    else acknowledged = JSON.stringify(message);
  });
  return new Promise((resolve, reject) => {
    process.once('error', reject);
    process.once('close', (code, signal) => {
      const { point, reference } = order;
      if (signal === 'SIGKILL') resolve({ point, reference, acknowledged });
      else reject(new Error(`a process was not killed at "${point}", but ended with ${code ?? signal}`));
    });
  });
}
