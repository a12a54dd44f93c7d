/**
 * Finds where a trail ends, and holds it to a head that is known.
 * Invariant: it reads from the end as far as it has to, and goes by nothing that is not in the files.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { AuditHead } from '../contract/audit';
import { EMPTY_HEAD, readLine } from '../invocation/audit/chain';
import { AuditError } from './audit-error';
import { readHead, rotatedFiles } from './files';

const LINE_FEED = 0x0a;
const CHUNK = 65_536;
const MEND = 'Keep the files as they are, find out who changed them, and begin a new trail in another place.';

/** The end of a trail. */
export interface TrailEnd {
  readonly head: AuditHead;
  /** How many bytes the whole lines of the file take; undefined where it is not there. */
  readonly size: number | undefined;
}

interface Line {
  readonly bytes: Buffer;
  /** Where it ends in the file, with its line feed. */
  readonly end: number;
}

/** The whole lines of a file, the last one first. */
function* linesFromEnd(file: string): Generator<Line> {
  const fd = openSync(file, 'r');
  try {
    let tail = Buffer.alloc(0);
    for (let from = fstatSync(fd).size; from > 0; ) {
      const length = Math.min(CHUNK, from);
      from -= length;
      const chunk = Buffer.alloc(length);
      readSync(fd, chunk, 0, length, from);
      tail = Buffer.concat([chunk, tail]);
      for (let end = tail.lastIndexOf(LINE_FEED); end >= 0; end = tail.lastIndexOf(LINE_FEED)) {
        const before = end === 0 ? -1 : tail.lastIndexOf(LINE_FEED, end - 1);
        // It may have begun before.
        if (before < 0 && from > 0) break;
        yield { bytes: tail.subarray(before + 1, end), end: from + end + 1 };
        tail = tail.subarray(0, before + 1);
      }
    }
  } finally {
    closeSync(fd);
  }
}

function lastLine(file: string): Line | undefined {
  for (const line of linesFromEnd(file)) return line;
  return undefined;
}

/** The sequence of the first record of a file; undefined where there is no such file or record. */
export function firstOf(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const fd = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    const bytes = chunk.subarray(0, readSync(fd, chunk, 0, CHUNK, 0));
    const [, sequence] = /"sequence":(\d{1,15})/.exec(bytes.toString('latin1')) ?? [];
    return sequence === undefined ? undefined : Number(sequence);
  } finally {
    closeSync(fd);
  }
}

function headOf(file: string, line: Buffer): AuditHead {
  const read = readLine(line);
  if (read.ok) return { sequence: read.record.sequence, hash: read.record.hash };
  const mend = 'See toolcrib audit verify, and begin a new trail in another place.';
  throw new AuditError('broken', `The last record of ${file} is not sound. ${mend}`);
}

/** The head of the files that are no longer written. */
function lastBefore(file: string): AuditHead {
  const before = rotatedFiles(file).at(-1);
  return before === undefined ? EMPTY_HEAD : headOf(before, lastLine(before)?.bytes ?? Buffer.alloc(0));
}

/**
 * Finds the end of a trail, and holds it to the head that was recorded beside, which may be older.
 *
 * @throws AuditError `broken` or `truncated`.
 */
export function endOfTrail(file: string): TrailEnd {
  // First, since another process may be writing.
  const recorded = readHead(file);
  const isThere = existsSync(file);
  const last = isThere ? lastLine(file) : undefined;
  const head = last === undefined ? lastBefore(file) : headOf(file, last.bytes);
  if (recorded !== undefined) demandWhole(file, head, recorded);
  return { head, size: isThere ? (last?.end ?? 0) : undefined };
}

/**
 * Holds the trail, of which the head was found, to one that is known: the very record has to be in it.
 *
 * @throws AuditError `truncated` where the trail ends before it, and `broken` where another record has its place.
 */
export function demandWhole(file: string, head: AuditHead, known: AuditHead): void {
  if (known.sequence > head.sequence) {
    const counts = `${file} ends at record ${head.sequence}, and ${known.sequence} were written`;
    throw new AuditError('truncated', `${counts}. ${MEND}`);
  }
  const hash = known.sequence === head.sequence ? head.hash : hashAt(file, known.sequence);
  if (hash === known.hash) return;
  throw new AuditError(
    'broken',
    `Record ${known.sequence} of ${file} is not the one that was written. ${MEND}`,
  );
}

/** The hash of the record with this sequence; undefined where there is no sound one. */
function hashAt(file: string, sequence: number): string | undefined {
  if (sequence === 0) return EMPTY_HEAD.hash;
  for (const one of [file, ...rotatedFiles(file).toReversed()]) {
    const first = firstOf(one);
    if (first === undefined || first > sequence) continue;
    for (const { bytes } of linesFromEnd(one)) {
      const read = readLine(bytes);
      if (!read.ok || read.record.sequence < sequence) return undefined;
      if (read.record.sequence === sequence) return read.record.hash;
    }
    return undefined;
  }
  return undefined;
}
