/**
 * Keeps standard output for the protocol while a toolkit is served over stdio.
 * Invariant: whatever else the process writes there goes to standard error instead, with secrets masked.
 */
import { Writable } from 'node:stream';
import { Scrubber } from '../invocation/scrub';

/** Standard output as the protocol has it, and how to give it back. */
export interface GuardedStdout {
  readonly protocol: Writable;
  restore(): void;
}

/** Takes standard output away from everybody else. `console.log` and its like write through it too. */
export function guardStdout(): GuardedStdout {
  const { stdout, stderr } = process;
  const scrubber = new Scrubber();
  const own = stdout.write;
  const write = own.bind(stdout);
  const redirect = (
    chunk: string | Uint8Array,
    encodingOrDone?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const heard = typeof encodingOrDone === 'function' ? encodingOrDone : done;
    return stderr.write(scrubber.text(text), heard);
  };
  stdout.write = redirect;
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _, done) => {
      write(chunk, done);
    },
  });
  return {
    protocol,
    restore: () => {
      // Somebody else may have put their own in its place meanwhile.
      if (stdout.write === redirect) stdout.write = own;
    },
  };
}
