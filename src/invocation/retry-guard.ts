/**
 * Refuses a call that repeats a final failure unchanged, so that a model that loops gets no further.
 * Invariant: a call is refused only where the very same call failed for good in the same conversation, and
 * nothing that could change its outcome is known to have happened since.
 */
import type { Principal } from '../contract/principal';
import type { ToolResult } from '../contract/result';
import type { InputLimits } from '../contract/schema';
import type { ToolSpec } from '../contract/tool';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { snapshot } from '../validation/snapshot';
import { type CallState, sha256 } from './call-state';
import { failure } from './failure';
import type { EffectState } from './ledger/effect';
import { RecentMap, RecentSets } from './recent';

/** How long a failure counts within a conversation, and without one, in milliseconds. */
const CONVERSATION_MS = 10 * 60_000;
const PRINCIPAL_MS = 60_000;

/** How many failures, conversations and call ids are remembered in all; what was not used lately is forgotten. */
const MAX_FAILURES = 10_000;
const MAX_CONVERSATIONS = 10_000;
const MAX_CALL_IDS = 10_000;

/** Ids are kept as they are up to this length, and as a hash beyond it. */
const MAX_ID = 128;

/** Failures that are none of the call's own: its caller gave it up, or a person has yet to decide. */
const NOT_COUNTED: readonly string[] = ['cancelled', 'approval_required'];

/** What is known of a conversation; a new one stands for everything before it being forgotten. */
interface Memory {
  readonly turnId: string | undefined;
  readonly caller: Principal | undefined;
  hasFailed: boolean;
}

interface KnownFailure {
  /** The memory that it belongs to; once that is replaced, the failure counts no more. */
  readonly memory: Memory;
  /** What has failed; a tool that has since been replaced under its key may do better. */
  readonly spec: ToolSpec | undefined;
  readonly code: string;
  /** What is known of its action. */
  readonly effect: EffectState;
  readonly at: number;
  refusals: number;
}

/** Where a call belongs. */
interface Scope {
  readonly key: string;
  readonly lifetimeMs: number;
}

function bounded(id: string): string {
  return id.length > MAX_ID ? sha256(id) : id;
}

/**
 * The conversation of a call, or else its principal. Of callers that are neither known nor in a conversation
 * one could be refused what another has failed at, so they are not guarded.
 */
function scopeOf({ context: { conversationId, principal } }: CallState): Scope | undefined {
  if (typeof conversationId === 'string') {
    return { key: `conversation ${bounded(conversationId)}`, lifetimeMs: CONVERSATION_MS };
  }
  return typeof principal?.id === 'string'
    ? { key: `principal ${bounded(principal.id)}`, lifetimeMs: PRINCIPAL_MS }
    : undefined;
}

/** A copy of who is calling, which nobody changes. */
function copyOf(caller: Principal | undefined): Principal | undefined {
  return caller && { id: caller.id, scopes: [...caller.scopes] };
}

/** Tells whether two callers are one, with the same scopes in whatever order. */
function isSameCaller(one: Principal | undefined, other: Principal | undefined): boolean {
  if (one?.id !== other?.id || one?.scopes.length !== other?.scopes.length) return false;
  if (one === undefined || other === undefined) return one === other;
  if (one.scopes.every((scope, at) => scope === other.scopes[at])) return true;
  const [ours, theirs] = [one.scopes.toSorted(), other.scopes.toSorted()];
  return ours.every((scope, at) => scope === theirs[at]);
}

function isFinal({ code, retryable }: ToolErrorBody): boolean {
  return !retryable && !NOT_COUNTED.includes(code);
}

/** Tells whether an action was carried out, after which what failed before may succeed. */
function hasWritten(spec: ToolSpec | undefined, result: ToolResult<JsonValue>): boolean {
  if (spec?.sideEffect.kind === 'none') return false;
  return result.success || result.error.code === 'invalid_output';
}

/** What is known of the action of a call that failed with a code; a ledger may have answered for an earlier one. */
function effectOf({ spec, effect }: CallState, code: string): EffectState {
  if (code === 'outcome_unknown') return 'possible';
  return spec?.sideEffect.kind === 'none' ? 'none' : effect.state;
}

/** After an action that may have happened no other arguments are advised: they would make another of it. */
const ADVICE: { readonly [State in EffectState]: string } = {
  none: 'and would fail again, so it was not run. Change its arguments, do something else, or say that it cannot be done.',
  possible:
    'and was not run again. Whether its action took effect is not known: look up the present state, or ask a person. Do not repeat it, also not with other arguments.',
  certain:
    'and was not run again. Its action was carried out: look up the present state, or ask a person. Do not repeat it, also not with other arguments.',
};

