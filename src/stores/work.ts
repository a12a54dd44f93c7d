/**
 * What runs on a store.
 * Invariant: nothing begins after the store was closed, and it is closed when the last has ended.
 */
import { StoreError } from './store-error';

/** Runs the work of one store. */
export class Work {
  private readonly running = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  /** @param ready runs before each piece of work. */
  constructor(private readonly ready: () => Promise<void>) {}

  /** Whether the store was closed. */
  get isClosed(): boolean {
    return this.closing !== undefined;
  }

  /**
   * Runs a piece of work.
   *
   * @throws StoreError `closed`, or what is wrong with the tables.
   */
  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw closed();
    const running = this.ready().then(act);
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Takes no more work, and closes once what runs has ended. */
  close(act: () => Promise<void>): Promise<void> {
    this.closing ??= Promise.allSettled(this.running).then(act);
    return this.closing;
  }
}

/** What work hears after the store was closed. */
export function closed(): StoreError {
  return new StoreError('closed', 'The store is closed.');
}
