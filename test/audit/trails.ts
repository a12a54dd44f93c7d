/**
 * Folders with audit trails, for tests.
 * Invariant: each trail lies in a folder of its own, which `remove` takes away.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent, AuditRecord } from 'toolcrib';
import { FileAudit, type FileAuditOptions, readAudit } from 'toolcrib/audit';

/** A folder for one trail. */
export interface TrailFolder {
  readonly file: string;
  /** Opens the trail. */
  open(options?: Omit<FileAuditOptions, 'file'>): Promise<FileAudit>;
  /** The lines of the file that is written. */
  lines(): readonly string[];
  remove(): void;
}

/** Makes a folder for a trail. */
export function trailFolder(): TrailFolder {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-audit-'));
  const file = join(folder, 'audit.jsonl');
  return {
    file,
    open: (options = {}) => FileAudit.open({ file, ...options }),
    lines: () => readFileSync(file, 'utf8').split('\n').slice(0, -1),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An event that differs from others by its number. */
export function eventOf(number: number): AuditEvent {
  return {
    time: new Date(1_800_000_000_000 + number).toISOString(),
    kind: 'call_started',
    tool: 'orders.refund@1.0.0',
    principalId: `clerk-${number % 7}`,
    callId: `call-${number}`,
    argumentHash: String(number % 10).repeat(64),
  };
}

/** Appends so many events, each after the one before was acknowledged. */
export async function appendAll(audit: FileAudit, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) await audit.append(eventOf(number));
}

/** All records of a trail. */
export async function recordsOf(lines: Parameters<typeof readAudit>[0]): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const record of readAudit(lines)) records.push(record);
  return records;
}
