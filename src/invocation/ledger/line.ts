/**
 * A queue that anybody may leave, wherever they stand.
 * Invariant: the first is whoever came before all others that are still there; nothing here takes longer for a
 * longer queue, as the first of a Set does once many have left it.
 */

/** What can stand in an {@link EntryLine}, in one at a time. */
export interface InLine<T> {
  before: T | undefined;
  after: T | undefined;
}

/** A queue. */
export class EntryLine<T extends InLine<T>> {
  private head: T | undefined;
  private tail: T | undefined;

  get first(): T | undefined {
    return this.head;
  }

  /** Adds somebody as the last. */
  join(one: T): void {
    one.before = this.tail;
    if (this.tail === undefined) this.head = one;
    else this.tail.after = one;
    this.tail = one;
  }

  /** Lets somebody go who stands in this very line. */
  leave(one: T): void {
    if (one.before === undefined) this.head = one.after;
    else one.before.after = one.after;
    if (one.after === undefined) this.tail = one.before;
    else one.after.before = one.before;
  }
}
