/**
 * How a record is written and read: one line of JSON, chained by hash to the line before.
 * Invariant: the hash of a line is that of all its other bytes, so that none of them changes unseen.
 */
import { hash } from 'node:crypto';
import { AUDIT_KINDS, type AuditEvent, type AuditHead, type AuditRecord } from '../../contract/audit';

/** The head of a trail without records. */
export const EMPTY_HEAD: AuditHead = Object.freeze({ sequence: 0, hash: '0'.repeat(64) });

/** What JSON writes as it stands. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quote(value: string): string {
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Writes the members of a record but for its hash, in the order of the canonical form, without the closing brace. */
function membersOf(event: AuditEvent, sequence: number, previousHash: string): string {
  let text = '{';
  const member = (name: string, value: string | null | undefined): void => {
    if (value !== undefined) text += `"${name}":${value === null ? 'null' : quote(value)},`;
  };
  member('approvalId', event.approvalId);
  member('argumentHash', event.argumentHash);
  member('by', event.by);
  member('callId', event.callId);
  member('code', event.code);
  member('conversationId', event.conversationId);
  member('kind', event.kind);
  member('ledgerKey', event.ledgerKey);
  if (event.missing !== undefined) text += `"missing":${event.missing},`;
  member('outcome', event.outcome);
  member('previousHash', previousHash);
  member('principalId', event.principalId);
  if (event.replayed !== undefined) text += '"replayed":true,';
  text += `"sequence":${sequence},"time":${quote(event.time)}`;
  if (event.tool !== undefined) text += `,"tool":${quote(event.tool)}`;
  if (event.traceId !== undefined) text += `,"traceId":${quote(event.traceId)}`;
  return text;
}

const TAIL = /^,"hash":"([0-9a-f]{64})"\}$/;
const TAIL_LENGTH = ',"hash":"'.length + 64 + '"}'.length;
const CLOSING = Buffer.from('}');

/** Where lines are written, one after the other, so that a call with side effects need not make memory for its two. */
let scratch = Buffer.alloc(8_192);

/** An event with its place. */
export interface ChainedLine {
  /**
   * The record without its hash in canonical JSON (RFC 8785), with the hash as the last member, and a line feed. It
   * stands until the next one is made.
   */
  readonly line: Buffer;
  /** The head of the trail that ends with it. */
  readonly head: AuditHead;
}

/** Gives an event the place after a head. */
export function chain(event: AuditEvent, { sequence: before, hash: previousHash }: AuditHead): ChainedLine {
  const sequence = before + 1;
  const members = membersOf(event, sequence, previousHash);
  // A UTF-16 code unit takes three bytes of UTF-8 at most.
  const most = members.length * 3 + TAIL_LENGTH + 2;
  if (most > scratch.length) scratch = Buffer.alloc(most);
  const length = scratch.write(members);
  CLOSING.copy(scratch, length);
  const own = hash('sha256', scratch.subarray(0, length + 1), 'hex');
  const end = length + scratch.write(`,"hash":"${own}"}\n`, length, 'latin1');
  return { line: scratch.subarray(0, end), head: { sequence, hash: own } };
}

/** What is wrong with a line by itself: it is no record, or not what its hash says. */
export type LineFault = 'malformed_line' | 'changed_record';

/** A line that was read. */
export type ReadLine =
  | { readonly ok: true; readonly record: AuditRecord }
  | {
      readonly ok: false;
      readonly fault: LineFault;
      /** The place that it claims to have, where that can be read. */
      readonly claimed?: AuditHead;
    };

const KINDS: readonly unknown[] = AUDIT_KINDS;

function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== 'object' || value === null) return false;
  if (!('sequence' in value && 'time' in value && 'kind' in value && 'previousHash' in value)) return false;
  const { sequence, time, kind, previousHash } = value;
  const isPlaced = Number.isSafeInteger(sequence) && typeof previousHash === 'string';
  return isPlaced && typeof time === 'string' && KINDS.includes(kind);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Reads a line and holds it to its own hash. */
export function readLine(bytes: Buffer): ReadLine {
  const tailAt = bytes.length - TAIL_LENGTH;
  const own = tailAt > 0 ? TAIL.exec(bytes.toString('latin1', tailAt))?.[1] : undefined;
  const record = parse(bytes);
  if (own === undefined || !isRecord(record)) return { ok: false, fault: 'malformed_line' };
  const { sequence } = record;
  // Of bytes, since several may be read as one and the same character.
  const actual = hash('sha256', Buffer.concat([bytes.subarray(0, tailAt), CLOSING]), 'hex');
  if (actual === own) return { ok: true, record };
  return { ok: false, fault: 'changed_record', claimed: { sequence, hash: own } };
}
