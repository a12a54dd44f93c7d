/**
 * What an application may say about the audit trail.
 * Invariant: what is no sink is refused when the toolkit is made, and not by the first call that needs it.
 */
import type { AuditSink } from '../../contract/audit';
import { refuseUnknownKeys } from '../../discovery/check-options';
import { memberOf } from '../../metadata/members';

/** Which calls run only where their beginning was recorded. */
export type AuditFailurePolicy = 'refuse' | 'refuse_destructive' | 'allow';

/** How calls are recorded. */
export interface AuditOptions {
  /** Where records are written; the application opens and closes it. */
  readonly sink: AuditSink;
  /**
   * What becomes of a call whose beginning cannot be recorded: `refuse` answers `unavailable`, and nothing runs;
   * `refuse_destructive` does so for `destructive` tools alone; `allow` lets every call run. Left out: `refuse`.
   */
  readonly onFailure?: AuditFailurePolicy;
}

const OPTIONS: readonly (keyof AuditOptions)[] = ['sink', 'onFailure'];
const POLICIES: readonly AuditFailurePolicy[] = ['refuse', 'refuse_destructive', 'allow'];

/**
 * Reads the option `audit`.
 *
 * @throws TypeError that names what is wrong.
 */
export function toAuditSettings(given: AuditOptions): Required<AuditOptions> {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError('createToolkit: audit is no object of options; write audit: { sink: … }.');
  }
  refuseUnknownKeys('createToolkit: audit', given, OPTIONS);
  const { sink, onFailure = 'refuse' } = given;
  if (typeof sink !== 'object' || sink === null || typeof memberOf(sink, 'append') !== 'function') {
    throw new TypeError('createToolkit: audit.sink has no append; give a sink, such as a FileAudit.');
  }
  if (!POLICIES.includes(onFailure)) {
    throw new TypeError(
      `createToolkit: audit.onFailure is ${String(onFailure)}; give ${POLICIES.join(', ')}, or leave it out.`,
    );
  }
  return { sink, onFailure };
}
