/**
 * Rows of the ledger, read as entries.
 * Invariant: drivers give integers of 64 bits as numbers, strings or bigints; an entry has numbers.
 */
import type { Selectable } from 'kysely';
import type { LedgerEntry } from '../contract/ledger';
import type { LedgerTable } from './tables';
import { fromColumn } from './text';

/** The columns of an entry. */
export const ENTRY_COLUMNS = [
  'key',
  'argument_hash',
  'edited_hash',
  'tool',
  'principal_id',
  'call_id',
  'state',
  'result',
  'arguments',
  'compensation',
  'claimed_at',
  'updated_at',
  'lease_ends_at',
] as const;

/** A row with {@link ENTRY_COLUMNS}. */
export type EntryRow = Pick<Selectable<LedgerTable>, (typeof ENTRY_COLUMNS)[number]>;

/** Makes an entry of a row. */
export function toEntry(row: EntryRow): LedgerEntry {
  return {
    key: row.key,
    argumentHash: row.argument_hash,
    ...(row.edited_hash === null ? {} : { editedHash: row.edited_hash }),
    tool: row.tool,
    principalId: row.principal_id === null ? null : fromColumn(row.principal_id),
    callId: fromColumn(row.call_id),
    state: row.state,
    ...(row.result === null ? {} : { result: JSON.parse(row.result) }),
    ...(row.arguments === null ? {} : { arguments: JSON.parse(row.arguments) }),
    ...(row.compensation === null ? {} : { compensation: fromColumn(row.compensation) }),
    claimedAt: Number(row.claimed_at),
    updatedAt: Number(row.updated_at),
    leaseEndsAt: Number(row.lease_ends_at),
  };
}
