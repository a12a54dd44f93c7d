/**
 * Calls that ask the person at the client, and so take several requests (MCP 2026-07-28, Multi Round-Trip Requests).
 * Invariant: a state is taken only for the tool, the arguments and the principal that it was made for, and an answer
 * only for the question that it was given to.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type InputRequest as WireRequest,
} from '@modelcontextprotocol/server';
import type { ApprovalDecision, ApprovalRequest } from '../contract/approval';
import type { InvokeOptions } from '../contract/call';
import type { ClientRequest, InputRequest } from '../contract/input';
import { isObject } from '../contract/json-object';
import type { Principal } from '../contract/principal';
import type { ToolSpec } from '../contract/tool';
import { definitionHash } from '../invocation/approval/definition-hash';
import { sha256 } from '../invocation/call-state';
import { type GivenAnswer, toClientQuestion, toFormQuestion, type WireQuestion } from './answers';
import { APPROVAL_FORM, decisionIn, toApprovalMessage } from './approval-form';
import type { DecidedCalls } from './decided-calls';

/** How long a client may take for its next request. */
const TTL_SECONDS = 600;
/** How long a state with a decision can be taken, from when the person was asked for it. */
export const APPROVAL_TTL_MS = TTL_SECONDS * 1_000;
/** In bytes. */
const KEY_BYTES = 32;
/** The key of a question that has no name, which says nothing of what was asked. */
const NUMBER = /^[0-9]+$/;
/** The question whether a call may run. */
const APPROVAL_KEY = 'approval';

/** What travels through the client: signed, and readable to it. */
interface State {
  readonly callId: string;
  /** What the call is, and whose. */
  readonly call: string;
  /** By key, the bindings of the questions that the client was asked. */
  readonly asked: readonly (readonly [key: string, binding: string])[];
  /** By binding, what was answered in earlier rounds, as it came. */
  readonly given: readonly (readonly [binding: string, answer: unknown])[];
  /** When approval was first asked for, in milliseconds since 1970; left out: it was not. */
  readonly approvalAt?: number;
}

