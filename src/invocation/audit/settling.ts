/**
 * Records what persons settle in the ledger.
 * Invariant: nothing is settled that cannot be recorded; what was settled is recorded, and nothing else.
 */
import type { Ledger, LedgerEntry, Settlement } from '../../contract/ledger';
import { memberOf } from '../../metadata/members';
import { nowText, shortId } from './events';
import type { AuditTrail } from './trail';

/** Wraps a ledger so that its settlements are recorded; its other members are its own. */
export function auditedLedger(ledger: Ledger, trail: AuditTrail): Ledger {
  const settle: Ledger['settle'] = async (key, settlement, by) => {
    await trail.ready();
    const entry = await ledger.get(key);
    const isSettled = await ledger.settle(key, settlement, by);
    if (isSettled) await trail.note(toSettled(key, settlement, entry, by));
    return isSettled;
  };
  return new Proxy(ledger, {
    get(target, name) {
      if (name === 'settle') return settle;
      const member = memberOf(target, name);
      // A ledger of a class with private members knows only itself.
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function toSettled(
  key: string,
  { outcome }: Settlement,
  entry: LedgerEntry | undefined,
  by: string | undefined,
) {
  return {
    time: nowText(),
    kind: 'settled' as const,
    ...(entry === undefined
      ? {}
      : {
          tool: entry.tool,
          principalId: entry.principalId === null ? null : shortId(entry.principalId),
          callId: shortId(entry.callId),
          argumentHash: entry.editedHash ?? entry.argumentHash,
          ...(entry.editedHash === undefined ? {} : { sentHash: entry.argumentHash }),
        }),
    outcome,
    ledgerKey: shortId(key),
    by: by === undefined ? null : shortId(by),
  };
}
