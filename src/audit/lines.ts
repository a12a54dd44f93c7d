/**
 * Reads the lines of a trail from its files.
 * Invariant: it holds one line and one chunk at a time, however long the files are.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AuditLine, AuditRecord } from '../contract/audit';
import { readLine } from '../invocation/audit/chain';
import { AuditError } from './audit-error';
import { realFile, rotatedFiles } from './files';

const LINE_FEED = 0x0a;
/** No record is longer; of a longer line no more is kept. */
const MAX_LINE = 1_048_576;

/**
 * The files of a trail, the oldest first.
 *
 * @throws AuditError `unusable_file` where there is none.
 */
export function filesOf(path: string): readonly string[] {
  const file = realFile(path);
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const before = existsSync(dirname(file)) ? rotatedFiles(file) : [];
  const files = [...before, ...(isThere ? [file] : [])];
  if (files.length > 0) return files;
  throw new AuditError('unusable_file', `There is no audit trail ${file}. Name the file that is written.`);
}

/** Reads the lines of one file. */
async function* linesOfFile(file: string): AsyncGenerator<AuditLine> {
  let kept: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of createReadStream(file)) {
    if (!Buffer.isBuffer(chunk)) continue;
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, end);
      const bytes = kept.length === 0 ? part : Buffer.concat([kept, part]);
      yield { bytes, file, line, isComplete: true };
      kept = Buffer.alloc(0);
      line += 1;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    if (kept.length <= MAX_LINE) kept = Buffer.concat([kept, rest]);
  }
  if (kept.length > 0) yield { bytes: kept, file, line, isComplete: false };
}

/** Reads the lines of a trail, over all of its files. */
export async function* auditLines(path: string): AsyncGenerator<AuditLine> {
  for (const file of filesOf(path)) yield* linesOfFile(file);
}

/**
 * Reads the records of a trail, the oldest first; it checks each by itself, and not that none is missing.
 *
 * @throws AuditError `broken` where a line is no sound record; see `verifyAudit`.
 */
export async function* readAudit(lines: string | AsyncIterable<AuditLine>): AsyncGenerator<AuditRecord> {
  for await (const { bytes, file, line, isComplete } of typeof lines === 'string'
    ? auditLines(lines)
    : lines) {
    // The writer may be in the midst of it.
    if (!isComplete) return;
    const read = readLine(bytes);
    if (!read.ok) {
      const where = file === undefined ? `line ${line}` : `${file}:${line}`;
      throw new AuditError('broken', `${where} is no sound record. See toolcrib audit verify.`);
    }
    yield read.record;
  }
}
