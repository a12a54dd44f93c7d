/**
 * What an audit trail says about the use of tools.
 * Invariant: a tool whose calls the trail does not record is never called unused.
 */
import type { AuditEvent } from '../../contract/audit';
import { splitToolReference } from '../../contract/names';
import { shortId } from '../../invocation/audit/events';

/** What became of the calls of one tool, all its versions together, by one principal. */
export interface CallCounts {
  /** Calls that started. */
  readonly calls: number;
  /** Calls that were let through to the tool, and answered before they started. */
  readonly refused: number;
  /** Calls for which the caller lacked a scope. */
  readonly denied: number;
}

const NO_CALLS: CallCounts = { calls: 0, refused: 0, denied: 0 };

/** The time that a trail covers, and how complete it is. */
export interface TrailPeriod {
  /** The time of the first record: RFC 3339, in UTC. */
  readonly from: string;
  /** The time of the last one. */
  readonly to: string;
  readonly records: number;
  /** How many records could not be written when they should have been. */
  readonly missing: number;
}

/** A call that whoever made it approved too. */
export interface SelfApproval {
  /** `name@version`. */
  readonly tool: string;
  readonly principal: string;
}

interface Counting {
  started: number;
  ended: number;
  asked: number;
  refused: number;
  denied: number;
}

/** What nobody is known by in the trail. */
const NOBODY = Symbol('nobody');

/** Adds up the records of a trail. */
export class Use {
  private readonly counts = new Map<string | typeof NOBODY, Map<string, Counting>>();
  private readonly approvals = new Map<string, SelfApproval>();
  private readonly unknown = new Set<string>();
  private first: string | undefined;
  private last: string | undefined;
  private records = 0;
  private missing = 0;

  /** Adds a record. */
  add({ time, kind, tool, principalId, outcome, by, missing }: AuditEvent): void {
    this.records += 1;
    // Those of several files need not come in their order.
    if (this.first === undefined || time < this.first) this.first = time;
    if (this.last === undefined || time > this.last) this.last = time;
    this.missing += missing ?? 0;
    if (tool === undefined || kind === 'settled') return;
    const counting = this.counting(principalId ?? NOBODY, splitToolReference(tool).name);
    if (kind === 'call_started') counting.started += 1;
    if (kind === 'call_ended') counting.ended += 1;
    if (kind === 'call_refused') counting.refused += 1;
    if (kind === 'denied') counting.denied += 1;
    if (kind === 'approval_requested' || kind === 'approval_decided') counting.asked += 1;
    // A caller whom nobody knew and who was denied is what is meant to happen.
    if (typeof principalId !== 'string' && kind !== 'denied') this.unknown.add(tool);
    const isApproval = kind === 'approval_decided' && (outcome === 'approve' || outcome === 'edit');
    if (isApproval && typeof principalId === 'string' && by === principalId) {
      this.approvals.set(JSON.stringify([tool, principalId]), { tool, principal: principalId });
    }
  }

  /** The time that the trail covers; undefined: it has no records. */
  get period(): TrailPeriod | undefined {
    const { first: from, last: to, records, missing } = this;
    return from === undefined || to === undefined ? undefined : { from, to, records, missing };
  }

  /** Who approved their own calls. */
  get selfApprovals(): readonly SelfApproval[] {
    return [...this.approvals.values()];
  }

  /** The tools, as `name@version`, of which calls without a principal were let through. */
  get calledByNobody(): readonly string[] {
    return [...this.unknown];
  }

  /** The principals of the trail, whose ids are cut there where they are long. */
  get principals(): readonly string[] {
    return [...this.counts.keys()].filter((id) => typeof id === 'string');
  }

  /** The names of the tools of which a principal's calls were let through. */
  namesUsedBy(principal: string): readonly string[] {
    const ofPrincipal = [...(this.counts.get(shortId(principal)) ?? [])];
    return ofPrincipal
      .filter(([, { started, ended, asked, refused }]) => started + ended + asked + refused > 0)
      .map(([name]) => name);
  }

  /** The names of the tools for which a principal lacked a scope at least once. */
  namesDeniedTo(principal: string): readonly string[] {
    const ofPrincipal = [...(this.counts.get(shortId(principal)) ?? [])];
    return ofPrincipal.filter(([, { denied }]) => denied > 0).map(([name]) => name);
  }

  /** The calls of a tool by a principal. */
  countsOf(principal: string, name: string): CallCounts {
    const counting = this.counts.get(shortId(principal))?.get(name);
    if (counting === undefined) return NO_CALLS;
    const { started, ended, refused, denied } = counting;
    return { calls: Math.max(started, ended), refused, denied };
  }

  /** The calls of all tools by a principal. */
  totalOf(principal: string): CallCounts {
    const names = [...(this.counts.get(shortId(principal))?.keys() ?? [])];
    return names
      .map((name) => this.countsOf(principal, name))
      .reduce(
        (sum, { calls, refused, denied }) => ({
          calls: sum.calls + calls,
          refused: sum.refused + refused,
          denied: sum.denied + denied,
        }),
        NO_CALLS,
      );
  }

  private counting(principal: string | typeof NOBODY, name: string): Counting {
    const ofPrincipal = this.counts.get(principal) ?? new Map<string, Counting>();
    this.counts.set(principal, ofPrincipal);
    const counting = ofPrincipal.get(name) ?? { started: 0, ended: 0, asked: 0, refused: 0, denied: 0 };
    ofPrincipal.set(name, counting);
    return counting;
  }
}
