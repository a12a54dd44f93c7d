/**
 * A process that writes records until it is killed, and says of each that it was acknowledged.
 * Invariant: it says so by a write that is over before anything else happens.
 */
import { writeSync } from 'node:fs';
import { FileAudit } from 'toolcrib/audit';
import { eventOf } from './trails';

/** How many are written at the same time. */
const AT_ONCE = 5;

async function main([file = '', fsync = '', maxBytes = '', from = '']: readonly string[]): Promise<void> {
  const audit = await FileAudit.open({ file, fsync: fsync === 'true', maxBytes: Number(maxBytes) });
  let number = Number(from);
  const write = async (): Promise<void> => {
    for (;;) {
      number += 1;
      const own = number;
      await audit.append(eventOf(own));
      writeSync(1, `${own}\n`);
      // Lets the others, and the timers, have their turn.
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, write));
}

void main(process.argv.slice(2));
