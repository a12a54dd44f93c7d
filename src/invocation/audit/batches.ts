/**
 * Writes events together that come together, one batch after the other.
 * Invariant: events keep their order, and each hears what came of its own batch.
 */
import type { AuditEvent } from '../../contract/audit';

/** A longer batch is written in parts. */
const MAX_BATCH = 1_000;

interface Waiting {
  readonly event: AuditEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The events of one sink that wait to be written. */
export class Batches {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | undefined;

  /** @param write writes all or nothing. */
  constructor(private readonly write: (events: readonly AuditEvent[]) => Promise<void>) {}

  /** Settles once the event was written; rejects where its batch was not. */
  append(event: AuditEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ event, resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  /** Settles once nothing waits. */
  async idle(): Promise<void> {
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    // What is given in the same turn is written together.
    await undefined;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        await this.write(batch.map(({ event }) => event));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // At once, since who was just told may have given the next one by the time that this settles.
    this.writing = undefined;
  }
}
