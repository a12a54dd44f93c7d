/**
 * Asks the authors' mappings what an error means.
 * Invariant: a mapping that throws, or answers what is no body, is as good as none, and its fault is told.
 */
import { types } from 'node:util';
import type { ErrorMapping, FailedCall } from '../../contract/mapping';
import type { ToolErrorBody } from '../../errors/body';
import type { FrameworkErrorCode } from '../../errors/codes';
import { isAuthorCode } from '../../errors/tool-error';
import { memberOf } from '../../metadata/members';
import type { Verdict } from './verdict';

/** The codes of the framework that a mapping may give, since they say what happened downstream. */
const DOWNSTREAM_CODES: readonly FrameworkErrorCode[] = [
  'invalid_input',
  'rate_limited',
  'timeout',
  'unavailable',
  'outcome_unknown',
  'internal_error',
];
/** Of these, those after which it is open whether the action had begun. */
const OPEN_CODES: readonly string[] = ['timeout', 'unavailable', 'outcome_unknown'];

/** Makes a clean body of what claims to be one. */
export type ToBody = (claimed: object) => ToolErrorBody | undefined;

function toVerdict(claimed: object, toBody: ToBody): Verdict | undefined {
  const body = toBody(claimed);
  if (body === undefined) return undefined;
  const { code, message, ...more } = body;
  if (!isAuthorCode(code) && !DOWNSTREAM_CODES.some((one) => one === code)) return undefined;
  const said = memberOf(claimed, 'started');
  const started = typeof said === 'boolean' ? said : OPEN_CODES.includes(code);
  return { ...more, code, happened: message, advice: '', started };
}

/** What the first mapping that knows an error says of it. `onFault` hears of mappings that fail. */
export function askAuthors(
  thrown: unknown,
  call: FailedCall,
  mappings: readonly ErrorMapping[],
  toBody: ToBody,
  onFault: (fault: unknown) => void,
): Verdict | undefined {
  for (const map of mappings) {
    try {
      const claimed: unknown = map(thrown, call);
      if (claimed === undefined || claimed === null) continue;
      // Nobody waits for it, and a rejection that nobody hears ends the process.
      if (types.isPromise(claimed)) claimed.catch(() => {});
      const verdict = typeof claimed === 'object' ? toVerdict(claimed, toBody) : undefined;
      if (verdict !== undefined) return verdict;
      onFault(new TypeError('mapError answered neither undefined nor { code, message, retryable }'));
    } catch (fault) {
      onFault(fault);
    }
  }
  return undefined;
}
