/**
 * Reads the lines of a trail from its files.
 * Invariant: it holds one line and one chunk at a time, however long the files are.
 */
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditLine, AuditRecord } from '../contract/audit';
import { readLine } from '../invocation/audit/chain';
import { AuditError } from './audit-error';
import { realFile, rotatedFiles } from './files';

const LINE_FEED = 0x0a;
/** No record is longer; of a longer line no more is kept. */
const MAX_LINE = 1_048_576;
const CHUNK = 65_536;
/** How often, and how long each time in milliseconds, the rest of an unfinished last line is waited for. */
const MAX_WAITS = 2;
const WAIT_MS = 10;

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

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

/** Reads the lines of an open file. The writer may be in the midst of the last one, or take it back. */
async function* linesOf(handle: FileHandle, file: string): AsyncGenerator<AuditLine> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let kept: Buffer = Buffer.alloc(0);
  let line = 1;
  let position = 0;
  for (let waits = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, position);
    if (bytesRead === 0) {
      if (kept.length === 0) return;
      if (waits === MAX_WAITS) break;
      waits += 1;
      await pause(WAIT_MS);
      if ((await handle.stat()).size >= position) continue;
      position -= kept.length;
      kept = Buffer.alloc(0);
      continue;
    }
    position += bytesRead;
    let from = 0;
    const read = chunk.subarray(0, bytesRead);
    for (let end = read.indexOf(LINE_FEED); end >= 0; end = read.indexOf(LINE_FEED, from)) {
      yield { bytes: Buffer.concat([kept, read.subarray(from, end)]), file, line, isComplete: true };
      kept = Buffer.alloc(0);
      line += 1;
      from = end + 1;
    }
    if (kept.length <= MAX_LINE) kept = Buffer.concat([kept, read.subarray(from)]);
  }
  yield { bytes: kept, file, line, isComplete: false };
}

/** Undefined between the moment when a file is put aside and that when the next one begins. */
async function openedFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Reads the lines of a trail, over all of its files, up to the end of that which is current now. It may be put aside
 * meanwhile; it stays open, so that none is left out.
 */
export async function* auditLines(path: string): AsyncGenerator<AuditLine> {
  const file = realFile(path);
  filesOf(file);
  const current = await openedFile(file);
  try {
    const last = await current?.stat();
    let isRead = false;
    for (const one of rotatedFiles(file)) {
      const handle = await open(one);
      try {
        const { dev, ino } = await handle.stat();
        if (dev === last?.dev && ino === last.ino) isRead = true;
        yield* linesOf(handle, one);
      } finally {
        await handle.close();
      }
    }
    if (current !== undefined && !isRead) yield* linesOf(current, file);
  } finally {
    await current?.close();
  }
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
