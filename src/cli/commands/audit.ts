/**
 * `toolcrib audit verify`, `head` and `list`: whether a trail is whole, where it ends, and what stands in it.
 * Invariant: they read and never write; no toolkit is opened for them.
 */
import { AuditError } from '../../audit/audit-error';
import { fromHeadText, toHeadText } from '../../audit/files';
import { readAudit } from '../../audit/lines';
import {
  type AuditProblem,
  type AuditVerification,
  type VerifyAuditOptions,
  verifyAudit,
} from '../../audit/verify';
import type { AuditHead, AuditLine, AuditRecord } from '../../contract/audit';
import { splitToolReference } from '../../contract/names';
import { reasonOf } from '../../errors/reason';
import { shortId } from '../../invocation/audit/events';
import { scrubText } from '../../invocation/scrub';
import { CliError } from '../cli-error';
import type { Io } from '../io';
import { oneLine, plain, toJsonText } from '../text';
import { openDatabase, toTrailPlace } from '../trail-place';

/** The trail that a command is about. */
export interface TrailChoice {
  readonly trail: string;
  readonly json: boolean;
}

/** What the trail is held to. */
export interface VerifyFlags {
  readonly head?: string | undefined;
}

/** After how many lines it is said again how far it is. */
const TELLING_LINES = 100_000;

function toHead(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined;
  const head = fromHeadText(text);
  if (head !== undefined) return head;
  throw new CliError('illegal_option', '--head is no head. Write it as toolcrib audit head prints it.');
}

/** What a user is told of a trail that cannot be read. */
export function toFailure(error: unknown): CliError {
  const code =
    error instanceof AuditError && error.code === 'unusable_file' ? 'unreadable_file' : 'audit_failed';
  return new CliError(code, oneLine(`the audit trail cannot be read: ${scrubText(reasonOf(error))}`), {
    cause: error,
  });
}

/** Reads a trail: the path of a file, or the lines of a database. */
async function reading<T>(
  { trail }: TrailChoice,
  io: Io,
  read: (trail: string | AsyncIterable<AuditLine>) => Promise<T>,
): Promise<T> {
  const place = toTrailPlace(trail, io.cwd);
  try {
    if (place.url === undefined) return await read(place.file);
    const audit = await openDatabase(place.url);
    try {
      return await read(audit.lines());
    } finally {
      await audit.close();
    }
  } catch (error) {
    throw toFailure(error);
  }
}

function verify(choice: TrailChoice, options: VerifyAuditOptions, io: Io): Promise<AuditVerification> {
  return reading(choice, io, (trail) => verifyAudit(trail, options));
}

function toLine({ code, file, line, sequence, message }: AuditProblem): string {
  return plain(
    `${file ?? 'line '}${file === undefined ? '' : ':'}${line}: ${code}, record ${sequence}: ${message}\n`,
  );
}

/**
 * Verifies a trail: 0 where it is whole, 1 where something is wrong.
 *
 * @throws CliError `illegal_option`, `unreadable_file` or `audit_failed`.
 */
export async function verifyAuditTrail(options: TrailChoice & VerifyFlags, io: Io): Promise<number> {
  const onProgress = (lines: number) => {
    if (lines % TELLING_LINES === 0) io.stderr(`${lines} records read\n`);
  };
  const found = await verify(options, { head: toHead(options.head), onProgress }, io);
  if (found.recordedHead === null) {
    io.stderr('No head is known, so that nobody knows whether records were cut off; give --head.\n');
  }
  const { ok, lines, head, problems } = found;
  if (options.json) io.stdout(toJsonText(found));
  else {
    io.stdout(problems.map(toLine).join(''));
    if (ok) io.stdout(plain(`${lines} records, whole; head ${toHeadText(head)}\n`));
  }
  return ok ? 0 : 1;
}

/**
 * Prints where a sound trail ends; 1 where it is not sound.
 *
 * @throws CliError `unreadable_file` or `audit_failed`.
 */
export async function printAuditHead(options: TrailChoice, io: Io): Promise<number> {
  const { ok, head, problems } = await verify(options, {}, io);
  if (!ok) {
    io.stderr(problems.map(toLine).join(''));
    return 1;
  }
  io.stdout(options.json ? toJsonText(head) : `${toHeadText(head)}\n`);
  return 0;
}

/** Which records are listed; left out: all. */
export interface AuditListFlags {
  /** Whoever called, decided or settled. */
  readonly principal?: string | undefined;
  /** A name, of all versions, or `name@version`. */
  readonly tool?: string | undefined;
  /** RFC 3339, or a date alone, which is its beginning in UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

function toTimeOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const time = /^\d{4}-\d\d-\d\d($|T.*(Z|[+-]\d\d:\d\d)$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CliError(
    'illegal_option',
    `${option} is no time. Write it as 2026-11-30 or 2026-11-30T12:00:00Z.`,
  );
}

function toFilter({ principal, tool, since, until }: AuditListFlags): (record: AuditRecord) => boolean {
  const from = toTimeOf('--since', since, Number.NEGATIVE_INFINITY);
  const to = toTimeOf('--until', until, Number.POSITIVE_INFINITY);
  const who = principal === undefined ? undefined : shortId(principal);
  return (record) => {
    const time = Date.parse(record.time);
    if (time < from || time >= to) return false;
    if (who !== undefined && record.principalId !== who && record.by !== who) return false;
    if (tool === undefined) return true;
    return (
      record.tool === tool || (record.tool !== undefined && splitToolReference(record.tool).name === tool)
    );
  };
}

function toRecordLine(record: AuditRecord): string {
  const { time, sequence, kind, outcome, code, tool, principalId, by, callId, argumentHash } = record;
  const how = [kind, outcome, code, record.replayed === true ? 'replayed' : undefined];
  const words = [
    time,
    String(sequence),
    how.filter((word) => word !== undefined).join(' '),
    ...(tool === undefined ? [] : [tool]),
    ...(principalId === undefined ? [] : [`for ${principalId ?? 'nobody'}`]),
    ...(by === undefined ? [] : [`by ${by ?? 'nobody who is named'}`]),
    ...(callId === undefined ? [] : [`call ${callId}`]),
    ...(argumentHash === undefined ? [] : [`arguments ${argumentHash.slice(0, 12)}`]),
    ...(record.missing === undefined ? [] : [`${record.missing} missing`]),
  ];
  return plain(`${words.map((word) => oneLine(word)).join('  ')}\n`);
}

/**
 * Prints records, the oldest first, as they are read: a line for each, with `json` in JSON. It checks each by itself,
 * and not that none is missing.
 *
 * @throws CliError `illegal_option`, `unreadable_file` or `audit_failed`.
 */
export async function listAudit(options: TrailChoice & AuditListFlags, io: Io): Promise<number> {
  const isWanted = toFilter(options);
  await reading(options, io, async (trail) => {
    for await (const record of readAudit(trail)) {
      if (isWanted(record)) io.stdout(options.json ? `${JSON.stringify(record)}\n` : toRecordLine(record));
    }
  });
  return 0;
}
