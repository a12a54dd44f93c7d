/**
 * Says of a failed call what is known of its action.
 * Invariant: a failure after which the action may have begun is, on a tool with side effects, `outcome_unknown`;
 * it is retryable only where the tool is idempotent.
 */
import type { SideEffectDeclaration } from '../../contract/tool';
import type { ToolErrorBody } from '../../errors/body';
import type { Verdict } from './verdict';

const UNKNOWN = 'Whether the action took effect is not known.';

function join(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Makes the body of a failure. */
export function toOutcome(verdict: Verdict, { kind, idempotent }: SideEffectDeclaration): ToolErrorBody {
  const { code, happened, advice, retryable, started, detail, retryAfterMs } = verdict;
  const more = {
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  if (!started || kind === 'none') return { code, message: join(happened, advice), retryable, ...more };
  if (idempotent && retryable) {
    const message = join(happened, UNKNOWN, 'It is safe to call again with the same arguments.');
    return { code: 'outcome_unknown', message, retryable, ...more };
  }
  const message = join(happened, UNKNOWN, 'Find out before repeating the call.');
  return {
    code: 'outcome_unknown',
    message,
    retryable: false,
    ...(detail === undefined ? {} : { detail }),
  };
}