/** One request of a call. */
export interface RoundCall {
  readonly spec: ToolSpec;
  /** As they came. */
  readonly args: unknown;
  readonly principal: Principal | undefined;
  /** What the client sent back, once its signature was found to be ours; undefined: the call begins. */
  readonly state: unknown;
  /** As they came. */
  readonly responses: unknown;
  /** Whether the client can be sent a question while a call runs. */
  readonly canCarry: boolean;
  /** Whether the client can show a form. */
  readonly canAsk: boolean;
  /** Whether who is at the client may approve calls. */
  readonly mayApprove: boolean;
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/** Reads a state. Another version of this package may have signed it. */
function toState(given: unknown): State | undefined {
  if (!isObject(given) || typeof given.callId !== 'string' || typeof given.call !== 'string')
    return undefined;
  const { callId, call, asked, given: before, approvalAt } = given;
  if (approvalAt !== undefined && typeof approvalAt !== 'number') return undefined;
  if (!Array.isArray(asked) || !Array.isArray(before)) return undefined;
  const pairs = asked
    .filter(isPair)
    .flatMap(([key, binding]) => (typeof binding === 'string' ? [[key, binding] as const] : []));
  const state = { callId, call, asked: pairs, given: before.filter(isPair) };
  return approvalAt === undefined ? state : { ...state, approvalAt };
}

/** As the SDK answers what was not signed by us. */
function refused(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

/** What a call is, and whose, in one word. */
function callHash({ spec, args, principal }: RoundCall): string {
  // A tool may be replaced under its name and version while somebody is asked.
  return sha256(['tools/call', spec.key, definitionHash(spec), principal?.id ?? null, args ?? {}]);
}

function isOf(state: State, call: RoundCall): boolean {
  try {
    return state.call === callHash(call) && Date.now() - (state.approvalAt ?? Date.now()) < APPROVAL_TTL_MS;
  } catch {
    // Arguments of this depth have passed no validation, so nobody was asked about them.
    return false;
  }
}

/** Thrown through a call whose client is asked; of one request alone. */
class Pause extends Error {
  constructor() {
    super('the client is asked; let this pass');
    this.name = 'InputRequired';
  }
}

/** One request of a call that may ask. */
export class Round {
  readonly callId: string;
  private pause: Pause | undefined;
  private isMute = false;
  private approvalAt: number | undefined;
  /** Set where the call goes by what the person has decided. */
  private decision: ApprovalDecision | undefined;
  private readonly given: Map<string, unknown>;
  /** By key, what a client sent to questions with names that it has not heard from us. */
  private readonly unasked = new Map<string, unknown>();
  /** The bindings of questions that the client has given no answer to, and is not asked again. */
  private readonly unanswered = new Set<string>();
  private readonly asked = new Map<string, { readonly binding: string; readonly request: WireRequest }>();

  /** @throws ProtocolError -32602 where the state is of another call, or the person was asked too long ago. */
  constructor(
    private readonly call: RoundCall,
    private readonly codec: RequestStateCodec<State>,
    private readonly decided: DecidedCalls,
  ) {
    const state = call.state === undefined ? undefined : toState(call.state);
    if (call.state !== undefined && (state === undefined || !isOf(state, call))) throw refused();
    this.callId = state?.callId ?? randomUUID();
    this.approvalAt = state?.approvalAt;
    this.given = new Map(state?.given);
    const asked = new Map(state?.asked);
    for (const [key, response] of isObject(call.responses) ? Object.entries(call.responses) : []) {
      const binding = asked.get(key);
      if (binding !== undefined) this.given.set(binding, response);
      else if (state === undefined && !NUMBER.test(key)) this.unasked.set(key, response);
    }
  }

  /** What the call is made with. */
  get options(): Pick<
    InvokeOptions,
    'callId' | 'isPause' | 'approver' | 'inputRequester' | 'clientRequester'
  > {
    if (!this.call.canCarry) return {};
    const carried = {
      callId: this.callId,
      isPause: (thrown: unknown) => this.isPaused(thrown),
      clientRequester: (request: ClientRequest) => this.resultOf(request),
    };
    if (!this.call.canAsk && this.call.state === undefined) return carried;
    return {
      ...carried,
      inputRequester: (request) => this.answerTo(request),
      ...this.approving,
    };
  }

  /** A call that was decided is not approved again; the ledger may still answer it. */
  private get approving(): Pick<InvokeOptions, 'approver'> {
    if (!this.call.mayApprove || !this.decided.hasRoom) return {};
    const before = this.decided.decisionOn(this.callId);
    if (before === undefined) return { approver: (request) => this.decisionOn(request) };
    return before.type === 'reject' ? { approver: () => before } : {};
  }

  /**
   * Runs one request of the call, behind others of it where it may have been decided, and keeps the decision that it
   * has ended by.
   */
  async run<T>(invoke: () => Promise<T>): Promise<T> {
    if (this.approvalAt === undefined) return invoke();
    return this.decided.inTurn(this.callId, async () => {
      let isPaused = false;
      try {
        return await invoke();
      } catch (thrown) {
        isPaused = this.isPaused(thrown);
        throw thrown;
      } finally {
        if (!isPaused && this.decision !== undefined) this.decided.note(this.callId, this.decision);
      }
    });
  }

  /** What the client is to be asked on a connection that stays open. */
  get questions(): ReadonlyMap<string, WireRequest> {
    return new Map([...this.asked].map(([key, { request }]) => [key, request] as const));
  }

  /** Takes the answers to these, by their keys; what is left out stays unanswered. Undefined: no more is asked. */
  resume(answers: ReadonlyMap<string, unknown> | undefined): void {
    this.isMute = answers === undefined;
    for (const [key, { binding }] of this.asked) {
      if (answers?.has(key) === true) this.given.set(binding, answers.get(key));
      else this.unanswered.add(binding);
    }
    this.asked.clear();
    this.pause = undefined;
  }

  /** Tells whether a call has ended with a question. */
  isPaused(thrown: unknown): boolean {
    return this.pause !== undefined && thrown === this.pause;
  }

  /** What the client is asked. */
  async required(): Promise<InputRequiredResult> {
    const asked = [...this.asked];
    const state = {
      callId: this.callId,
      call: callHash(this.call),
      asked: asked.map(([key, { binding }]) => [key, binding] as const),
      given: [...this.given],
      ...(this.approvalAt === undefined ? {} : { approvalAt: this.approvalAt }),
    };
    return inputRequired({
      inputRequests: Object.fromEntries(asked.map(([key, { request }]) => [key, request])),
      requestState: await this.codec.mint(state),
    });
  }

  private answerTo({ key, binding, message, schema, problem }: InputRequest): GivenAnswer | undefined {
    const told =
      problem === undefined ? message : `The last answer could not be taken: ${problem}\n${message}`;
    this.takeUnasked(key, binding);
    const form = { message: told, requestedSchema: structuredClone(schema) };
    return this.answer(key, binding, this.call.canAsk, () => toFormQuestion(key, form));
  }

  /** What a client has not declared, the SDK answers with -32021. */
  private resultOf(request: ClientRequest): object | undefined {
    const { key, binding } = request;
    this.takeUnasked(key, binding);
    return this.answer(key, binding, true, () => toClientQuestion(request));
  }

  /** Takes what a client that knows a question already has sent; once, or an invalid answer would never be asked again. */
  private takeUnasked(key: string, binding: string): void {
    const early = this.unasked.get(key);
    if (early !== undefined && !this.given.has(binding)) this.given.set(binding, early);
    this.unasked.delete(key);
  }

  private decisionOn(request: ApprovalRequest) {
    const message = toApprovalMessage(request);
    if (message === undefined) return undefined;
    const form = { message, requestedSchema: structuredClone(APPROVAL_FORM) };
    const question = () => toFormQuestion(APPROVAL_KEY, form);
    this.approvalAt ??= Date.now();
    const answer = this.answer(APPROVAL_KEY, request.binding, this.call.canAsk, question);
    const decision = answer === undefined ? undefined : decisionIn(answer);
    const { principalId } = request;
    // The form goes to whoever called.
    this.decision =
      decision === undefined || principalId === null ? decision : { ...decision, by: principalId };
    return this.decision;
  }

  /** The answer to a question; undefined where the client cannot be asked. Throws the pause to ask it. */
  private answer<T>(
    key: string,
    binding: string,
    canAsk: boolean,
    toQuestion: () => WireQuestion<T>,
  ): T | undefined {
    const { request, read } = toQuestion();
    const known = read(this.given.get(binding));
    if (known !== undefined || !canAsk || this.isMute || this.unanswered.has(binding)) return known;
    // Of two questions with one key the second waits for the next round.
    if (!this.asked.has(key)) this.asked.set(key, { binding, request });
    this.pause ??= new Pause();
    throw this.pause;
  }
}

/** Reads the key that states are signed with. @throws TypeError where it is shorter than 32 bytes. */
export function toStateKey(what: string, given: unknown): string | Uint8Array {
  const key = given ?? randomBytes(KEY_BYTES);
  const isKey = typeof key === 'string' || key instanceof Uint8Array;
  if (isKey && Buffer.byteLength(key) >= KEY_BYTES) return key;
  throw new TypeError(`${what}: requestStateKey is no text or Uint8Array of at least ${KEY_BYTES} bytes.`);
}

/** Makes what signs states and reads them. */
export function stateCodec(key: string | Uint8Array): RequestStateCodec<State> {
  return createRequestStateCodec<State>({ key, ttlSeconds: TTL_SECONDS });
}
