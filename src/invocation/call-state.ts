/**
 * The one mutable record of a call while it runs.
 * Invariant: interceptors see it as a read-only `ToolCall`; only the built-in stages write to it.
 */
import { hash, randomUUID } from 'node:crypto';
import { canonicalize } from 'json-canonicalize';
import type { InvokeOptions, Stage, ToolCall } from '../contract/call';
import type { Class } from '../contract/class';
import type { Logger, ToolContext } from '../contract/context';
import { hush } from '../contract/hush';
import type { ClientQuestion, RequestInputOptions } from '../contract/input';
import type { CallException } from '../contract/observer';
import type { ToolResult } from '../contract/result';
import type { Violation } from '../contract/schema';
import type { ToolSpec } from '../contract/tool';
import type { JsonValue } from '../errors/body';
import { Deadline } from './deadline';
import { type AskingCall, ask } from './input/ask';
import { askClient } from './input/ask-client';
import { Effect, type LateHearer } from './ledger/effect';
import { progressTo } from './progress';
import type { Scrubber } from './scrub';

/** SHA-256 of a value in canonical JSON (RFC 8785), in hexadecimal. */
export function sha256(value: unknown): string {
  return hash('sha256', canonicalize(value) ?? 'null', 'hex');
}

/** The same promise, which ends no process where a handler does not wait for it. */
function heard<T>(asked: Promise<T>): Promise<T> {
  hush(asked);
  return asked;
}

/** What calls are made with. */
export interface CallTools {
  readonly logger: Logger;
  /** Makes a logger whose entries carry the fields that it is given. */
  readonly loggerWith: (fields: () => object) => Logger;
  readonly scrubber: Scrubber;
}

/** One call on its way. */
export class CallState implements ToolCall {
  spec: ToolSpec | undefined;
  input: unknown;
  argumentHash: string | undefined;
  /** That of the arguments as they were sent, whatever a reviewer has made of them. */
  sentHash: string | undefined;
  /** The arguments as JSON, from which `input` was parsed. */
  json: JsonValue | undefined;
  private endsAt: number | undefined;
  /** Whether the clock that runs is the handler's. */
  private isArmed = false;
  /** Whether the caller leaves the handler less time than the tool has. */
  isHurried = false;
  private ownKey: string | undefined;
  private madeKey: string | undefined;
  /**
   * `answered`: it goes on unapproved, only for what the ledger answers, and may claim nothing. `vanished`: the ledger
   * answered no more, and nothing was done.
   */
  unapproved: 'answered' | 'vanished' | undefined;
  /** The request for approval whose decision it goes by. */
  approvalId: string | undefined;
  /** How many questions the handler has asked, in this attempt. */
  questions = 0;
  /** Whether its beginning, or that its caller was denied it, was given to the audit trail. */
  isAudited = false;
  /** What is known of the action. */
  readonly effect = new Effect();
  /** Set while the call holds a claim, and afterwards. */
  late: LateHearer | undefined;
  private ownLogger: Logger | undefined;
  /** The handler that ran when the call was stopped, and may run still. */
  unsettled: Promise<unknown> | undefined;
  /** What the handler answered, not yet checked. */
  output: unknown;
  /** What an author's code threw while it was written; for the log. */
  outputFault: unknown;
  /** Where an interceptor stands whose answer took the place of the rest's. */
  answeredAt: Stage | undefined;
  /** The JSON of what the handler answered, once it was checked. */
  outputJson: string | undefined;
  /** Whether its caller was found not to hold the scopes, whatever an interceptor makes of that. */
  isDenied = false;
  /** Why the arguments were refused, where they were. */
  violations: readonly Violation[] | undefined;
  /** The trace that the call is part of, in 32 hexadecimal digits. */
  traceId: string | undefined;
  /** The last thing thrown that nobody has foreseen. */
  exception: CallException | undefined;
  /** What the output check made of it. */
  result: ToolResult<JsonValue> | undefined;
  readonly arguments: unknown;
  readonly deadline: Deadline;
  readonly context: ToolContext;
  readonly notes = new Map<string, JsonValue>();

