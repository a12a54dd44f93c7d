/**
 * Hears of changes by LISTEN, on one connection that is taken only while somebody waits.
 * Invariant: no wait depends on it: where it cannot listen, looks follow each other more closely.
 */
import type { Hearing } from '../tables';
import type { PostgresClient, PostgresPool } from './pool';

/** The channel; what is sent is the key. */
export const CHANNEL = 'toolcrib_ledger';

const LISTENING_MS = 2_000;
const DEAF_MS = 250;

/** Listens for one ledger. */
export class Listener implements Hearing {
  private wake: (() => void) | undefined;
  private ear: Ear | undefined;
  private connecting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly pool: PostgresPool) {}

  start(wake: () => void): void {
    this.wake = wake;
    this.connect();
  }

  stop(): void {
    this.wake = undefined;
    const { ear } = this;
    this.ear = undefined;
    if (ear !== undefined) this.closing = ear.close().catch(() => {});
  }

  delay(): number {
    if (this.ear !== undefined) return LISTENING_MS;
    this.connect();
    return DEAF_MS;
  }

  /** Settles once the connection was given back, after {@link stop}. */
  async idle(): Promise<void> {
    await this.connecting;
    await this.closing;
  }

  private connect(): void {
    // The only connection of a pool is needed for queries.
    if (this.connecting !== undefined || this.ear !== undefined || this.pool.options?.max === 1) return;
    this.connecting = this.listen()
      .catch(() => {})
      .finally(() => {
        this.connecting = undefined;
      });
  }

  private async listen(): Promise<void> {
    const client = await this.pool.connect();
    const ear = new Ear(
      client,
      () => this.wake?.(),
      () => this.drop(ear),
    );
    await ear.open();
    if (this.wake === undefined) return ear.close();
    this.ear = ear;
    // What changed before it listened was not heard.
    this.wake();
  }

  private drop(ear: Ear): void {
    if (this.ear === ear) this.ear = undefined;
  }
}

/** A connection that listens, until it is closed or breaks; either gives it back to its pool. */
class Ear {
  private isOpen = true;

  constructor(
    private readonly client: PostgresClient,
    private readonly onHeard: () => void,
    private readonly onBroken: () => void,
  ) {}

  async open(): Promise<void> {
    this.client.on('error', this.onError);
    this.client.on('notification', this.onHeard);
    await this.ask('listen');
  }

  async close(): Promise<void> {
    this.client.removeListener('notification', this.onHeard);
    // Whoever gets the connection next expects none of it.
    await this.ask('unlisten');
    this.giveBack(false);
  }

  private async ask(what: 'listen' | 'unlisten'): Promise<void> {
    try {
      await this.client.query(`${what} ${CHANNEL}`, []);
    } catch (error) {
      this.giveBack(true);
      throw error;
    }
  }

  private readonly onError = (): void => {
    this.giveBack(true);
    this.onBroken();
  };

  private giveBack(isBroken: boolean): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.client.removeListener('error', this.onError);
    this.client.removeListener('notification', this.onHeard);
    this.client.release(isBroken);
  }
}
