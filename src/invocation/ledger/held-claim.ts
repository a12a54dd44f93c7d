/**
 * A claim that a call holds, and how it ends.
 * Invariant: ending it never throws and never hangs, and whether that was recorded is known.
 */
import type { Logger } from '../../contract/context';
import type { Ledger, LedgerOutcome } from '../../contract/ledger';
import type { ToolResult } from '../../contract/result';
import { within } from '../../contract/within';
import type { JsonValue } from '../../errors/body';
import type { FrameworkErrorCode } from '../../errors/codes';
import { toContent } from '../../validation/content';
import { toJson } from '../../validation/to-json';
import type { CallState } from '../call-state';
import { type Failure, failure } from '../failure';
import { STORE_TIMEOUT_MS } from '../limits/rate';
import { logFields } from '../log-fields';
import { loggedOf } from '../logged-error';
import type { Scrubber } from '../scrub';
import { checkedOutput, specOf } from '../stages';
import type { LateHearer } from './effect';

/** What the stage `claim` needs. */
export interface ClaimOptions {
  readonly ledger: Ledger;
  /** Whether entries carry the arguments, with secrets masked, beside their hash. */
  readonly recordArguments: boolean;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  /** Deadline of tools that state none, in milliseconds. */
  readonly timeoutMs: number;
  /** Bound of the outputs of tools that state none, in bytes. */
  readonly maxResultBytes: number;
  /** Whether interceptors may change an output after its handler has answered. */
  readonly changesOutputs: boolean;
}

type Result = ToolResult<JsonValue>;

const unanswered = () => new Error('the ledger did not answer');

const LOST = 'the claim is no longer held';

/** What operators are told. */
export interface Told {
  readonly error: unknown;
  readonly message: string;
  /** What the call is answered, where that follows from it. */
  readonly code?: FrameworkErrorCode;
}

/** Tells operators of a ledger that failed a call. */
export function tell(
  call: CallState,
  { logger, scrubber }: ClaimOptions,
  level: 'error' | 'warn',
  { error, message, code }: Told,
): void {
  const fields = {
    ...logFields(call),
    ...(code === undefined ? {} : { code }),
    error: loggedOf(error, scrubber),
  };
  try {
    logger[level](fields, message);
  } catch {
    // A logger that throws must not cost the caller the answer.
  }
}

/** What is answered where an action was carried out and nothing can be said of its result. */
export function unrecorded(call: CallState): Failure {
  const message = `The action of ${specOf(call).name} was carried out, but its result could not be recorded and is lost. Do not repeat it.`;
  return failure('outcome_unknown', message);
}

/** A result as it may be recorded; what interceptors made of it may be no JSON. */
function toRecord(call: CallState, result: Result, scrubber: Scrubber): Result {
  if (!result.success) return { success: false, error: scrubber.body(result.error) };
  if (result === call.result) return result;
  const json = toJson(result.result);
  const blocks = toContent(result.content ?? [], Number.POSITIVE_INFINITY);
  if (!json.ok || !blocks.ok) return unrecorded(call);
  const { content } = blocks;
  return { success: true, result: json.value, ...(content.length === 0 ? {} : { content }) };
}

/** The claim that a call holds. */
export class HeldClaim implements LateHearer {
  constructor(
    private readonly options: ClaimOptions,
    private readonly call: CallState,
    private readonly key: string,
    private readonly token: string,
  ) {}

  /** Ends the claim; false, and operators are told, where that could not be recorded. */
  end(outcome: LedgerOutcome): boolean | Promise<boolean> {
    try {
      const ended = this.options.ledger.end(this.key, this.token, outcome);
      if (typeof ended !== 'boolean') return this.ending(ended, outcome);
      return ended || this.failed(outcome, new Error(LOST));
    } catch (error) {
      return this.failed(outcome, error);
    }
  }

  private async ending(ending: Promise<boolean>, outcome: LedgerOutcome): Promise<boolean> {
    try {
      return (await within(STORE_TIMEOUT_MS, ending, unanswered)) || this.failed(outcome, new Error(LOST));
    } catch (error) {
      return this.failed(outcome, error);
    }
  }

  private failed({ state }: LedgerOutcome, error: unknown): false {
    if (state === 'finished') {
      const message = 'an action was carried out and could not be recorded';
      tell(this.call, this.options, 'error', { error, message, code: 'outcome_unknown' });
    } else tell(this.call, this.options, 'warn', { error, message: 'a claim could not be ended' });
    return false;
  }

  /** What becomes of the claim when its call ends with a result. */
  outcomeOf(result: Result): LedgerOutcome {
    const { state } = this.call.effect;
    const recorded = toRecord(this.call, result, this.options.scrubber);
    if (recorded.success) {
      const json = recorded === this.call.result ? this.call.outputJson : undefined;
      return { state: 'finished', result: recorded, json };
    }
    if (state === 'none') return { state: 'free' };
    return state === 'certain' && recorded.error.code === 'invalid_output'
      ? { state: 'finished', result: recorded }
      : { state: 'unknown' };
  }

  async answered(output: unknown): Promise<void> {
    const { changesOutputs, maxResultBytes } = this.options;
    // What interceptors would have made of the output nobody knows, so a person has to settle it.
    if (changesOutputs) return;
    this.call.effect.happened();
    await this.end(this.outcomeOf(await checkedOutput(this.call, output, maxResultBytes)));
  }

  async didNothing(): Promise<void> {
    const { effect } = this.call;
    effect.didNothing();
    // An attempt before this one may have acted.
    if (effect.state === 'none') await this.end({ state: 'free' });
  }
}
