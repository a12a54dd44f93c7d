/**
 * Reads the records of audit files, for those who add them up.
 * Invariant: a line that is no record ends the run, since a use that is overlooked would be called none. Whether the
 * chain of the records holds is for `toolcrib audit verify` to say.
 */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { AUDIT_KINDS, type AuditEvent } from '../../contract/audit';
import { reasonOf } from '../../errors/reason';
import { CliError } from '../cli-error';
import type { Io } from '../io';
import { visible } from '../text';

const KINDS: ReadonlySet<unknown> = new Set(AUDIT_KINDS);

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** Looks at those members alone that a review reads. */
function isEvent(value: unknown): value is AuditEvent {
  if (typeof value !== 'object' || value === null) return false;
  const read = new Map<string, unknown>(Object.entries(value));
  const time = read.get('time');
  const principalId = read.get('principalId');
  const missing = read.get('missing');
  return (
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time)) &&
    KINDS.has(read.get('kind')) &&
    ['tool', 'outcome', 'by'].every((key) => isTextOrNone(read.get(key))) &&
    (principalId === null || isTextOrNone(principalId)) &&
    (missing === undefined || typeof missing === 'number')
  );
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* readFile(file: string): AsyncGenerator<AuditEvent> {
  let number = 0;
  let torn: number | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number += 1;
      if (line.trim() === '') continue;
      if (torn !== undefined) break;
      const value = parse(line);
      if (isEvent(value)) yield value;
      else torn = number;
    }
  } catch (error) {
    throw new CliError('unreadable_file', visible(`${file} cannot be read: ${reasonOf(error)}.`), {
      cause: error,
    });
  }
  if (torn === undefined) return;
  const mend = 'See toolcrib audit verify.';
  throw new CliError(
    'illegal_trail',
    visible(`${file}: line ${torn} is no record of an audit trail. ${mend}`),
  );
}

/**
 * Gives the records of files of JSON lines, one file after the other.
 *
 * @throws CliError `unreadable_file` or `illegal_trail`.
 */
export async function* readTrail(files: readonly string[], io: Io): AsyncGenerator<AuditEvent> {
  for (const file of files) yield* readFile(resolve(io.cwd, file));
}