function refusal(call: CallState, known: KnownFailure): ToolResult<JsonValue> {
  const { code: failedWith, refusals } = known;
  call.notes.set('refusals', refusals);
  const name = call.spec?.name ?? call.reference;
  const message = `This very call of ${name} has failed with ${failedWith} ${ADVICE[known.effect]}`;
  return failure('retry_refused', message, { detail: { failedWith, refusals } });
}

/** One call as the guard sees it. */
interface Guarded {
  readonly memory: Memory;
  readonly scope: Scope;
  readonly isReplay: boolean;
}

/** Remembers what has failed for good, and refuses it when it comes again. */
export class RetryGuard {
  private readonly failures = new RecentMap<KnownFailure>(MAX_FAILURES);
  private readonly memories = new RecentMap<Memory>(MAX_CONVERSATIONS);
  private readonly callIds = new RecentSets(MAX_CALL_IDS);

  /**
   * @param limits bounds of arguments; what exceeds them is never valid, and is not looked at here.
   * @param mayChange whether interceptors see arguments between here and their validation, and may change them.
   */
  constructor(
    private readonly limits: InputLimits,
    private readonly mayChange: boolean,
  ) {}

  /** Runs the rest of the way, or refuses. */
  async run(call: CallState, next: () => Promise<ToolResult<JsonValue>>): Promise<ToolResult<JsonValue>> {
    const guarded = this.look(call);
    if (guarded === undefined) return next();
    const { memory, isReplay } = guarded;
    const isAsked = memory.hasFailed && !isReplay;
    const asCalled = isAsked || this.mayChange ? this.hashOf(call) : undefined;
    if (isAsked) {
      const known = this.known(call, guarded, keyOf(call, guarded, asCalled));
      if (known !== undefined) {
        known.refusals += 1;
        return refusal(call, known);
      }
    }
    const running = next();
    // What `validate` has taken is a copy already; of anything else one is made before anybody could change it.
    const early = asCalled ?? call.argumentHash ?? this.hashOf(call);
    const result = await running;
    this.learn(call, guarded, result, early);
    return result;
  }

  /** What the guard needs of a call; undefined where it cannot be guarded. */
  private look(call: CallState): Guarded | undefined {
    try {
      const scope = scopeOf(call);
      if (scope === undefined) return undefined;
      return { scope, isReplay: this.isReplay(call, scope), memory: this.memoryOf(call, scope) };
    } catch {
      // Only a principal whose members throw gets here.
      return undefined;
    }
  }

  /** The hash of arguments that were not parsed; undefined where they exceed the bounds of any. */
  private hashOf({ arguments: given }: CallState): string | undefined {
    const copied = snapshot(given ?? {}, this.limits);
    return copied.ok ? sha256(copied.value) : undefined;
  }

  private isReplay({ options: { callId } }: CallState, { key }: Scope): boolean {
    return typeof callId === 'string' && this.callIds.add(key, bounded(callId));
  }

  private memoryOf(call: CallState, { key }: Scope): Memory {
    const { turnId } = call.context;
    const { principal } = call.context;
    const known = this.memories.get(key);
    const isSameTurn = turnId === undefined || turnId === known?.turnId;
    if (known !== undefined && isSameTurn && isSameCaller(known.caller, principal)) return known;
    const memory = { turnId: turnId ?? known?.turnId, caller: copyOf(principal), hasFailed: false };
    this.memories.set(key, memory);
    return memory;
  }

  private known(
    { spec }: CallState,
    { memory, scope }: Guarded,
    key: string | undefined,
  ): KnownFailure | undefined {
    const known = key === undefined ? undefined : this.failures.get(key);
    if (known === undefined || known.memory !== memory || known.spec !== spec) return undefined;
    return performance.now() - known.at < scope.lifetimeMs ? known : undefined;
  }

  private learn(
    call: CallState,
    guarded: Guarded,
    result: ToolResult<JsonValue>,
    hash: string | undefined,
  ): void {
    const memory = hasWritten(call.spec, result) ? this.renew(guarded) : guarded.memory;
    const isLearned = !result.success && isFinal(result.error);
    if (!isLearned && !memory.hasFailed) return;
    const key = keyOf(call, guarded, hash);
    if (key === undefined) return;
    if (isLearned) {
      memory.hasFailed = true;
      const { code } = result.error;
      const effect = effectOf(call, code);
      this.failures.set(key, { memory, spec: call.spec, code, effect, at: performance.now(), refusals: 0 });
    } else {
      this.failures.delete(key);
    }
  }

  /** Forgets every failure of a conversation. */
  private renew({ scope: { key }, memory }: Guarded): Memory {
    const renewed = { ...(this.memories.get(key) ?? memory), hasFailed: false };
    this.memories.set(key, renewed);
    return renewed;
  }
}

/** Which tool is called with which arguments, and where. */
function keyOf({ spec }: CallState, { scope }: Guarded, hash: string | undefined): string | undefined {
  return hash === undefined ? undefined : sha256([scope.key, spec?.key ?? null, hash]);
}
