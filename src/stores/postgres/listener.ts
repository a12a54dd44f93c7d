/**
 * Hears of changes by LISTEN, on one connection that is taken only while somebody waits.
 * Invariant: no wait depends on it: where it cannot listen, looks follow each other more closely.
 */
import type { Hearing } from '../tables';
import type { PostgresClient, PostgresPool } from './pool';

/** The channel; what is sent is the key. */
export const CHANNEL = 'toolcrib_ledger';

/** How many connections of a pool listen, or are about to. Stores that share a pool share its options. */
const ears = new WeakMap<object, number>();
/** What `pg` takes where a pool says nothing. */
const POOL_MAX = 10;

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
    if (this.connecting !== undefined || this.ear !== undefined || !this.hasRoom()) return;
    this.count(1);
    this.connecting = this.listen()
      .catch(() => {})
      .finally(() => {
        this.connecting = undefined;
      });
  }

  /** The last connection of a pool is needed for queries. */
  private hasRoom(): boolean {
    const { options } = this.pool;
    return (ears.get(options ?? this.pool) ?? 0) + 1 < (options?.max ?? POOL_MAX);
  }

  private count(more: 1 | -1): void {
    const pool = this.pool.options ?? this.pool;
    ears.set(pool, (ears.get(pool) ?? 0) + more);
  }

  private async listen(): Promise<void> {
    const client = await this.pool.connect().catch((error: unknown) => {
      this.count(-1);
      throw error;
    });
    const ear = new Ear(
      client,
      () => this.wake?.(),
      () => this.drop(ear),
      () => this.count(-1),
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
    private readonly onGivenBack: () => void,
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
    this.onGivenBack();
  }
}
