/**
 * Standard input whose end is held back.
 * Invariant: the end comes after everything that came in was taken, and after what that began has ended.
 */
import { Readable } from 'node:stream';

/** Hands on what comes in; once the input has ended, it ends when `settled` does. */
export class HeldInput extends Readable {
  private hasEnded = false;
  private isEnding = false;

  constructor(
    private readonly input: Readable,
    private readonly settled: () => Promise<void>,
  ) {
    super({ highWaterMark: 1 });
    input.on('data', this.handOn).on('end', this.onEnd).on('close', this.onEnd).on('error', this.onFault);
    if (input.readableEnded || input.destroyed) this.onEnd();
  }

  override _read(): void {
    // What is read now is handed on in the same turn.
    if (this.hasEnded) setImmediate(this.finish);
    else this.input.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.input
      .off('data', this.handOn)
      .off('end', this.onEnd)
      .off('close', this.onEnd)
      .off('error', this.onFault);
    // A process whose standard input flows does not end.
    if (this.input.listenerCount('data') === 0) this.input.pause();
    done(error);
  }

  private readonly handOn = (chunk: unknown): void => {
    if (!this.push(chunk)) this.input.pause();
  };

  private readonly onEnd = (): void => {
    this.hasEnded = true;
    if (this.readableLength === 0) this.finish();
  };

  private readonly onFault = (error: Error): void => {
    this.destroy(error);
  };

  private readonly finish = (): void => {
    if (this.isEnding || this.destroyed || this.readableLength > 0) return;
    this.isEnding = true;
    void this.settled().then(() => this.push(null));
  };
}
