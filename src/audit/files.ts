/**
 * The files of one trail: the one that is written, those that it was before, and the head beside.
 * Invariant: in the order in which they are listed, their lines are the trail.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { AuditHead } from '../contract/audit';
import { EMPTY_HEAD } from '../invocation/audit/chain';
import { AuditError } from './audit-error';

/** How many digits name the first record of a file that is no longer written. */
const DIGITS = 12;
const HASH = /^[0-9a-f]{64}$/;

/** The one name of a file that may have several by symbolic links; what is not there yet is named by its folder. */
export function realFile(path: string): string {
  const file = resolve(path);
  if (existsSync(file)) return realpathSync(file);
  return existsSync(dirname(file)) ? join(realpathSync(dirname(file)), basename(file)) : file;
}

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

/** Whether something is a head: a sequence from 0, and a hash, which of 0 is that of an empty trail. */
export function isHead(value: unknown): value is AuditHead {
  if (typeof value !== 'object' || value === null) return false;
  if (!('sequence' in value && 'hash' in value)) return false;
  const { sequence, hash } = value;
  const isPlace = typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0;
  if (!isPlace || typeof hash !== 'string' || !HASH.test(hash)) return false;
  return sequence > 0 || hash === EMPTY_HEAD.hash;
}

/** Reads a head from text; undefined where it is none. */
export function fromHeadText(text: string): AuditHead | undefined {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  const head = { sequence: Number(sequence), hash };
  return isHead(head) ? head : undefined;
}

/**
 * The head that was recorded beside a file; undefined where there is none, or the machine lost its power before the
 * disk had it.
 *
 * @throws AuditError `broken` where what stands there is no head.
 */
export function readHead(file: string): AuditHead | undefined {
  const path = headFile(file);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  if (/^\0*$/.test(text)) return undefined;
  const head = fromHeadText(text);
  if (head !== undefined) return head;
  throw new AuditError(
    'broken',
    `${path} holds no head. Verify the trail with a head that was kept elsewhere, and move the file away.`,
  );
}

/** Records a head beside a file, whole or not at all; with fsync also where the machine loses its power. */
export function writeHead(file: string, head: AuditHead, { fsync }: { readonly fsync: boolean }): void {
  const path = headFile(file);
  const fd = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(fd, `${toHeadText(head)}\n`);
    if (fsync) fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.new`, path);
}
