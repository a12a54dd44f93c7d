/**
 * Reads the records of audit trails, for those who add them up.
 * Invariant: no record is read twice. Whether the chain of the records holds is for `toolcrib audit verify` to say.
 */
import { resolve } from 'node:path';
import { realFile } from '../../audit/files';
import { filesOf, readAudit } from '../../audit/lines';
import type { AuditRecord } from '../../contract/audit';
import { toFailure } from '../commands/audit';
import type { Io } from '../io';

async function* readDatabase(url: string): AsyncGenerator<AuditRecord> {
  // Only where there is such a trail, since the driver is an optional peer.
  const {
    PostgresAudit,
  }: typeof import('../../stores/postgres/audit') = require('../../stores/postgres/audit');
  const audit = await PostgresAudit.open({ url });
  try {
    yield* readAudit(audit.lines());
  } finally {
    await audit.close();
  }
}

/**
 * Gives the records of trails, one trail after the other.
 *
 * @param trails the files that are written, or URLs of Postgres databases; a file that a trail was rotated to may be
 * named beside it.
 * @throws CliError `unreadable_file` or `audit_failed`.
 */
export async function* readTrails(trails: readonly string[], io: Io): AsyncGenerator<AuditRecord> {
  const isUrl = (trail: string) => /^postgres(ql)?:\/\//.test(trail);
  try {
    const files = [
      ...new Set(trails.filter((trail) => !isUrl(trail)).map((file) => realFile(resolve(io.cwd, file)))),
    ];
    const rotated = new Set(files.flatMap((file) => filesOf(file).filter((one) => one !== file)));
    for (const file of files) if (!rotated.has(file)) yield* readAudit(file);
    for (const url of new Set(trails.filter(isUrl))) yield* readDatabase(url);
  } catch (error) {
    throw toFailure(error);
  }
}
