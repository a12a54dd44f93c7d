/**
 * An audit trail in a file of JSON lines, for one process.
 * Invariant: what was acknowledged outlives the process, killed or not; with fsync it outlives the machine's power.
 */
import { existsSync, statSync, truncateSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AuditEvent, AuditHead, AuditSink } from '../contract/audit';
import { refuseUnknownKeys, toCount } from '../discovery/check-options';
import { Batches } from '../invocation/audit/batches';
import { chain, EMPTY_HEAD, readLine } from '../invocation/audit/chain';
import { AuditError } from './audit-error';
import { endOf, firstOf, readHead, rotatedFiles, writeHead } from './files';
import { Lock } from './lock';
import { Writer, type WriterOptions } from './writer';

/** How long after a record the head is written beside the file, at most, in milliseconds. */
const HEAD_MS = 100;
/** After how many records it is written before that. */
const HEAD_RECORDS = 10_000;
/** How much is held back at most, in characters, where it cannot be written. */
const MAX_HELD = 1_048_576;
const MAX_BYTES = 64 * 1024 * 1024;
const SETTLED = Promise.resolve();

/** Where a {@link FileAudit} is, and how it is written. */
export interface FileAuditOptions {
  /** The file that is written; its folder is there. */
  readonly file: string;
  /** A file that would get larger is put aside and a new one begun, in bytes; left out: 64 MiB. */
  readonly maxBytes?: number;
  /**
   * Acknowledges a record only when the disk has it; records that come together share one flush of the disk. Left out:
   * false, and a record is acknowledged when the operating system has it, which a killed process leaves whole; the end
   * of a call is handed to it before the call is answered.
   */
  readonly fsync?: boolean;
}

/** What the one writer of a file holds. */
interface Writing {
  readonly lock: Lock;
  readonly writer: Writer;
}

/** An audit trail in a file, and in those that it was before it got too large. */
export class FileAudit implements AuditSink {
  private readonly batches = new Batches((events) => this.writeBatch(events));
  private writing: Writing | undefined;
  private headTimer: NodeJS.Timeout | undefined;
  /** When the first record came that the head beside does not know of; undefined: it knows of all. */
  private behindSince: number | undefined;
  private recorded = 0;
  private isClosed = false;
  /** Lines that go with the next one, and the head of the chain with them. */
  private held = '';
  private chained: AuditHead;
  private isDue = false;

  private constructor(
    private readonly options: WriterOptions,
    private last: AuditHead,
  ) {
    this.chained = last;
  }

