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

type Guarded = 'write' | 'end' | 'destroy' | 'destroySoon' | 'cork' | 'uncork';

/** Puts something in the place of a method; gives what undoes it. */
function replace<K extends Guarded>(name: K, by: (typeof process.stdout)[K]): () => void {
  const { stdout } = process;
  const own = stdout[name];
  stdout[name] = by;
  return () => {
    // Somebody else may have put their own in its place meanwhile.
    if (stdout[name] === by) stdout[name] = own;
  };
}

/**
 * Takes standard output away from everybody else: what they write goes to standard error, and they can neither end nor
 * hold back what the protocol writes. `console.log` and its like write through it too.
 */
export function guardStdout(): GuardedStdout {
  const { stdout, stderr } = process;
  const scrubber = new Scrubber();
  const write = stdout.write.bind(stdout);
  const redirect = (
    chunk: string | Uint8Array,
    encodingOrDone?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const heard = typeof encodingOrDone === 'function' ? encodingOrDone : done;
    return stderr.write(scrubber.text(text), heard);
  };
  const end = (...given: unknown[]) => {
    const [chunk] = given;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) redirect(chunk);
    for (const done of given) if (typeof done === 'function') queueMicrotask(() => done());
    return stdout;
  };
  const restores = [
    replace('write', redirect),
    replace('end', end),
    replace('destroy', () => stdout),
    replace('destroySoon', () => {}),
    replace('cork', () => {}),
    replace('uncork', () => {}),
  ];
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _, done) => {
      // Not the stream's default encoding, which anybody can set.
      if (typeof chunk === 'string') write(chunk, 'utf8', done);
      else write(chunk, done);
    },
  });
  return {
    protocol,
    restore: () => {
      for (const restore of restores) restore();
    },
  };
}
