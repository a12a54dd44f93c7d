/**
 * An audit trail in a file of JSON lines, for one process.
 * Invariant: what was acknowledged outlives the process, killed or not; with fsync it outlives the machine's power.
 */
import { existsSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AuditEvent, AuditHead, AuditSink } from '../contract/audit';
import { refuseUnknownKeys, toCount } from '../discovery/check-options';
import { Batches } from '../invocation/audit/batches';
import { chain } from '../invocation/audit/chain';
import { AuditError } from './audit-error';
import { realFile, writeHead } from './files';
import { Lock } from './lock';
import { demandWhole, endOfTrail, firstOf } from './trail-end';
import { Writer, type WriterOptions } from './writer';

/** How long after a record the head is written beside the file, at most, in milliseconds. */
const HEAD_MS = 100;
/** After how many records it is written before that. */
const HEAD_RECORDS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

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

  private constructor(
    private readonly options: WriterOptions,
    private last: AuditHead,
  ) {}

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
    const file = realFile(options.file);
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
    const { writer } = this.begun();
    if (this.options.fsync) return this.batches.append(event);
    const { line, head } = chain(event, this.last);
    this.advance(head, writer.write(`${line}\n`, head.sequence));
  }

  /** {@inheritDoc AuditSink.flush} */
  async flush(): Promise<void> {
    await this.batches.idle();
    if (this.behindSince !== undefined) this.recordHead();
  }

  /** The file that is written. */
  get path(): string {
    return this.options.file;
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
      const first = firstOf(file);
      // Before the first record, so that a trail that has some has a head beside.
      writeHead(file, head, this.options);
      const writer = new Writer(this.options, first ?? head.sequence + 1);
      this.last = head;
      this.recorded = head.sequence;
      return { lock, writer };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private async writeBatch(events: readonly AuditEvent[]): Promise<void> {
    // What was taken before it was closed is written yet.
    const { writer } = this.writing ?? this.begun();
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
      writeHead(this.options.file, this.last, this.options);
      this.behindSince = undefined;
      this.recorded = this.last.sequence;
    } catch {
      // The next record tries again; until then the head beside is an older one, which holds as well.
    }
  }
}
