/**
 * Holds a trail to its chain and to a head that was recorded.
 * Invariant: it takes the same memory however long the trail is, and what it finds has a place.
 */
import type { AuditHead, AuditLine } from '../contract/audit';
import { EMPTY_HEAD, type LineFault, readLine } from '../invocation/audit/chain';
import { isHead, readHead, realFile } from './files';
import { auditLines } from './lines';

/**
 * What is wrong: beside what is wrong with a line by itself, `broken_chain`: a record was removed, added or moved here;
 * `torn_line`: the last line is unfinished; `truncated`: the trail ends before the head; `other_head`: the record in
 * the place of the head is another one; `other_columns`: a row says beside its line what is not in it; `no_head`: no
 * head stands beside the file, and none was given.
 */
export type AuditProblemCode =
  | LineFault
  | 'broken_chain'
  | 'torn_line'
  | 'truncated'
  | 'other_head'
  | 'other_columns'
  | 'no_head';

/** One thing that is wrong, and where. */
export interface AuditProblem {
  readonly code: AuditProblemCode;
  /** Left out where the trail is in no file. */
  readonly file?: string;
  /** From 1, within the file; of `truncated` and `no_head` the last one. */
  readonly line: number;
  /** The sequence that a record should have here. */
  readonly sequence: number;
  readonly message: string;
}

/** What verification came to. */
export interface AuditVerification {
  readonly ok: boolean;
  /** How many lines were read. */
  readonly lines: number;
  /** Where the trail ends. */
  readonly head: AuditHead;
  /** The head that it was held to; null: none is known, so that nobody knows whether something was cut off. */
  readonly recordedHead: AuditHead | null;
  /** The first 100, in the order of the trail. */
  readonly problems: readonly AuditProblem[];
}

/** How a trail is verified. */
export interface VerifyAuditOptions {
  /** A head that was kept; left out: the one beside the file, where there is one. */
  readonly head?: AuditHead | undefined;
  /** Hears from time to time how many lines were read. */
  readonly onProgress?: ((lines: number) => void) | undefined;
}

const MAX_PROBLEMS = 100;
const PROGRESS_LINES = 10_000;

const WORDS: { readonly [code in AuditProblemCode]: string } = {
  malformed_line: 'this is no record of an audit trail',
  changed_record: 'the record is not what its hash says: it was changed',
  broken_chain: 'the record does not follow the one before: one was removed, added or moved here',
  torn_line:
    'the line is unfinished: the writer was killed, and removes it when it opens the file, or it was changed',
  truncated: 'the trail ends here, before the recorded head: records were cut off',
  other_head: 'the record is not the one that was recorded as the head',
  other_columns:
    'the columns beside the line are not the sequence and the hash of its record: they were changed',
  no_head:
    'no head stands beside the file, so that records may have been cut off here: give the head that was kept',
};

/** Follows the lines of one trail. */
class Verifier {
  readonly problems: AuditProblem[] = [];
  head: AuditHead = EMPTY_HEAD;
  lines = 0;
  private last: Pick<AuditLine, 'file' | 'line'>;
  /** False after a line of which not even a claimed place is known. */
  private isHashKnown = true;

  /** @param file the file that is verified; undefined: the trail is in none. */
  constructor(
    private readonly recorded: AuditHead | null,
    private readonly file: string | undefined,
  ) {
    this.last = file === undefined ? { line: 0 } : { file, line: 0 };
  }

  take(line: AuditLine): void {
    this.lines += 1;
    this.last = line;
    const read = readLine(line.bytes);
    if (read.ok) {
      this.follow(read.record.previousHash, read.record);
      this.compare(line.place, read.record);
    } else {
      this.find(line.isComplete ? read.fault : 'torn_line');
      this.stepTo(read.claimed);
    }
    if (read.ok && !line.isComplete) this.find('torn_line', this.head.sequence);
  }

  private follow(previousHash: string, { sequence, hash }: AuditHead): void {
    const isNext = sequence === this.head.sequence + 1;
    if (!isNext || (this.isHashKnown && previousHash !== this.head.hash)) this.find('broken_chain');
    this.isHashKnown = true;
    this.head = { sequence, hash };
    const { recorded } = this;
    if (sequence === recorded?.sequence && hash !== recorded.hash) this.find('other_head', sequence);
  }

  private compare(place: AuditHead | undefined, { sequence, hash }: AuditHead): void {
    if (place === undefined || (place.sequence === sequence && place.hash === hash)) return;
    this.find('other_columns', sequence);
  }

  private stepTo(claimed: AuditHead | undefined): void {
    this.isHashKnown = claimed !== undefined;
    this.head = claimed ?? { sequence: this.head.sequence + 1, hash: this.head.hash };
  }

  end(): void {
    const { recorded, file } = this;
    if (recorded !== null && this.head.sequence < recorded.sequence) this.find('truncated');
    // A file has one from its first record on.
    if (recorded === null && file !== undefined && this.lines > 0) this.find('no_head', this.head.sequence);
  }

  private find(code: AuditProblemCode, sequence = this.head.sequence + 1): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const { file, line } = this.last;
    const place = file === undefined ? { line } : { file, line };
    this.problems.push({ code, ...place, sequence, message: WORDS[code] });
  }
}

/**
 * Verifies a trail: that no byte was changed and no line removed, added or moved, and by a recorded head that nothing
 * was cut off. A whole trail that was written anew is found only by a head that was kept where its writer cannot reach.
 *
 * @param trail the file that is written, or was; or lines, as those of a `PostgresAudit`.
 * @throws TypeError where the trail is neither, or the head is none.
 * @throws AuditError `unusable_file` where there is no such file, and `broken` where the recorded head is none.
 */
export async function verifyAudit(
  trail: string | AsyncIterable<AuditLine>,
  { head, onProgress }: VerifyAuditOptions = {},
): Promise<AuditVerification> {
  const isFile = typeof trail === 'string';
  if (!isFile && !(typeof trail === 'object' && trail !== null && Symbol.asyncIterator in trail)) {
    throw new TypeError('verifyAudit: give the path of the file that is written, or the lines of a trail.');
  }
  if (head !== undefined && !isHead(head)) {
    throw new TypeError('verifyAudit: head is no head; give { sequence, hash } of a record that was kept.');
  }
  const file = isFile ? realFile(trail) : undefined;
  // Before the lines are read, since another process may be writing.
  const recordedHead = head ?? (file === undefined ? undefined : readHead(file)) ?? null;
  const verifier = new Verifier(recordedHead, file);
  for await (const line of isFile ? auditLines(trail) : trail) {
    verifier.take(line);
    if (verifier.lines % PROGRESS_LINES === 0) onProgress?.(verifier.lines);
  }
  verifier.end();
  const { problems, lines } = verifier;
  return { ok: problems.length === 0, lines, head: verifier.head, recordedHead, problems };
}
