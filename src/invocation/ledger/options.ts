/**
 * What an application may say about the ledger.
 * Invariant: what is no ledger is refused when the toolkit is made, and not by the first call that needs it.
 */
import type { Interceptor, Stage } from '../../contract/call';
import type { Ledger } from '../../contract/ledger';
import { memberOf } from '../../metadata/members';
import { MemoryLedger } from './memory-ledger';

/** What an application may say about the ledger. */
export interface LedgerOptions {
  /**
   * Where calls with side effects are claimed, so that none is carried out twice. Left out: a `MemoryLedger`; false:
   * nothing is claimed, and a call that comes twice is carried out twice.
   */
  readonly ledger?: Ledger | false;
  /** Records the arguments of such calls, with secrets masked, beside their hash; left out: false. */
  readonly recordArguments?: boolean;
}

const METHODS: readonly (keyof Ledger)[] = ['claim', 'end', 'settled', 'get', 'list', 'settle'];

/** The stages within a claim: what stands there may change an output before it is recorded. */
const WITHIN: readonly Stage[] = ['execute', 'check_output', 'record'];

/**
 * Reads the ledger of a toolkit; undefined where there is none.
 *
 * @throws TypeError when it lacks a method.
 */
export function toLedger({ ledger = new MemoryLedger() }: LedgerOptions): Ledger | undefined {
  if (ledger === false) return undefined;
  const isObject = typeof ledger === 'object' && ledger !== null;
  const missing = METHODS.filter((name) => !isObject || typeof memberOf(ledger, name) !== 'function');
  if (missing.length === 0) return ledger;
  throw new TypeError(
    `createToolkit: ledger has no ${missing.join(', ')}; give a Ledger, or false to have none.`,
  );
}

/** Tells whether interceptors may change outputs after their handlers have answered. */
export function changeOutputs(interceptors: readonly Interceptor[]): boolean {
  return interceptors.some(({ stage }) => WITHIN.includes(stage));
}
