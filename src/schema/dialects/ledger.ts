/**
 * Keeps what a projection gave up, and what it could not carry.
 * Invariant: each change and each refusal is listed once, in the order in which it was met.
 */
import type { SchemaChange } from '../../contract/dialect';

/** Something that a dialect cannot carry. */
export interface Refusal {
  readonly pointer: string;
  readonly reason: string;
}

/** Collects changes and refusals. */
export class Ledger {
  private readonly noted = new Map<string, SchemaChange>();
  private readonly refused = new Map<string, Refusal>();

  /** Notes a change; text is left out where there is none. */
  note(pointer: string, keyword: string, change: SchemaChange['change'], text?: string): void {
    const entry = Object.freeze({ pointer, keyword, change, ...(text === undefined ? {} : { text }) });
    this.noted.set(JSON.stringify([pointer, keyword, change, text]), entry);
  }

  /** Refuses a place. The first reason stands. */
  refuse(pointer: string, reason: string): void {
    if (!this.refused.has(pointer)) this.refused.set(pointer, { pointer, reason });
  }

  /** Tells whether a place itself is refused. */
  isRefused(pointer: string): boolean {
    return this.refused.has(pointer);
  }

  get changes(): readonly SchemaChange[] {
    return Object.freeze([...this.noted.values()]);
  }

  get refusals(): readonly Refusal[] {
    return [...this.refused.values()];
  }
}
