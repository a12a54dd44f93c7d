/**
 * What a LangGraph run says about a call: who makes it, in which conversation, and in which turn.
 * Invariant: the principal comes from the run's `context`, which the application sets, never from the model.
 */
import { types } from 'node:util';
import { isBaseMessage } from '@langchain/core/messages';
import type { ToolRuntime } from '@langchain/core/tools';
import type { InvokeOptions } from '../contract/call';
import { isPrincipal, type Principal } from '../contract/principal';

/** Finds the principal of a run. */
export type PrincipalSource = (runtime: ToolRuntime) => Principal | undefined;

/** Takes `context.principal` of the run. */
export const principalFromContext: PrincipalSource = ({ context }) => {
  const principal =
    typeof context === 'object' && context !== null && 'principal' in context ? context.principal : undefined;
  return knownPrincipal(principal);
};

/** A new turn begins with every message of the user. */
function turnOf(state: unknown): string | undefined {
  const messages =
    typeof state === 'object' && state !== null && 'messages' in state ? state.messages : state;
  if (!Array.isArray(messages)) return undefined;
  const index = messages.findLastIndex((message) => isBaseMessage(message) && message.getType() === 'human');
  const message: unknown = messages[index];
  return isBaseMessage(message) ? (message.id ?? `human-${index}`) : undefined;
}

/** Whatever a source gives, what is no principal is nobody. */
function knownPrincipal(found: unknown): Principal | undefined {
  // Nobody waits for it, and a rejection that nobody hears ends the process.
  if (types.isPromise(found)) found.catch(() => {});
  return isPrincipal(found) ? found : undefined;
}

/** An id as text; undefined where there is none. */
function textOf(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The options of a call that a run makes. */
export function toInvokeOptions(runtime: ToolRuntime, principalOf: PrincipalSource): InvokeOptions {
  const threadId: unknown = runtime.configurable?.thread_id;
  return {
    principal: knownPrincipal(principalOf(runtime)),
    conversationId: textOf(threadId),
    turnId: turnOf(runtime.state),
    // Without an id of its own a call is a new one.
    callId: textOf(runtime.toolCallId) ?? textOf(runtime.toolCall?.id),
    signal: runtime.signal,
    onProgress: (update) => runtime.writer?.(update),
  };
}
