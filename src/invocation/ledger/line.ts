/**
 * A queue that anybody may leave, wherever they stand.
 * Invariant: the first is whoever came before all others that are still there; nothing here takes longer for a
 * longer queue, as the first of a Set does once many have left it.
 */

/** A place in a {@link Line}. */
export class Place<T> {
  before: Place<T> | undefined;
  after: Place<T> | undefined;

  constructor(readonly value: T) {}
}

/** A queue. */
export class Line<T> {
  private head: Place<T> | undefined;
  private tail: Place<T> | undefined;

  get first(): T | undefined {
    return this.head?.value;
  }

  /** Adds somebody as the last; gives the place by which they leave. */
  join(value: T): Place<T> {
    const place = new Place(value);
    place.before = this.tail;
    if (this.tail === undefined) this.head = place;
    else this.tail.after = place;
    this.tail = place;
    return place;
  }

  /** Takes a place out, which has to be one of this line. */
  leave(place: Place<T>): void {
    if (place.before === undefined) this.head = place.after;
    else place.before.after = place.after;
    if (place.after === undefined) this.tail = place.before;
    else place.after.before = place.before;
  }
}
