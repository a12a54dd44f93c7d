/**
 * A folder of exported files.
 * Invariant: every file in it is whole: new content is first written beside the old, and nothing is replaced
 * before all of it stands.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { hasCode, reasonOf } from '../../errors/reason';
import { CliError } from '../cli-error';

/** One file of an export. */
export interface ExportFile {
  readonly name: string;
  readonly text: string;
}

/** How a folder differs from an export; each list holds file names. */
export interface Comparison {
  readonly current: readonly string[];
  readonly stale: readonly string[];
  readonly missing: readonly string[];
  /** Files of the export's kind that no tool makes. */
  readonly unexpected: readonly string[];
}

/** Reads what may be missing. */
function read<T>(folder: string, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new CliError('unusable_folder', `${folder} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

/**
 * Compares a folder with an export, byte by byte. A folder that is not there holds nothing.
 *
 * @throws CliError `unusable_folder` when it cannot be read.
 */
export function compareFolder(folder: string, files: readonly ExportFile[], extension: string): Comparison {
  const present = read(folder, () => readdirSync(folder)) ?? [];
  const compared = files.map(({ name, text }) => {
    const found = read(folder, () => readFileSync(join(folder, name)));
    if (found === undefined) return { name, state: 'missing' };
    return { name, state: found.equals(Buffer.from(text)) ? 'current' : 'stale' };
  });
  const namesOf = (state: string) => compared.filter((one) => one.state === state).map(({ name }) => name);
  const expected = new Set(files.map(({ name }) => name));
  return {
    current: namesOf('current'),
    stale: namesOf('stale'),
    missing: namesOf('missing'),
    unexpected: present.filter((name) => extname(name) === extension && !expected.has(name)).sort(),
  };
}

function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  // Not recursive: Node's own recursion never ends where a file system takes no folders, such as /proc.
  mkdirSync(folder);
}

/**
 * Writes files into a folder, which is made when it is missing.
 *
 * @throws CliError `unusable_folder` when it cannot be written to; no file is then half-written.
 */
export function writeFolder(folder: string, files: readonly ExportFile[]): void {
  const drafts: { readonly from: string; readonly to: string }[] = [];
  try {
    makeFolder(folder);
    for (const { name, text } of files) {
      const from = join(folder, `.${randomUUID()}.tmp`);
      drafts.push({ from, to: join(folder, name) });
      writeFileSync(from, text, { flag: 'wx' });
    }
    for (const { from, to } of drafts) renameSync(from, to);
  } catch (error) {
    for (const { from } of drafts) rmSync(from, { force: true });
    throw new CliError('unusable_folder', `${folder} cannot be written to: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}
