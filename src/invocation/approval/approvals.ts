/**
 * Where an application lists the requests that wait for a person, and decides them.
 * Invariant: each request is decided once, by somebody who is named.
 */
import type { ApprovalDecision, ApprovalRecord, ApprovalState, ApprovalStore } from '../../contract/approval';
import { toJson } from '../../validation/to-json';

/** Who decides. */
export interface DecidedBy {
  /** The name or id of the person, as the application knows them. */
  readonly by: string;
}

/** Of which calls a person is asked: of none, of those of `destructive` tools, or as the application's policy says. */
export type ApprovalRule = 'never' | 'destructive' | 'policy';

/** The requests that wait for a person. */
export class Approvals {
  /** @internal */
  constructor(
    private readonly store: ApprovalStore,
    /** Of which calls a person is asked. */
    readonly asks: ApprovalRule = 'destructive',
  ) {}

  /** The oldest first; left out: those that are pending, and 100 of them. */
  list(query?: {
    readonly state?: ApprovalState | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly ApprovalRecord[]> {
    return this.store.list(query);
  }

  /** One request; undefined when there is none, or it has expired. */
  get(id: string): Promise<ApprovalRecord | undefined> {
    return this.store.get(id);
  }

  /** Lets the same call run once. False: the request is not, or no longer, pending. */
  approve(id: string, { by }: DecidedBy): Promise<boolean> {
    return this.decide(id, { type: 'approve' }, by);
  }

  /**
   * Lets the call run once with other arguments, which are validated then; what stays masked keeps its value.
   * False: the request is not, or no longer, pending.
   *
   * @throws TypeError when the arguments are not JSON.
   */
  async edit(id: string, args: unknown, { by }: DecidedBy): Promise<boolean> {
    const json = toJson(args);
    if (!json.ok) throw new TypeError('approvals.edit: the arguments are not JSON.');
    return this.decide(id, { type: 'edit', arguments: json.value }, by);
  }

  /**
   * Refuses the call, once: the next same call is told, and one after that asks again. False: the request is not, or
   * no longer, pending.
   */
  reject(id: string, { by, reason }: DecidedBy & { readonly reason?: string | undefined }): Promise<boolean> {
    return this.decide(id, { type: 'reject', ...(reason === undefined ? {} : { reason }) }, by);
  }

  private async decide(id: string, decision: ApprovalDecision, by: unknown): Promise<boolean> {
    if (typeof by === 'string' && by.trim() !== '') return this.store.decide(id, decision, by);
    throw new TypeError("approvals: say who decides, as in { by: 'ada' }.");
  }
}
