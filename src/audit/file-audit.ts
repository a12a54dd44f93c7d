/**
 * An audit trail in a file of JSON lines, for one process.
 * Invariant: what was acknowledged outlives the process, killed or not; with fsync it outlives the machine's power.
 */
import { existsSync, truncateSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AuditEvent, AuditHead, AuditSink } from '../contract/audit';
import { refuseUnknownKeys, toCount } from '../discovery/check-options';
import { Batches } from '../invocation/audit/batches';
import { chain, EMPTY_HEAD, readLine } from '../invocation/audit/chain';
import { AuditError } from './audit-error';
import { endOf, firstOf, readHead, rotatedFiles, writeHead } from './files';
import { Lock } from './lock';
import { Writer } from './writer';

/** How long after a record the head is written beside the file, at most, in milliseconds. */
const HEAD_MS = 100;
/** How much is held back at most, in characters, where it cannot be written. */
const MAX_HELD = 1_048_576;
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
   * of a call has until the turn of the event loop is over.
   */
  readonly fsync?: boolean;
}

/** An audit trail in a file, and in those that it was before it got too large. */
export class FileAudit implements AuditSink {
  private readonly batches = new Batches((events) => this.writeBatch(events));
  private headTimer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Lines that go with the next one, and the head of the chain with them. */
  private held = '';
  private chained: AuditHead;
  private isDue = false;

  private constructor(
    private readonly file: string,
    private readonly isSynced: boolean,
    private readonly writer: Writer,
    private readonly lock: Lock,
    private last: AuditHead,
  ) {
    this.chained = last;
  }

  /**
   * Opens a trail, or begins one, and takes its lock. An unfinished last line, which a killed process may have left and
   * nobody was told of, is removed. Close it with `close()`.
   *
   * @throws AuditError `locked` where another process writes it, `broken` where its last record is not sound, and
   * `truncated` where it ends before the head that was recorded beside it.
   */
  static async open(options: FileAuditOptions): Promise<FileAudit> {
    refuseUnknownKeys('FileAudit.open', options, ['file', 'maxBytes', 'fsync']);
    const { fsync = false } = options;
    if (typeof options.file !== 'string') throw new TypeError('FileAudit.open: file is no path.');
    if (typeof fsync !== 'boolean') throw new TypeError('FileAudit.open: fsync is neither true nor false.');
    const maxBytes = toCount('FileAudit.open', 'maxBytes', options.maxBytes, MAX_BYTES);
    const file = resolve(options.file);
    if (!existsSync(dirname(file))) {
      throw new AuditError('unusable_file', `There is no folder ${dirname(file)}. Make it, or correct file.`);
    }
    const lock = Lock.take(file);
    try {
      const last = recover(file);
      const first = existsSync(file) ? firstOf(file) : undefined;
      const writer = new Writer({ file, maxBytes, fsync }, first ?? last.sequence + 1);
      return new FileAudit(file, fsync, writer, lock, last);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The last record; kept elsewhere, it shows later that nothing was cut off. */
  get head(): AuditHead {
    return this.last;
  }

  /** {@inheritDoc AuditSink.append} */
  append(event: AuditEvent): void | Promise<void> {
    this.demandOpen();
    if (this.isSynced) return this.batches.append(event);
    const { line, head } = chain(event, this.chained);
    const lines = `${this.held}${line}\n`;
    if (event.kind === 'call_ended' && lines.length < MAX_HELD) this.hold(lines, head);
    else this.write(lines, head);
  }

  /** {@inheritDoc AuditSink.flush} */
  async flush(): Promise<void> {
    await this.batches.idle();
    this.writeHeld();
    if (this.headTimer !== undefined) this.recordHead();
  }

  /** The file that is written. */
  get path(): string {
    return this.file;
  }

  /** Writes what waits, records the head, and gives the lock back. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      await this.flush();
    } finally {
      clearTimeout(this.headTimer);
      this.writer.close();
      this.lock.release();
    }
  }

  private demandOpen(): void {
    if (this.isClosed) throw new AuditError('closed', `The audit trail ${this.file} is closed.`);
    if (this.lock.isHeld) return;
    throw new AuditError('closed', `Another process has taken ${this.file} over. Open it anew.`);
  }

  /** Nobody waits for the end of a call: it is written with what comes next, or when this turn is over. */
  private hold(lines: string, head: AuditHead): void {
    this.held = lines;
    this.chained = head;
    if (this.isDue) return;
    this.isDue = true;
    process.nextTick(() => this.writeDue());
  }

  private write(lines: string, head: AuditHead): void {
    this.writer.write(lines, this.last.sequence + 1);
    this.held = '';
    this.chained = head;
    this.advance(head);
  }

  private writeHeld(): void {
    if (this.held !== '') this.write(this.held, this.chained);
  }

  private writeDue(): void {
    this.isDue = false;
    try {
      this.writeHeld();
    } catch {
      // It stays held: nothing else is written before it, and who gives the next record hears why.
    }
  }

  private async writeBatch(events: readonly AuditEvent[]): Promise<void> {
    const first = this.last.sequence + 1;
    let head = this.last;
    const lines = events.map((event) => {
      const chained = chain(event, head);
      head = chained.head;
      return `${chained.line}\n`;
    });
    await this.writer.writeThrough(Buffer.from(lines.join('')), first);
    this.advance(head);
  }

  private advance(head: AuditHead): void {
    this.last = head;
    this.headTimer ??= setTimeout(() => this.recordHead(), HEAD_MS).unref();
  }

  private recordHead(): void {
    clearTimeout(this.headTimer);
    this.headTimer = undefined;
    try {
      writeHead(this.file, this.last);
    } catch {
      // The next record tries again; until then the head beside is an older one, which holds as well.
    }
  }
}

/** Removes an unfinished last line, and finds the head of a trail. */
function recover(file: string): AuditHead {
  const end = existsSync(file) ? endOf(file) : undefined;
  const head = end?.last === undefined ? lastBefore(file) : headOf(file, end.last);
  demandRecorded(file, head);
  if (end !== undefined) truncateSync(file, end.size);
  return head;
}

/** Holds the head that was found to the one that was recorded, which may be older. */
function demandRecorded(file: string, head: AuditHead): void {
  const recorded = readHead(file);
  if (recorded === undefined || recorded.sequence < head.sequence) return;
  if (recorded.sequence === head.sequence && recorded.hash === head.hash) return;
  const mend =
    'Keep the files as they are, find out who changed them, and begin a new trail in another place.';
  throw recorded.sequence > head.sequence
    ? new AuditError(
        'truncated',
        `${file} ends at record ${head.sequence}, and ${recorded.sequence} were written. ${mend}`,
      )
    : new AuditError('broken', `The last record of ${file} is not the one that was written. ${mend}`);
}

/** The head of the files that are no longer written. */
function lastBefore(file: string): AuditHead {
  const before = rotatedFiles(file).at(-1);
  if (before === undefined) return EMPTY_HEAD;
  const { last } = endOf(before);
  return headOf(before, last ?? Buffer.alloc(0));
}

function headOf(file: string, line: Buffer): AuditHead {
  const read = readLine(line);
  if (read.ok) return { sequence: read.record.sequence, hash: read.record.hash };
  const mend = 'See toolcrib audit verify, and begin a new trail in another place.';
  throw new AuditError('broken', `The last record of ${file} is not sound. ${mend}`);
}
