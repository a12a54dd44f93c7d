/**
 * What observers are told of a call: as it begins, and once it has ended.
 * Invariant: everything in it is frozen or a copy, and whatever a caller or an interceptor has left in a call, it can be
 * made without throwing.
 */
import { randomUUID } from 'node:crypto';
import type { InvokeOptions } from '../contract/call';
import { deepFreeze } from '../contract/deep-freeze';
import {
  APPROVAL_STEPS,
  type ApprovalStep,
  type CallException,
  type CallRecord,
  type DeclaredViolation,
  LIMITERS,
  type Limiter,
  type ObservedCall,
} from '../contract/observer';
import type { ToolResult } from '../contract/result';
import type { InputLimits } from '../contract/schema';
import type { ToolSpec } from '../contract/tool';
import { readTraceContext, type SoundTraceContext, type TraceContext } from '../contract/trace-context';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { snapshot } from '../validation/snapshot';
import { type CallState, sha256 } from './call-state';
import { declaredViolations } from './declared-path';
import { ledgerKeyOf } from './log-fields';
import { readObject, readText } from './mapping/read';
import type { Scrubber } from './scrub';

/** A call that begins, however little is known of it. */
export interface BegunCall {
  readonly reference: string;
  /** As they were given: they may be anything, and reading them may throw. */
  readonly options: InvokeOptions | undefined;
  /** Undefined where the call ends before its first stage. */
  readonly state: CallState | undefined;
}

/** How a call has ended; without a result it is paused. */
export interface CallEnd {
  readonly durationMs: number;
  readonly result: ToolResult<JsonValue> | undefined;
  readonly traceId: string | undefined;
}

const NONE: readonly DeclaredViolation[] = Object.freeze([]);
const NOTHING: object = Object.freeze({});

/** Reads what a door says of a trace. */
function traceContextOf(options: object): SoundTraceContext | undefined {
  const given = readObject(options, 'traceContext');
  if (given === undefined) return undefined;
  const said: TraceContext = {
    traceparent: readText(given, 'traceparent'),
    tracestate: readText(given, 'tracestate'),
    baggage: readText(given, 'baggage'),
  };
  return readTraceContext(said);
}

/** What observers are told of a call that begins: looked up when it is asked for, since most of it never is. */
class BegunCallView implements ObservedCall {
  readonly startedAt = Date.now();
  readonly callId: string;
  readonly #begun: BegunCall;
  readonly #find: (reference: string) => ToolSpec | undefined;
  #found: { readonly tool: ToolSpec | undefined } | undefined;

