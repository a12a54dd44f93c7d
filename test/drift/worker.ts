/**
 * The process that runs one share of the proof, under the build that compiled this file.
 * Invariant: it tells its parent of its progress, and last of all the report.
 */
import { inputContract } from 'toolcrib';
import { runShare } from './share';

/** What a worker tells its parent. */
export type WorkerMessage =
  | { readonly progress: string }
  | { readonly report: Awaited<ReturnType<typeof runShare>> };

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });
}

async function main(): Promise<void> {
  const [build = '', seed = '', pairs = ''] = process.argv.slice(2);
  const report = await runShare({
    build,
    seed: Number(seed),
    pairs: Number(pairs),
    subject: inputContract,
    progress: (progress) => void tell({ progress }),
  });
  await tell({ report });
  process.disconnect?.();
}

// A parent that has failed wants no report.
process.once('disconnect', () => process.exit());
void main();
