/**
 * The files of one trail: the one that is written, those that it was before, and the head beside.
 * Invariant: in the order in which they are listed, their lines are the trail.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { AuditHead } from '../contract/audit';
import { AuditError } from './audit-error';

/** How many digits name the first record of a file that is no longer written. */
const DIGITS = 12;
const LINE_FEED = 0x0a;
const CHUNK = 65_536;

function partsOf(file: string): { readonly folder: string; readonly stem: string; readonly ending: string } {
  const ending = extname(file);
  return { folder: dirname(file), stem: basename(file, ending), ending };
}

/** The name that a file gets when the next one begins, by the sequence of its first record. */
export function rotatedName(file: string, first: number): string {
  const { folder, stem, ending } = partsOf(file);
  return join(folder, `${stem}.${String(first).padStart(DIGITS, '0')}${ending}`);
}

/** The files of a trail that are no longer written, the oldest first. */
export function rotatedFiles(file: string): readonly string[] {
  const { folder, stem, ending } = partsOf(file);
  const isRotated = (name: string) => {
    const middle = name.slice(stem.length + 1, name.length - ending.length);
    return name === `${stem}.${middle}${ending}` && /^\d{12,}$/.test(middle);
  };
  const byNumber = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);
  return readdirSync(folder)
    .filter(isRotated)
    .sort(byNumber)
    .map((name) => join(folder, name));
}

/** The file that the head is recorded in. */
function headFile(file: string): string {
  return `${file}.head`;
}

/** Writes a head as text, as commands and head files have it: `sequence:hash`. */
export function toHeadText({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hash}`;
}

/** Reads a head from text; undefined where it is none. */
export function fromHeadText(text: string): AuditHead | undefined {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: Number(sequence), hash };
}

/**
 * The head that was recorded beside a file; undefined where there is none.
 *
 * @throws AuditError `broken` where what stands there is no head.
 */
export function readHead(file: string): AuditHead | undefined {
  const path = headFile(file);
  if (!existsSync(path)) return undefined;
  const head = fromHeadText(readFileSync(path, 'utf8'));
  if (head !== undefined) return head;
  throw new AuditError(
    'broken',
    `${path} holds no head. Verify the trail with a head that was kept elsewhere, and move the file away.`,
  );
}

/** Records a head beside a file, whole or not at all. */
export function writeHead(file: string, head: AuditHead): void {
  const path = headFile(file);
  writeFileSync(`${path}.new`, `${toHeadText(head)}\n`);
  renameSync(`${path}.new`, path);
}

/** The end of a file. */
export interface FileEnd {
  /** How many bytes its whole lines take. */
  readonly size: number;
  /** The last whole line, without the line feed; undefined where there is none. */
  readonly last: Buffer | undefined;
}

/** Finds the last whole line of a file, from its end; undefined where there is no file. */
export function endOf(file: string): FileEnd | undefined {
  if (!existsSync(file)) return undefined;
  const fd = openSync(file, 'r');
  try {
    let tail = Buffer.alloc(0);
    for (let from = fstatSync(fd).size; from > 0; ) {
      const length = Math.min(CHUNK, from);
      from -= length;
      const chunk = Buffer.alloc(length);
      readSync(fd, chunk, 0, length, from);
      tail = Buffer.concat([chunk, tail]);
      const end = tail.lastIndexOf(LINE_FEED);
      const before = end <= 0 ? -1 : tail.lastIndexOf(LINE_FEED, end - 1);
      if (end >= 0 && (before >= 0 || from === 0)) {
        return { size: from + end + 1, last: tail.subarray(before + 1, end) };
      }
    }
    return { size: 0, last: undefined };
  } finally {
    closeSync(fd);
  }
}

/** The sequence of the first record of a file; undefined where it is empty, or that cannot be read. */
export function firstOf(file: string): number | undefined {
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