  constructor(
    readonly reference: string,
    args: unknown,
    readonly options: InvokeOptions,
    { logger, loggerWith, scrubber }: CallTools,
  ) {
    this.arguments = args;
    this.deadline = new Deadline(options.signal);
    const idempotencyKey = () => this.idempotencyKey();
    const loggerOfCall = () => {
      this.ownLogger ??= loggerWith(() => this.name());
      return this.ownLogger;
    };
    this.context = Object.freeze({
      principal: options.principal,
      conversationId: options.conversationId,
      turnId: options.turnId,
      callId: options.callId ?? randomUUID(),
      get idempotencyKey() {
        return idempotencyKey();
      },
      signal: this.deadline.signal,
      get logger() {
        return loggerOfCall();
      },
      progress: progressTo(options.onProgress, () => this.deadline.isOver, logger, scrubber),
      requestInput: <T extends object>(model: Class<T>, question: RequestInputOptions) =>
        heard(ask(this.asking(), model, question)),
      requestFromClient: (question: ClientQuestion) => heard(askClient(this.asking(), question)),
    });
  }

  /** What tells this call in a log. */
  name(): { readonly tool: string; readonly callId: string } {
    return { tool: this.spec?.key ?? this.reference, callId: this.context.callId };
  }

  /** Takes the parsed arguments, and the JSON that they were parsed from. */
  accept(input: unknown, json: JsonValue): void {
    this.input = input;
    this.json = json;
    // First, since an author's code that fails leaves a call without a key.
    this.ownKey = this.spec?.idempotencyKey?.(input);
    this.madeKey = undefined;
    this.argumentHash = sha256(json);
    this.sentHash ??= this.argumentHash;
  }

  /** Starts the clock anew with a bound in milliseconds, or with the caller's where that is shorter. */
  armFor(boundMs: number): void {
    this.isArmed = false;
    this.deadline.arm(this.bounded(boundMs));
  }

  /** Starts the clock of the handler, which attempts, and the waiting for them, share. */
  armHandler(boundMs: number): void {
    if (this.isArmed) return;
    this.isArmed = true;
    // By a clock that nobody sets.
    const now = performance.now();
    const ownMs = this.bounded(boundMs);
    this.isHurried = ownMs < boundMs;
    this.endsAt ??= now + ownMs;
    this.deadline.arm(Math.max(1, Math.ceil(this.endsAt - now)));
  }

  /** The time that is left for the handler, in milliseconds. */
  get remainingMs(): number {
    return (this.endsAt ?? Number.POSITIVE_INFINITY) - performance.now();
  }

  isPause(error: unknown): boolean {
    try {
      const answer: unknown = this.options.isPause?.(error);
      if (answer !== true) hush(answer);
      return answer === true;
    } catch {
      return false;
    }
  }

  /** The call as its handler's questions see it. */
  private asking(): AskingCall {
    const { principal, conversationId, callId, signal } = this.context;
    return {
      callId,
      signal,
      requester: this.options.inputRequester,
      clientRequester: this.options.clientRequester,
      tool: () => this.name().tool,
      count: () => {
        this.questions += 1;
        return this.questions;
      },
      isOver: () => this.deadline.isOver,
      bind: (question) => {
        const caller = [principal?.id ?? null, conversationId ?? null];
        return sha256([this.name().tool, this.argumentHash ?? '', ...caller, ...question]);
      },
    };
  }

  private bounded(boundMs: number): number {
    const { timeoutMs: asked } = this.options;
    return typeof asked === 'number' && asked > 0 ? Math.min(boundMs, asked) : boundMs;
  }

  private idempotencyKey(): string {
    this.madeKey ??= this.makeKey();
    return this.madeKey;
  }

  private makeKey(): string {
    const { principal, conversationId, callId } = this.context;
    const name = this.spec?.name ?? this.reference;
    const parts =
      this.ownKey === undefined
        ? [name, principal?.id ?? null, conversationId ?? null, callId]
        : [name, this.ownKey];
    // Of texts and nulls in a list, JSON has one form, and it is the canonical one.
    return hash('sha256', JSON.stringify(parts), 'hex');
  }
}
