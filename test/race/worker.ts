/**
 * A process that takes part in races.
 * Invariant: it answers each share once, and ends with its parent.
 */
import 'reflect-metadata';
import { type Answers, racer, type Share } from './race';
import type { StoreAddress } from './stores';

/** What a worker tells its parent. */
export type WorkerMessage = { readonly ready: true } | Answers;

function tell(message: WorkerMessage): void {
  process.send?.(message);
}

async function main(): Promise<void> {
  const [address = '{}'] = process.argv.slice(2);
  const store: StoreAddress = JSON.parse(address);
  const { race, close } = await racer(store);
  process.on('message', (share: Share | 'end') => {
    if (share === 'end') void close().then(() => process.disconnect?.());
    else void race(share).then(tell);
  });
  tell({ ready: true });
}

process.once('disconnect', () => process.exit());
void main();
