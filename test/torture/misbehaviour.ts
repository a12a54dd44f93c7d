/**
 * What a misbehaving handler is, and how its tool is declared.
 * Invariant: a case says how each call of it must end; whatever a handler starts later is waited for by `ended`.
 */
import { BaseTool, Scopes, SideEffect, type SideEffectKind, type ToolContext } from 'toolcrib';
import { NoteInput } from '../fixtures/langgraph-tools';
import { declareTool } from '../fixtures/untyped-declarations';

/** How long a tool has, in milliseconds. */
export const TIMEOUT_MS = 40;

/** How a call ends: with a result, or with a code. */
export type Ending =
  | 'done'
  | 'torture_failed'
  | 'internal_error'
  | 'invalid_output'
  | 'timeout'
  | 'unavailable';

/** One way to misbehave. */
export interface Misbehaviour {
  readonly name: string;
  readonly ends: Ending;
  /** What `@Tool` says of the output; left out where nothing is declared. */
  readonly output?: unknown;
  handler(context: ToolContext): unknown;
}

/** A way to misbehave; how it ends is said for all of a list. */
export type Named = readonly [name: string, handler: (context: ToolContext) => unknown, output?: unknown];

/** Makes cases that end alike. */
export function ending(ends: Ending, cases: readonly Named[]): Misbehaviour[] {
  return cases.map(([name, handler, output]) => ({ name, ends, handler, output }));
}

const running = new Set<Promise<void>>();

/** Does something when the deadline has passed. */
export function afterDeadline(act: () => void): void {
  const done = new Promise<void>((resolve) => {
    setTimeout(() => {
      act();
      resolve();
    }, 2 * TIMEOUT_MS);
  }).finally(() => running.delete(done));
  running.add(done);
}

/** Settles when everything that handlers have put off has happened. */
export async function ended(): Promise<void> {
  await Promise.all(running);
  await new Promise(setImmediate);
}

/** A handler that throws what a function makes. */
export function throwing(make: () => unknown): () => never {
  return () => {
    throw make();
  };
}

/** The tool `torture.run` of a misbehaving handler. */
export function toolOf({ handler, output }: Misbehaviour, kind: SideEffectKind) {
  class Tortured extends BaseTool<NoteInput, unknown> {
    execute(_input: NoteInput, context: ToolContext): unknown {
      return handler(context);
    }
  }
  Scopes()(Tortured);
  SideEffect(kind)(Tortured);
  const declared = { name: 'torture.run', version: '1.0.0', description: 'Misbehaves', input: NoteInput };
  return declareTool({ ...declared, timeoutMs: TIMEOUT_MS, output }, Tortured);
}
