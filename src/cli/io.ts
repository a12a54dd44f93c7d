/**
 * What the command line reads and writes.
 * Invariant: commands reach the process through this alone, so that a test can stand in for it.
 */
import type { Readable, Writable } from 'node:stream';

/** What a command that goes on until it is asked to end needs of its process. */
export interface ServingProcess {
  /** What starts the program again: the runtime, its options, and the script. */
  readonly command: readonly string[];
  /** Hears the first signal that asks to end; a second one ends the process at once. */
  onStop(stop: () => void): void;
  /** Runs the program in a process whose standard input and output are nobody's, and gives its exit code. */
  runSealed(argv: readonly string[]): Promise<number>;
  /** In that process: what is standard input and output for whoever started the program. */
  openSealed(): { readonly input: Readable; readonly output: Writable };
}

/** The world outside of a run. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether standard error is a terminal, where somebody waits; left out: it is none. */
  readonly isTerminal?: boolean;
  /** Opens standard input. */
  readonly stdin: () => AsyncIterable<string | Uint8Array>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly serving: ServingProcess;
}
