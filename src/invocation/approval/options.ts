/**
 * What an application says about approval, and what holds where it says nothing.
 * Invariant: an option that is unknown or of the wrong kind is refused, since one that is overlooked would let
 * calls through.
 */
import type { ApprovalPolicy, ApprovalStore, Approver } from '../../contract/approval';
import { toCount } from '../../discovery/check-options';
import { MemoryApprovalStore } from './memory-store';

/** How calls are approved. */
export interface ApprovalOptions {
  /** Which calls need approval. Left out: those of `destructive` tools. */
  readonly policy?: ApprovalPolicy;
  /** Asks a person at once, where the door of a call asks nobody. */
  readonly approver?: Approver;
  /** Keeps what is decided later. Left out: the memory of this process. */
  readonly store?: ApprovalStore;
  /** How long somebody may take who is asked at once, in milliseconds; left out: ten minutes. */
  readonly timeoutMs?: number;
  /** How long a kept request may be decided, and its decision taken, in milliseconds; left out: a day. */
  readonly lifetimeMs?: number;
}

/** What holds for the calls of a toolkit. */
export interface ApprovalSettings {
  /** False: nobody is ever asked. */
  readonly isOn: boolean;
  readonly policy: ApprovalPolicy | undefined;
  readonly approver: Approver | undefined;
  readonly store: ApprovalStore;
  readonly timeoutMs: number;
  readonly lifetimeMs: number;
}

const OPTIONS: readonly string[] = ['policy', 'approver', 'store', 'timeoutMs', 'lifetimeMs'];
const STORE_METHODS = ['open', 'decide', 'take', 'get', 'list'] as const;
const TEN_MINUTES = 600_000;
const A_DAY = 86_400_000;

function refuse(what: string): never {
  throw new TypeError(`createToolkit: ${what}`);
}

/** Judges the option `approval`. */
export function toApprovalSettings(given: ApprovalOptions | false | undefined): ApprovalSettings {
  const options = given === false ? {} : (given ?? {});
  if (typeof options !== 'object') refuse('approval is neither false nor an object of options.');
  for (const option of Object.keys(options)) {
    if (!OPTIONS.includes(option))
      refuse(`approval has no option "${option}"; it has ${OPTIONS.join(', ')}.`);
  }
  const { policy, approver, store } = options;
  if (policy !== undefined && typeof policy !== 'function') refuse('approval.policy is no function.');
  if (approver !== undefined && typeof approver !== 'function') refuse('approval.approver is no function.');
  if (store !== undefined && !STORE_METHODS.every((method) => typeof store?.[method] === 'function')) {
    refuse(`approval.store is no store; it needs ${STORE_METHODS.join(', ')}.`);
  }
  return {
    isOn: given !== false,
    policy,
    approver,
    store: store ?? new MemoryApprovalStore(),
    timeoutMs: toCount('createToolkit', 'approval.timeoutMs', options.timeoutMs, TEN_MINUTES),
    lifetimeMs: toCount('createToolkit', 'approval.lifetimeMs', options.lifetimeMs, A_DAY),
  };
}