  /**
   * Opens a trail, or begins one. It reads and checks; the first record takes the lock of the file, so that what only
   * looks on works beside the process that writes. Close it with `close()`.
   *
   * @throws TypeError that names what is wrong with an option.
   * @throws AuditError `unusable_file` where there is no folder for it, `broken` where its last record is not sound,
   * and `truncated` where it ends before the head that was recorded beside it.
   */
  static async open(options: FileAuditOptions): Promise<FileAudit> {
    if (typeof options !== 'object' || options === null) {
      throw new TypeError("FileAudit.open: give options, as in { file: 'audit.jsonl' }.");
    }
    refuseUnknownKeys('FileAudit.open', options, ['file', 'maxBytes', 'fsync']);
    const { fsync = false } = options;
    if (typeof options.file !== 'string' || options.file === '') {
      throw new TypeError('FileAudit.open: file is no path.');
    }
    if (typeof fsync !== 'boolean') throw new TypeError('FileAudit.open: fsync is neither true nor false.');
    const maxBytes = toCount('FileAudit.open', 'maxBytes', options.maxBytes, MAX_BYTES);
    const file = resolve(options.file);
    if (!existsSync(dirname(file))) {
      throw new AuditError('unusable_file', `There is no folder ${dirname(file)}. Make it, or correct file.`);
    }
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new AuditError('unusable_file', `${file} is a folder. Name a file in it.`);
    }
    return new FileAudit({ file, maxBytes, fsync }, endOfTrail(file).head);
  }

  /** The last record that is known; kept elsewhere, it shows later that nothing was cut off. */
  get head(): AuditHead {
    return this.last;
  }

  /**
   * Takes the lock, where that was not done before, and removes an unfinished last line, which a killed process may
   * have left and nobody was told of.
   *
   * @throws AuditError `locked` where another process writes the file, `closed`, or as `open` does.
   */
  ready(): void {
    this.begun();
  }

  /** {@inheritDoc AuditSink.append} */
  append(event: AuditEvent): void | Promise<void> {
    this.begun();
    if (this.options.fsync) return this.batches.append(event);
    const { line, head } = chain(event, this.chained);
    const lines = `${this.held}${line}\n`;
    if (event.kind === 'call_ended' && lines.length < MAX_HELD) this.hold(lines, head);
    else this.write(lines, head);
  }

  /** {@inheritDoc AuditSink.flush} */
  async flush(): Promise<void> {
    await this.batches.idle();
    this.writeHeld();
    if (this.behindSince !== undefined) this.recordHead();
  }

  /** Writes what waits, records the head, and gives the lock back. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      await this.flush();
    } finally {
      clearTimeout(this.headTimer);
      this.writing?.writer.close();
      this.writing?.lock.release();
    }
  }

  private begun(): Writing {
    const { file } = this.options;
    if (this.isClosed) throw new AuditError('closed', `The audit trail ${file} is closed.`);
    this.writing ??= this.begin();
    if (this.writing.lock.isHeld) return this.writing;
    throw new AuditError('closed', `Another process has taken ${file} over. Open it anew.`);
  }

  private begin(): Writing {
    const { file } = this.options;
    const lock = Lock.take(file);
    try {
      // Since it was opened another process may have written it.
      const { head, size } = endOfTrail(file);
      demandWhole(file, head, this.last);
      if (size !== undefined) truncateSync(file, size);
      const first = size === undefined ? undefined : firstOf(file);
      // Before the first record, so that a trail that has some has a head beside.
      writeHead(file, head);
      const writer = new Writer(this.options, first ?? head.sequence + 1);
      this.last = head;
      this.chained = head;
      this.recorded = head.sequence;
      return { lock, writer };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The ends of calls that come together are written together, before any of these is answered. */
  private hold(lines: string, head: AuditHead): void {
    this.held = lines;
    this.chained = head;
    if (this.isDue) return;
    this.isDue = true;
    // As queueMicrotask, which costs a resource of its own.
    void SETTLED.then(this.writeDue);
  }

  private write(lines: string, head: AuditHead): void {
    const { writer } = this.begunOrClosing();
    const isNewFile = writer.write(lines, this.last.sequence + 1);
    this.held = '';
    this.chained = head;
    this.advance(head, isNewFile);
  }

  private writeHeld(): void {
    if (this.held !== '') this.write(this.held, this.chained);
  }

  private readonly writeDue = (): void => {
    this.isDue = false;
    try {
      this.writeHeld();
    } catch {
      // It stays held: nothing else is written before it, and who gives the next record hears why.
    }
  };

  private async writeBatch(events: readonly AuditEvent[]): Promise<void> {
    const { writer } = this.begunOrClosing();
    const first = this.last.sequence + 1;
    let head = this.last;
    const lines = events.map((event) => {
      const chained = chain(event, head);
      head = chained.head;
      return `${chained.line}\n`;
    });
    const isNewFile = await writer.writeThrough(Buffer.from(lines.join('')), first);
    this.advance(head, isNewFile);
  }

  /** What was taken before it was closed is written yet. */
  private begunOrClosing(): Writing {
    return this.writing ?? this.begun();
  }

  /** By the clock and by count, since timers wait in a process that is busy. */
  private advance(head: AuditHead, isNewFile: boolean): void {
    this.last = head;
    const now = performance.now();
    this.behindSince ??= now;
    const isOverdue =
      now - this.behindSince >= HEAD_MS || head.sequence - this.recorded >= HEAD_RECORDS || isNewFile;
    if (isOverdue) this.recordHead();
    else this.headTimer ??= setTimeout(() => this.recordHead(), HEAD_MS).unref();
  }

  private recordHead(): void {
    clearTimeout(this.headTimer);
    this.headTimer = undefined;
    try {
      writeHead(this.options.file, this.last);
      this.behindSince = undefined;
      this.recorded = this.last.sequence;
    } catch {
      // The next record tries again; until then the head beside is an older one, which holds as well.
    }
  }
}

/** The end of a trail. */
interface TrailEnd {
  readonly head: AuditHead;
  /** How many bytes the whole lines of the file take; undefined where it is not there. */
  readonly size: number | undefined;
}

/** Finds the end of a trail, and holds it to the head that was recorded, which may be older. */
function endOfTrail(file: string): TrailEnd {
  // First, since another process may be writing.
  const recorded = readHead(file);
  const end = endOf(file);
  const head = end?.last === undefined ? lastBefore(file) : headOf(file, end.last);
  if (recorded !== undefined) demandWhole(file, head, recorded);
  return { head, size: end?.size };
}

/** Holds the head that was found to one that is known. */
function demandWhole(file: string, head: AuditHead, known: AuditHead): void {
  if (known.sequence < head.sequence) return;
  if (known.sequence === head.sequence && known.hash === head.hash) return;
  const mend =
    'Keep the files as they are, find out who changed them, and begin a new trail in another place.';
  throw known.sequence > head.sequence
    ? new AuditError(
        'truncated',
        `${file} ends at record ${head.sequence}, and ${known.sequence} were written. ${mend}`,
      )
    : new AuditError('broken', `The last record of ${file} is not the one that was written. ${mend}`);
}

/** The head of the files that are no longer written. */
function lastBefore(file: string): AuditHead {
  const before = rotatedFiles(file).at(-1);
  if (before === undefined) return EMPTY_HEAD;
  return headOf(before, endOf(before)?.last ?? Buffer.alloc(0));
}

function headOf(file: string, line: Buffer): AuditHead {
  const read = readLine(line);
  if (read.ok) return { sequence: read.record.sequence, hash: read.record.hash };
  const mend = 'See toolcrib audit verify, and begin a new trail in another place.';
  throw new AuditError('broken', `The last record of ${file} is not sound. ${mend}`);
}
