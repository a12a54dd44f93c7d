/**
 * A conversation with the agent, as people read it.
 * Invariant: every message of the conversation is in it, in order; a tool's answer is its wire envelope.
 */
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ApprovalDecision, WireResult } from 'toolcrib';
import type { ApprovalInterrupt } from 'toolcrib/langgraph';

/** What a reviewer decided on a call; undefined: nothing yet. */
interface Review {
  readonly from: 'reviewer';
  readonly request: ApprovalInterrupt;
  readonly decision: ApprovalDecision | undefined;
}

/** One thing that was said, asked of a tool, answered by one, or decided by a reviewer. */
export type TranscriptLine =
  | { readonly from: 'user' | 'agent'; readonly text: string }
  | { readonly from: 'agent'; readonly tool: string; readonly args: unknown }
  | { readonly from: 'tool'; readonly tool: string; readonly answer: WireResult }
  | Review;

function isWireResult(value: unknown): value is WireResult {
  return typeof value === 'object' && value !== null && 'isError' in value;
}

/** Reads the envelope that a tool's message carries. */
export function answerOf({ text }: ToolMessage): WireResult {
  try {
    const value: unknown = JSON.parse(text);
    if (isWireResult(value)) return value;
  } catch {
    // LangGraph answers in plain words where a model names a tool that does not exist.
  }
  return { isError: true, error: { code: 'unknown_tool', message: text, retryable: false } };
}

/** Turns messages into lines. */
export function toTranscript(messages: readonly BaseMessage[]): TranscriptLine[] {
  return messages.flatMap((message): TranscriptLine[] => {
    if (ToolMessage.isInstance(message)) {
      return [{ from: 'tool', tool: message.name ?? '', answer: answerOf(message) }];
    }
    if (!AIMessage.isInstance(message)) return [{ from: 'user', text: message.text }];
    const calls = (message.tool_calls ?? []).map(({ name, args }) => ({
      from: 'agent' as const,
      tool: name,
      args,
    }));
    return message.text === '' ? calls : [{ from: 'agent', text: message.text }, ...calls];
  });
}

function wordsFor(answer: WireResult): string {
  if (!answer.isError) return `answers ${JSON.stringify(answer.result)}`;
  const { code, message, retryable } = answer.error;
  return `fails with ${code}${retryable ? ', which may pass' : ''}: ${message}`;
}

function decisionInWords({ request: { tool }, decision }: Review): string {
  switch (decision?.type) {
    case 'approve':
      return `approves ${tool}`;
    case 'edit':
      return `changes ${tool} to ${JSON.stringify(decision.arguments)}`;
    case 'reject':
      return `rejects ${tool}${decision.reason === undefined ? '' : `: ${decision.reason}`}`;
    case undefined:
      return `has not decided on ${tool} yet; it waits, to be continued with --interactive`;
  }
}

function reviewInWords(review: Review): string {
  const { preview } = review.request;
  const seen = preview === undefined ? '' : ` (preview: ${JSON.stringify(preview)})`;
  return `${decisionInWords(review)}${seen}`;
}

/** Writes one line for a terminal. */
export function formatLine(line: TranscriptLine): string {
  if ('request' in line) return `review ${reviewInWords(line)}`;
  if ('answer' in line) return `tool   ${line.tool} ${wordsFor(line.answer)}`;
  if ('tool' in line) return `agent  calls ${line.tool} ${JSON.stringify(line.args)}`;
  return line.from === 'user' ? `\nuser   ${line.text}` : `agent  ${line.text}`;
}
