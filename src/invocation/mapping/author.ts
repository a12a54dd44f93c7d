/**
 * Asks the authors' mappings what an error means.
 * Invariant: a mapping that throws, or answers what is no body, is as good as none; whatever is wrong is told.
 */
import { types } from 'node:util';
import type { ErrorMapping, FailedCall } from '../../contract/mapping';
import type { FrameworkErrorCode } from '../../errors/codes';
import { memberOf } from '../../metadata/members';
import { codeFault, type ReadBody } from '../claimed-body';
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

/** A mapping, and whose it is. */
export interface Mapping {
  readonly of: 'tool' | 'toolkit';
  readonly map: ErrorMapping;
}

/** Hears what a mapping has thrown, or what is wrong with its answer. */
export type OnFault = (fault: unknown, of: Mapping['of']) => void;

/** What an answer comes to. */
interface Answer {
  readonly verdict?: Verdict;
  readonly faults: readonly string[];
}

function toAnswer(claimed: unknown, readBody: (claimed: object) => ReadBody): Answer {
  if (types.isPromise(claimed)) return { faults: ['it is a promise, and nobody waits for it'] };
  if (typeof claimed !== 'object' || claimed === null) return { faults: [`it is a ${typeof claimed}`] };
  const { body, faults } = readBody(claimed);
  if (body === undefined) return { faults };
  const { code, message, ...more } = body;
  const isDownstream = DOWNSTREAM_CODES.some((one) => one === code);
  const ofCode = isDownstream ? undefined : codeFault(code);
  if (ofCode !== undefined) return { faults: [ofCode] };
  const said = memberOf(claimed, 'started');
  const started = typeof said === 'boolean' ? said : OPEN_CODES.includes(code);
  return { verdict: { ...more, code, happened: message, advice: '', started }, faults };
}

/** What the first mapping that knows an error says of it. `onFault` hears of mappings that fail. */
export function askAuthors(
  thrown: unknown,
  call: FailedCall,
  mappings: readonly Mapping[],
  readBody: (claimed: object) => ReadBody,
  onFault: OnFault,
): Verdict | undefined {
  for (const { of, map } of mappings) {
    try {
      const claimed: unknown = map(thrown, call);
      if (claimed === undefined || claimed === null) continue;
      // Nobody waits for it, and a rejection that nobody hears ends the process.
      if (types.isPromise(claimed)) claimed.catch(() => {});
      const { verdict, faults } = toAnswer(claimed, readBody);
      if (faults.length > 0) {
        const end = verdict === undefined ? 'it is passed over' : 'the rest of it is answered';
        onFault(
          new TypeError(`mapError of the ${of} answered what is unsound: ${faults.join(', ')}; ${end}`),
          of,
        );
      }
      if (verdict !== undefined) return verdict;
    } catch (fault) {
      onFault(fault, of);
    }
  }
  return undefined;
}
