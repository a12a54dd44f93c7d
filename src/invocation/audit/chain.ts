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

/** Writes the members of a record but for its hash in canonical form. */
function bodyOf(event: AuditEvent, sequence: number, previousHash: string): string {
  const { argumentHash, callId, conversationId, kind, principalId, time, tool } = event;
  const { approvalId, by, code, ledgerKey, missing, outcome, replayed, sentHash, traceId } = event;
  const rare = approvalId ?? ledgerKey ?? missing ?? replayed ?? sentHash ?? traceId;
  // Calls wait for it: two records of the common kind are written by hand in half the time.
  if (
    rare === undefined &&
    by === undefined &&
    argumentHash !== undefined &&
    callId !== undefined &&
    tool !== undefined &&
    typeof principalId === 'string' &&
    PLAIN.test(`${argumentHash}${callId}${code}${conversationId}${principalId}${time}${tool}`)
  ) {
    const ofCode = code === undefined ? '' : `"code":"${code}",`;
    const ofConversation = conversationId === undefined ? '' : `"conversationId":"${conversationId}",`;
    const ofOutcome = outcome === undefined ? '' : `"outcome":"${outcome}",`;
    return `{"argumentHash":"${argumentHash}","callId":"${callId}",${ofCode}${ofConversation}"kind":"${kind}",${ofOutcome}"previousHash":"${previousHash}","principalId":"${principalId}","sequence":${sequence},"time":"${time}","tool":"${tool}"}`;
  }
  // Of texts, whole numbers and null, with the members in this order, JSON.stringify writes the canonical form.
  return JSON.stringify({
    approvalId,
    argumentHash,
    by,
    callId,
    code,
    conversationId,
    kind,
    ledgerKey,
    missing,
    outcome,
    previousHash,
    principalId,
    replayed,
    sentHash,
    sequence,
    time,
    tool,
    traceId,
  });
}

const TAIL = /^,"hash":"([0-9a-f]{64})"\}$/;
const TAIL_LENGTH = ',"hash":"'.length + 64 + '"}'.length;
const CLOSING = Buffer.from('}');

/** An event with its place. */
export interface ChainedLine {
  /** The record without its hash in canonical JSON (RFC 8785), and the hash as the last member; no line feed. */
  readonly line: string;
  /** The head of the trail that ends with it. */
  readonly head: AuditHead;
}

/** Gives an event the place after a head. */
export function chain(event: AuditEvent, { sequence: before, hash: previousHash }: AuditHead): ChainedLine {
  const sequence = before + 1;
  const body = bodyOf(event, sequence, previousHash);
  const own = hash('sha256', body, 'hex');
  return { line: `${body.slice(0, -1)},"hash":"${own}"}`, head: { sequence, hash: own } };
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
