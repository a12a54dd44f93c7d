/**
 * The trail of one toolkit: writes events to the sink, and keeps those that could not be written until they can.
 * Invariant: no event is written twice, and one that is lost is counted, told, and stands in the trail as a gap.
 */
import type { AuditEvent } from '../../contract/audit';
import type { Logger } from '../../contract/context';
import type { SideEffectKind } from '../../contract/tool';
import { within } from '../../contract/within';
import { STORE_TIMEOUT_MS } from '../limits/rate';
import { loggedOf } from '../logged-error';
import type { Scrubber } from '../scrub';
import { nowText } from './events';
import { IdMask } from './id-mask';
import type { AuditOptions } from './options';
import { UnrecordedError } from './unrecorded';

/** How many events wait for the sink, and how many are kept, at most. */
const MAX_KEPT = 10_000;
const RETRY_MS = 1_000;

/** What operators are told of an event that was not written. */
interface Told {
  readonly event: AuditEvent;
  /** Undefined: it was told before. */
  readonly error: unknown;
  readonly message: string;
  /** What the call is answered, where that follows from it. */
  readonly code?: string;
}

/** What the trail writes its own troubles to. */
export interface TrailOptions {
  readonly logger: Logger;
  readonly scrubber: Scrubber;
}

/** Writes the events of one toolkit. */
export class AuditTrail {
  private kept: AuditEvent[] = [];
  private dropped = 0;
  /** Events that the sink was given and has not settled. */
  private waiting = 0;
  /** Those of them that somebody has waited for in vain. */
  private overdue = 0;
  private lastGiven: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private retrying: Promise<void> | undefined;

  private readonly ids: IdMask;

  constructor(
    private readonly settings: Required<AuditOptions>,
    private readonly options: TrailOptions,
  ) {
    this.ids = new IdMask(options.scrubber);
  }

  /** Whether a call is refused whose beginning cannot be written. */
  refuses(kind: SideEffectKind): boolean {
    const { onFailure } = this.settings;
    return onFailure === 'refuse' || (onFailure === 'refuse_destructive' && kind === 'destructive');
  }

  /**
   * Makes sure, in a bounded time, that an event can be written, before something is changed that has to be recorded.
   *
   * @throws UnrecordedError where it cannot.
   */
  async ready(): Promise<void> {
    const readying = async () => this.settings.sink.ready?.();
    try {
      await within(STORE_TIMEOUT_MS, readying(), () => new Error('the audit sink did not answer'));
    } catch (error) {
      throw new UnrecordedError(error);
    }
  }

  /** Writes an event. Rejects, or throws, where it is not in the trail. */
  write(event: AuditEvent): void | Promise<void> {
    if (this.waiting >= MAX_KEPT) throw new Error(`${MAX_KEPT} records wait for the audit sink`);
    const writing = this.append(event);
    if (writing === undefined) return this.retrySoon();
    this.lastGiven = this.settle(writing);
    return this.lastGiven;
  }

  /** Gives an event to the sink, without what its caller has put into ids that is a credential. */
  private append(event: AuditEvent): void | Promise<void> {
    return this.settings.sink.append(this.ids.mask(event));
  }

  private async settle(writing: Promise<void>): Promise<void> {
    this.waiting += 1;
    try {
      await writing;
    } finally {
      this.waiting -= 1;
    }
    this.retrySoon();
  }

  /** Writes an event, or keeps it to be written later; nobody waits for it. */
  give(event: AuditEvent): void {
    try {
      this.write(event)?.catch((error: unknown) => this.keep(event, error));
    } catch (error) {
      this.keep(event, error);
    }
  }

  /** Writes an event, or keeps it to be written later. Never throws, and waits a bounded time. */
  note(event: AuditEvent): void | Promise<void> {
    try {
      const writing = this.write(event);
      return writing === undefined ? undefined : this.noted(event, writing);
    } catch (error) {
      this.keep(event, error);
    }
  }

  private noted(event: AuditEvent, writing: Promise<void>): void | Promise<void> {
    let isOverdue = false;
    const written = writing
      .catch((error: unknown) => this.keep(event, error))
      .finally(() => {
        if (isOverdue) this.overdue -= 1;
      });
    // A sink that hangs has cost one caller its time already.
    if (this.overdue > 0) return undefined;
    return within(STORE_TIMEOUT_MS, written, () => new Error('the audit sink did not answer')).catch(
      (error: unknown) => {
        isOverdue = true;
        this.overdue += 1;
        this.tell('error', { event, error, message: 'an audit record is written late' });
      },
    );
  }

  private keep(event: AuditEvent, thrown: unknown): void {
    // What fails the next ones is said once; each is told by itself.
    const error = this.isWhole ? thrown : undefined;
    if (this.kept.length < MAX_KEPT) this.kept.push(event);
    else this.dropped += 1;
    this.tell('error', {
      event,
      error,
      message: 'an audit record could not be written; it is kept for later',
    });
    this.schedule();
  }

  /** Tells operators of an event that was not written. */
  tell(level: 'error' | 'warn', { event, error, message, code }: Told): void {
    const { kind, tool, callId, principalId, outcome } = event;
    const fields = {
      ...(tool === undefined ? {} : { tool }),
      ...(callId === undefined ? {} : { callId }),
      ...(principalId == null ? {} : { principal: principalId }),
      audit: kind,
      ...(outcome === undefined ? {} : { outcome }),
      ...(code === undefined ? {} : { code }),
      ...(error === undefined ? {} : { error: loggedOf(error, this.options.scrubber) }),
    };
    try {
      this.options.logger[level](fields, message);
    } catch {
      // A logger that throws must not cost the caller the answer.
    }
  }

  private get isWhole(): boolean {
    return this.kept.length === 0 && this.dropped === 0;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => this.retrySoon(), RETRY_MS).unref();
  }

  private retrySoon(): void {
    if (this.isWhole || this.retrying !== undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.retry().catch(() => this.schedule());
  }

  /** Writes what was kept; there is one at a time, since two would write the same. */
  private retry(): Promise<void> {
    this.retrying ??= this.writeKept().finally(() => {
      this.retrying = undefined;
    });
    return this.retrying;
  }

  /** The oldest first, and then the gap. */
  private async writeKept(): Promise<void> {
    for (let event = this.kept[0]; event !== undefined; event = this.kept[0]) {
      await this.append(event);
      this.kept.shift();
    }
    const { dropped: missing } = this;
    if (missing === 0) return;
    await this.append({ time: nowText(), kind: 'gap', missing });
    this.dropped -= missing;
  }

  /** Writes what was kept, and lets the sink write what it holds, within a bounded time. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    try {
      await within(STORE_TIMEOUT_MS, this.flush(), () => new Error('the audit sink did not answer'));
    } catch (error) {
      const lost = this.kept.length + this.dropped + this.waiting;
      const event: AuditEvent = { time: nowText(), kind: 'gap', missing: lost };
      this.tell('error', { event, error, message: `closed while ${lost} audit records are not written` });
    }
    clearTimeout(this.timer);
  }

  private async flush(): Promise<void> {
    // The sink keeps their order, so that the last is the last to be written.
    await this.lastGiven?.catch(() => {});
    await this.retrying?.catch(() => {});
    while (!this.isWhole) await this.retry();
    await this.settings.sink.flush?.();
  }
}