  constructor(begun: BegunCall, find: (reference: string) => ToolSpec | undefined) {
    this.#begun = begun;
    this.#find = find;
    const { state } = begun;
    this.callId = state?.context.callId ?? readText(this.#options, 'callId') ?? randomUUID();
    Object.freeze(this);
  }

  get reference(): string {
    return this.#begun.reference;
  }

  get tool(): ToolSpec | undefined {
    this.#found ??= { tool: this.#begun.state?.spec ?? this.#find(this.reference) };
    return this.#found.tool;
  }

  get principalId(): string | undefined {
    const principal = readObject(this.#options, 'principal');
    return principal === undefined ? undefined : readText(principal, 'id');
  }

  get conversationId(): string | undefined {
    return readText(this.#options, 'conversationId');
  }

  get turnId(): string | undefined {
    return readText(this.#options, 'turnId');
  }

  get traceContext(): SoundTraceContext | undefined {
    return traceContextOf(this.#options);
  }

  get #options(): object {
    const { options } = this.#begun;
    return typeof options === 'object' && options !== null ? options : NOTHING;
  }
}

/** What observers are told of a call that begins. `find` looks a tool up. */
export function observedCall(
  begun: BegunCall,
  find: (reference: string) => ToolSpec | undefined,
): ObservedCall {
  return new BegunCallView(begun, find);
}

function errorOf(result: ToolResult<JsonValue> | undefined): ToolErrorBody | undefined {
  if (result === undefined || result.success) return undefined;
  // A copy, since the caller is handed the answer and may change it.
  const { detail, ...body } = result.error;
  return Object.freeze(
    detail === undefined ? body : { ...body, detail: deepFreeze(structuredClone(detail)) },
  );
}

function violationsOf(
  state: CallState | undefined,
  error: ToolErrorBody | undefined,
): readonly DeclaredViolation[] {
  const { spec, violations = [] } = state ?? {};
  if (error?.code !== 'invalid_input' || spec === undefined || violations.length === 0) return NONE;
  return declaredViolations(spec.input.schema, violations);
}

function attemptsOf(state: CallState | undefined): number {
  if (state?.deadline.hasBegun !== true) return 0;
  const attempt = state.notes.get('attempt');
  return typeof attempt === 'number' ? attempt : 1;
}

function approvalOf(state: CallState | undefined): ApprovalStep | undefined {
  const noted = state?.notes.get('approval');
  return noted === undefined ? undefined : APPROVAL_STEPS.find((step) => step === noted);
}

function limiterOf(state: CallState | undefined, error: ToolErrorBody | undefined): Limiter | undefined {
  if (error?.code !== 'rate_limited' && error?.code !== 'unavailable') return undefined;
  const noted = state?.notes.get('breaker') === 'open' ? 'breaker' : state?.notes.get('limiter');
  return LIMITERS.find((limiter) => limiter === noted);
}

/** The hash of the arguments, or else of what was sent as the retry guard takes it. */
function argumentHashOf(state: CallState | undefined, limits: InputLimits): string | undefined {
  if (state === undefined || state.argumentHash !== undefined) return state?.argumentHash;
  const sent = snapshot(state.arguments ?? {}, limits);
  return sent.ok ? sha256(sent.value) : undefined;
}

/** As the ledger judges it, so that its unknown entries are what is counted. */
function isOutcomeUnknown(
  state: CallState | undefined,
  outcome: CallRecord['outcome'],
  error: ToolErrorBody | undefined,
): boolean {
  if (error?.code === 'outcome_unknown') return true;
  if (outcome === 'success' || state?.spec === undefined || state.spec.sideEffect.kind === 'none')
    return false;
  const isOnlyOutput = state.effect.state === 'certain' && error?.code === 'invalid_output';
  return state.effect.state !== 'none' && !isOnlyOutput;
}

/** What the records of a toolkit are made with. */
export interface RecordTools {
  readonly scrubber: Scrubber;
  /** Bounds of arguments. */
  readonly limits: InputLimits;
}

/** What observers are told of a call that has ended: worked out when it is asked for. */
class EndedCallView implements CallRecord {
  readonly outcome: CallRecord['outcome'];
  readonly error: ToolErrorBody | undefined;
  readonly #state: CallState | undefined;
  readonly #result: ToolResult<JsonValue> | undefined;
  readonly #tools: RecordTools;

  constructor(
    readonly call: ObservedCall,
    state: CallState | undefined,
    readonly durationMs: number,
    readonly traceId: string | undefined,
    result: ToolResult<JsonValue> | undefined,
    tools: RecordTools,
  ) {
    this.#state = state;
    this.#result = result;
    this.#tools = tools;
    this.outcome = result === undefined ? 'paused' : result.success ? 'success' : 'failure';
    this.error = errorOf(result);
    Object.freeze(this);
  }

  get isDenied(): boolean {
    return this.#state?.isDenied === true || this.error?.code === 'insufficient_scope';
  }

  get violations(): readonly DeclaredViolation[] {
    return violationsOf(this.#state, this.error);
  }

  get argumentHash(): string | undefined {
    return argumentHashOf(this.#state, this.#tools.limits);
  }

  get ledgerKey(): string | undefined {
    return this.#state && ledgerKeyOf(this.#state);
  }

  get isOutcomeUnknown(): boolean {
    return isOutcomeUnknown(this.#state, this.outcome, this.error);
  }

  get exception(): CallException | undefined {
    return this.error?.code === 'internal_error' ? this.#state?.exception : undefined;
  }

  get attempts(): number {
    return attemptsOf(this.#state);
  }

  get replayed(): boolean {
    return this.#state?.notes.get('replayed') === true;
  }

  get approval(): ApprovalStep | undefined {
    return approvalOf(this.#state);
  }

  get limiter(): Limiter | undefined {
    return limiterOf(this.#state, this.error);
  }

  arguments(): JsonValue | undefined {
    const json = this.#state?.json;
    return json === undefined ? undefined : this.#tools.scrubber.json(json);
  }

  result(): JsonValue | undefined {
    return this.#result?.success === true ? this.#tools.scrubber.json(this.#result.result) : undefined;
  }
}

/** What observers are told of a call that has ended. */
export function callRecord(
  call: ObservedCall,
  state: CallState | undefined,
  { durationMs, result, traceId }: CallEnd,
  tools: RecordTools,
): CallRecord {
  return new EndedCallView(call, state, durationMs, traceId, result, tools);
}
