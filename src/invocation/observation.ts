/**
 * Lets observers watch the calls of a toolkit.
 * Invariant: every watched call runs once, and every watch hears of one end; whatever an observer does, the answer is
 * the call's own, and nobody waits for it.
 */
import { types } from 'node:util';
import type { Logger } from '../contract/context';
import { hush } from '../contract/hush';
import type { BreakerChange, CallWatch, ObservedCall, Observer } from '../contract/observer';
import type { ToolResult } from '../contract/result';
import type { ToolSpec } from '../contract/tool';
import type { JsonValue } from '../errors/body';
import type { ToolRegistry } from '../registry/tool-registry';
import { type BegunCall, callRecord, observedCall, type RecordTools } from './call-record';
import { loggedOf } from './logged-error';

type Result = ToolResult<JsonValue>;

/** What {@link Observation} needs. */
export interface ObservationOptions extends RecordTools {
  readonly observers: readonly Observer[];
  readonly registry: Pick<ToolRegistry, 'get' | 'resolve' | 'list'>;
  readonly logger: Logger;
}

/** A watch, and whose it is. */
interface Watching {
  readonly observer: Observer;
  readonly watch: CallWatch;
}

/** Where a call starts to run. */
class Start {
  private running: Promise<Result> | undefined;

  constructor(private readonly answer: () => Promise<Result>) {}

  /** Starts it in the context of whoever comes first. */
  take(): Promise<Result> {
    this.running ??= this.answer();
    return this.running;
  }
}

/** The observers of one toolkit. */
export class Observation {
  /** Those whose failures were told: one that fails does so with every call. */
  private readonly told = new WeakSet<Observer>();
  /** Breakers that are open. */
  private readonly open = new Set<string>();
  private readonly find = (reference: string): ToolSpec | undefined => {
    const { registry } = this.options;
    return registry.get(reference) ?? registry.resolve(reference);
  };

  constructor(private readonly options: ObservationOptions) {
    const tools = Object.freeze([...options.registry.list()]);
    for (const observer of options.observers) this.attempt(observer, () => observer.started?.(tools));
  }

  /** Whether any observer watches calls now. */
  get isOn(): boolean {
    for (const observer of this.options.observers) {
      try {
        if (observer.isWatching?.() !== false) return true;
      } catch (error) {
        this.tell(observer, error);
      }
    }
    return false;
  }

  /** Runs a call that `answer` answers, watched. Rejects only where `answer` does. */
  watch(begun: BegunCall, answer: () => Promise<Result>): Promise<Result> {
    const { observers } = this.options;
    const call = observedCall(begun, this.find);
    const watching: Watching[] = [];
    for (const observer of observers) {
      const watch = this.attempt(observer, () => observer.began(call));
      if (watch !== undefined) watching.push({ observer, watch });
    }
    return watching.length === 0 ? answer() : this.run(begun, call, watching, answer);
  }

  /** Tells all observers of a breaker. */
  breakerChanged(change: BreakerChange): void {
    const told = Object.freeze({ ...change });
    if (change.state === 'open') this.open.add(change.breaker);
    else this.open.delete(change.breaker);
    for (const observer of this.options.observers) {
      this.attempt(observer, () => observer.breakerChanged?.(told));
    }
  }

  /** Takes back what breakers of a closed toolkit say, which never close of themselves. */
  close(): void {
    for (const breaker of this.open) this.breakerChanged({ breaker, state: 'closed' });
  }

  private run(
    { state }: BegunCall,
    call: ObservedCall,
    watching: readonly Watching[],
    answer: () => Promise<Result>,
  ): Promise<Result> {
    const traceId = this.traceIdOf(watching) ?? call.traceContext?.traceId;
    if (state !== undefined) state.traceId = traceId;
    const startedAt = performance.now();
    const end = (result: Result | undefined): void => {
      const ended = { durationMs: performance.now() - startedAt, result, traceId };
      const record = callRecord(call, state, ended, this.options);
      for (const { observer, watch } of watching) this.attempt(observer, () => watch.ended?.(record));
    };
    const start = new Start(answer);
    this.within(watching, 0, start);
    return start.take().then(
      (result) => {
        end(result);
        return result;
      },
      (pause: unknown) => {
        end(undefined);
        throw pause;
      },
    );
  }

  /** Starts a call within the watches from one on, each around the next. */
  private within(watching: readonly Watching[], index: number, start: Start): void {
    const at = watching[index];
    if (at === undefined) {
      void start.take();
      return;
    }
    const { observer, watch } = at;
    let isIn = false;
    const run = (): void => {
      if (isIn) return;
      isIn = true;
      this.within(watching, index + 1, start);
    };
    this.attempt(observer, () => watch.within?.(run));
    run();
  }

  private traceIdOf(watching: readonly Watching[]): string | undefined {
    for (const { observer, watch } of watching) {
      const traceId: unknown = this.attempt(observer, () => watch.traceId);
      if (typeof traceId === 'string') return traceId;
    }
    return undefined;
  }

  /** What an observer gives; undefined where it throws, or answers with a promise, which nobody waits for. */
  private attempt<T>(observer: Observer, act: () => T): T | undefined {
    try {
      const given = act();
      if (!types.isPromise(given)) return given ?? undefined;
      given.catch((error: unknown) => this.tell(observer, error));
    } catch (error) {
      this.tell(observer, error);
    }
    return undefined;
  }

  private tell(observer: Observer, error: unknown): void {
    hush(error);
    if (this.told.has(observer)) return;
    this.told.add(observer);
    const { logger, scrubber } = this.options;
    try {
      logger.warn(
        { error: loggedOf(error, scrubber) },
        'an observer failed; of its further failures nothing is said',
      );
    } catch {
      // A logger that throws must not cost a caller the answer.
    }
  }
}
