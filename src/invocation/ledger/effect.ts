/**
 * What is known of the action of one call, over all its attempts.
 * Invariant: an action counts as possible from the moment its handler begins until it is known for certain that
 * nothing was done, and no handler begins once the call's claim has ended.
 */

/** What is known of an action: that nothing was done, that something may have been, or that it was carried out. */
export type EffectState = 'none' | 'possible' | 'certain';

/** Follows the attempts of one call. */
export class Effect {
  private now: EffectState = 'none';
  private before: EffectState = 'none';
  private isClosed = false;

  get state(): EffectState {
    return this.now;
  }

  /** An attempt begins. */
  begin(): void {
    if (this.isClosed) throw new Error('the call has been answered, so its handler does not begin');
    this.before = this.now;
    this.now = 'possible';
  }

  /** The handler has answered. */
  happened(): void {
    this.now = 'certain';
  }

  /** This attempt did nothing; what is known of the former ones stands. */
  didNothing(): void {
    this.now = this.before;
  }

  /** No attempt begins from here on. */
  close(): void {
    this.isClosed = true;
  }
}

/** Hears how a handler ended whose call had been answered. */
export interface LateHearer {
  answered(output: unknown): Promise<void>;
  /** It failed, and certainly did nothing. */
  didNothing(): Promise<void>;
}
