/**
 * What the command line reads and writes.
 * Invariant: commands reach the process through this alone, so that a test can stand in for it.
 */

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
}
