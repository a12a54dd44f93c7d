/**
 * `toolcrib audit verify` and `toolcrib audit head`: whether a trail is whole, and where it ends.
 * Invariant: they read and never write; no toolkit is opened for them.
 */
import { AuditError } from '../../audit/audit-error';
import { fromHeadText, toHeadText } from '../../audit/files';
import {
  type AuditProblem,
  type AuditVerification,
  type VerifyAuditOptions,
  verifyAudit,
} from '../../audit/verify';
import type { AuditHead } from '../../contract/audit';
import { reasonOf } from '../../errors/reason';
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

async function verify(
  { trail }: TrailChoice,
  options: VerifyAuditOptions,
  io: Io,
): Promise<AuditVerification> {
  const place = toTrailPlace(trail, io.cwd);
  try {
    if (place.url === undefined) return await verifyAudit(place.file, options);
    const audit = await openDatabase(place.url);
    try {
      return await verifyAudit(audit.lines(), options);
    } finally {
      await audit.close();
    }
  } catch (error) {
    throw toFailure(error);
  }
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
