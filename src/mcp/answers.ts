/**
 * The questions that clients are asked, and the answers that they send.
 * Invariant: whatever has not the form of an answer is none, and its question is asked again.
 */
import { inputRequired, isSpecType, type InputRequest as WireRequest } from '@modelcontextprotocol/server';
import type { ClientRequest, InputAnswer } from '../contract/input';
import { isObject } from '../contract/json-object';

/** An answer as it came; its content is not validated. */
export type GivenAnswer = InputAnswer<unknown>;

/** Reads an answer (MCP 2026-07-28, ElicitResult); undefined where it is none. */
function toAnswer(given: unknown): GivenAnswer | undefined {
  if (!isObject(given)) return undefined;
  const { action, content } = given;
  if (action === 'decline' || action === 'cancel') return { action };
  return action === 'accept' ? { action, content: content ?? {} } : undefined;
}

/** One question, as MCP carries it, and how its answer is read: undefined where it is none. */
export interface WireQuestion<T> {
  readonly request: WireRequest;
  readonly read: (given: unknown) => T | undefined;
}

/** A form for the person. @throws TypeError where MCP has no such form. */
export function toFormQuestion(key: string, form: unknown): WireQuestion<GivenAnswer> {
  if (!isSpecType.ElicitRequestFormParams(form))
    throw new TypeError(`MCP has no form for the question ${key}`);
  return { request: inputRequired.elicit(form), read: toAnswer };
}

/** A question for the client itself. @throws TypeError where it has not the form of MCP's. */
export function toClientQuestion({ method, params, key }: ClientRequest): WireQuestion<object> {
  if (method === 'roots/list') {
    const read = (given: unknown) => (isSpecType.ListRootsResult(given) ? given : undefined);
    return { request: inputRequired.listRoots(), read };
  }
  const asked: unknown = structuredClone(params);
  if (!isSpecType.CreateMessageRequestParams(asked)) {
    throw new TypeError(`the question ${key} has not the parameters of sampling/createMessage`);
  }
  const read = (given: unknown) => (isSpecType.CreateMessageResult(given) ? given : undefined);
  return { request: inputRequired.createMessage(asked), read };
}
