/**
 * Runs an entry point of the sample.
 * Invariant: a failure is printed in words, and ends the process with exit code 1; what was observed is sent before.
 */
import { startInstrumentation } from './instrumentation';

function reasonOf(error: unknown): string {
  // Node reports a refused connection as one error for each address, with no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Runs `main`; the promise never rejects. */
export async function run(main: () => Promise<void>): Promise<void> {
  let stop = async () => {};
  try {
    stop = await startInstrumentation();
    await main();
  } catch (error) {
    console.error(`The sample failed: ${reasonOf(error)}`);
    process.exitCode = 1;
  }
  await stop();
}
