/**
 * Writes the lines of a trail into its current file, and begins the next one when that is full.
 * Invariant: after a failure the file holds no part of what was to be written, or nothing more is written to it; nothing
 * is written to a file that is no longer where the trail has it.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
  write as writeTo,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AuditError } from './audit-error';
import { rotatedName } from './files';

const writeLater = promisify(writeTo);
const syncLater = promisify(fdatasync);

/** How many bytes lines may take that are put together in the same memory. */
const SCRATCH = 65_536;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** How a file is written. */
export interface WriterOptions {
  readonly file: string;
  readonly maxBytes: number;
  readonly fsync: boolean;
}

/** For how long it is not looked again whether the file is where it was, in milliseconds: calls wait for that. */
const LOOK_MS = 1;

/** What tells a file from every other one. */
type Place = Pick<Stats, 'dev' | 'ino'>;

/** Writes to the current file of a trail. */
export class Writer {
  private fd: number;
  private size: number;
  private place: Place;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly scratch = Buffer.allocUnsafe(SCRATCH);
  /** Whether the end of the file may hold what was not wholly written. */
  private isTorn = false;
  /** Whether the file has got the name under which it is kept, and the next one is not there yet. */
  private isPutAside = false;

  /** @param first the sequence of the first record in the file, or of the first that will be. */
  constructor(
    private readonly options: WriterOptions,
    private first: number,
  ) {
    this.fd = this.openFile();
    const found = fstatSync(this.fd);
    this.size = found.size;
    this.place = found;
  }

  /** Writes lines, which begin with the record of this sequence, at once; true: they are the first of a new file. */
  write(lines: string, sequence: number): boolean {
    // Into memory that is there already, since a call waits for it.
    const isShort = lines.length * MOST_BYTES <= this.scratch.length;
    const from = isShort ? this.scratch : Buffer.from(lines);
    const bytes = isShort ? from.write(lines, 0, 'utf8') : from.length;
    const isNewFile = this.prepare(bytes, sequence);
    this.isTorn = true;
    try {
      if (writeSync(this.fd, from, 0, bytes) < bytes) throw new Error('the disk took a part of a record');
      this.size += bytes;
      this.isTorn = false;
      return isNewFile;
    } catch (error) {
      this.tryMend();
      throw error;
    }
  }

  /** As `write`, and settles once the disk has them. */
  async writeThrough(lines: Buffer, sequence: number): Promise<boolean> {
    const isNewFile = this.prepare(lines.length, sequence);
    this.isTorn = true;
    try {
      let written = 0;
      while (written < lines.length) {
        const { bytesWritten } = await writeLater(this.fd, lines, written, lines.length - written, null);
        written += bytesWritten;
      }
      await syncLater(this.fd);
      this.size += lines.length;
      this.isTorn = false;
      return isNewFile;
    } catch (error) {
      this.tryMend();
      throw error;
    }
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.fd);
  }

  private prepare(bytes: number, sequence: number): boolean {
    if (this.isTorn) this.mend();
    if (!this.isPutAside && performance.now() - this.lookedAt >= LOOK_MS) this.demandPlace();
    const isDue = this.isPutAside || (this.size > 0 && this.size + bytes > this.options.maxBytes);
    if (isDue) this.rotate(sequence);
    return isDue;
  }

  /** What is written to a file that was removed is lost, and to one that was moved it is not in the trail. */
  private demandPlace(): void {
    const { file } = this.options;
    const found = statSync(file, { throwIfNoEntry: false });
    const { place, size } = this;
    if (found?.ino === place.ino && found.dev === place.dev && found.size === size) {
      this.lookedAt = performance.now();
      return;
    }
    throw new AuditError(
      'changed',
      `${file} was moved, removed, replaced or written by another program. Put it back as it was, or begin a new trail in another place; to rotate it, use maxBytes.`,
    );
  }

  private mend(): void {
    ftruncateSync(this.fd, this.size);
    this.isTorn = false;
  }

  private tryMend(): void {
    try {
      this.mend();
    } catch {
      // It is tried again before anything is written.
    }
  }

  private rotate(first: number): void {
    if (this.options.fsync) fdatasyncSync(this.fd);
    // An attempt before may have got no further than this.
    if (!this.isPutAside) this.putAside();
    const fd = this.openFile();
    closeSync(this.fd);
    this.fd = fd;
    this.place = fstatSync(fd);
    this.isPutAside = false;
    this.first = first;
    this.size = 0;
  }

  private putAside(): void {
    const { file } = this.options;
    const kept = rotatedName(file, this.first);
    if (existsSync(kept)) {
      throw new AuditError('unusable_file', `${kept} is in the way of ${file}, which is full. Move it away.`);
    }
    renameSync(file, kept);
    this.isPutAside = true;
  }

  private openFile(): number {
    const { file, fsync } = this.options;
    const fd = openSync(file, 'a', 0o600);
    if (!fsync) return fd;
    // A file is there for good only once its folder says so.
    const folder = openSync(dirname(file), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    return fd;
  }
}
