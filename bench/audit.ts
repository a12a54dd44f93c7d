/**
 * Measures what an audit trail in a file adds to a call.
 * Invariant: every measured call writes its beginning and its end, and the trail is whole afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileAudit, verifyAudit } from 'toolcrib/audit';
import { type Candidate, extra, race } from './harness';
import { type Handler, measured } from './measured-tool';
import type { Line } from './report';
import type { Shape } from './shapes';

const MOST_ADDED = 0.3;

/** What is added where every call is recorded, and for information where none has to be. */
export async function auditedCalls(
  { dto, name, good }: Shape,
  langchain: Candidate,
  handler: Handler,
): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
  const file = join(folder, 'audit.jsonl');
  const sink = await FileAudit.open({ file });
  const layer = { audit: { sink } };
  const rounds = await race(
    {
      langchain,
      bare: await measured(dto, [], handler, { kind: 'write' }),
      audited: await measured(dto, [layer], handler, { kind: 'write' }),
      bareRead: await measured(dto, [], handler),
      auditedRead: await measured(dto, [layer], handler),
    },
    good,
  );
  await sink.close();
  const { ok } = await verifyAudit(file);
  rmSync(folder, { recursive: true });
  if (!ok) throw new Error('the trail of the measured calls is not whole');
  return [
    {
      what: `${name} added by an audit file without fsync`,
      ratio: extra(rounds.audited, rounds.bare, rounds.langchain),
      target: MOST_ADDED,
    },
    {
      what: `${name} added by an audit file, no side effects`,
      ratio: extra(rounds.auditedRead, rounds.bareRead, rounds.langchain),
    },
  ];
}
