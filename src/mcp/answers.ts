/**
 * The answers that clients send to input requests.
 * Invariant: whatever has not the form of an answer is none, and its question is asked again.
 */
import type { InputAnswer } from '../contract/input';
import { isObject } from './json-object';

/** An answer as it came; its content is not validated. */
export type GivenAnswer = InputAnswer<unknown>;

/** Reads an answer (MCP 2026-07-28, ElicitResult); undefined where it is none. */
export function toAnswer(given: unknown): GivenAnswer | undefined {
  if (!isObject(given)) return undefined;
  const { action, content } = given;
  if (action === 'decline' || action === 'cancel') return { action };
  return action === 'accept' ? { action, content: content ?? {} } : undefined;
}
