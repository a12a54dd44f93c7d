/**
 * Keeps what an interceptor does wrong to itself: one that throws, never settles, or calls `next` again.
 * Invariant: the rest of the way runs at most once for each interceptor, never after it has answered, and
 * whoever waits for an interceptor gets a result.
 */
import type { Interceptor } from '../contract/call';
import type { ToolResult } from '../contract/result';
import type { JsonValue } from '../errors/body';
import type { CallState } from './call-state';
import { type Deadline, Stopped } from './deadline';
import { failure } from './failure';
import { stoppedFailure } from './stopped';

/** How long an interceptor may go on after its call was stopped and the rest of the way has ended. */
const GRACE_MS = 100;

/** The rest of the way of a call. */
type Next = () => Promise<ToolResult<JsonValue>>;

/** One step of the way. */
export type Link = (call: CallState, next: Next) => Promise<ToolResult<JsonValue>>;

/** Tells a value that has the outer form of a result. */
function isResult(value: unknown): value is ToolResult<JsonValue> {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false;
  if (value.success === true) return 'result' in value;
  return (
    value.success === false && 'error' in value && typeof value.error === 'object' && value.error !== null
  );
}

/** Makes `next` of one interceptor: the way is taken once, and every further call gets the same answer. */
class Way {
  private taken: Promise<ToolResult<JsonValue>> | undefined;
  private answer: ToolResult<JsonValue> | undefined;
  private pause: { readonly thrown: unknown } | undefined;
  private hasAnswered = false;

  constructor(private readonly next: Next) {}

  readonly take: Next = () => {
    this.taken ??= this.hasAnswered
      ? Promise.resolve(failure('internal_error', 'The call has been answered; it does not go on.'))
      : this.next();
    // An interceptor that does not wait for it hears of no rejection either. Only a pause is one.
    this.taken.then(
      (answer) => {
        this.answer = answer;
      },
      (pause: unknown) => {
        this.pause = { thrown: pause };
      },
    );
    return this.taken;
  };

  /** Throws the pause that the rest of the way ended with, whatever its interceptor made of it. */
  rethrowPause(): void {
    if (this.pause !== undefined) throw this.pause.thrown;
  }

  /** Tells whether an answer is what the rest of the way gave. */
  gave(given: ToolResult<JsonValue>): boolean {
    const { answer } = this;
    if (answer === undefined) return false;
    if (answer.success) return given.success && Object.is(answer.result, given.result);
    return !given.success && answer.error === given.error;
  }

  close(): void {
    this.hasAnswered = true;
  }

  /** Settles with the rest of the way; at once where it was not taken. */
  async end(): Promise<void> {
    await Promise.allSettled([this.taken]);
  }
}

/**
 * Runs work until it settles, or until its time of grace ends after the call was stopped and the rest, which it
 * may wait for, has ended.
 *
 * @throws Stopped when its time has ended; otherwise whatever the work throws.
 */
export function withinGrace<T>(
  deadline: Deadline,
  work: () => Promise<T>,
  rest: () => Promise<void> = async () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const beginGrace = async (): Promise<void> => {
      await rest();
      if (!isOver) timer = setTimeout(() => settle(() => reject(deadline.toStopped())), GRACE_MS);
    };
    const leave = deadline.onStop(() => void beginGrace());
    const settle = (act: () => void): void => {
      isOver = true;
      clearTimeout(timer);
      leave();
      act();
    };
    work().then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}

/**
 * Makes a contained step of an interceptor.
 *
 * - What it throws is thrown on, and what it answers must have the outer form of a result.
 * - `next` goes on once; called again it gives the first answer, called after the interceptor has answered it
 *   gives an internal error. So no handler runs twice.
 * - A pause that it catches is thrown on: to swallow it would answer for the person who is asked.
 * - When the call is stopped it may see the rest of the way end; then it has a moment left to answer.
 */
export function toLink(interceptor: Interceptor): Link {
  return async (call, next) => {
    const way = new Way(next);
    try {
      // In a box, since a promise that is resolved with a thenable waits for it again, and without an end.
      const work = async (): Promise<{ readonly answer: unknown }> => ({
        answer: await interceptor.run(call, way.take),
      });
      const { answer } = await withinGrace(call.deadline, work, () => way.end());
      way.rethrowPause();
      if (!isResult(answer)) {
        throw new TypeError(
          `an interceptor at ${interceptor.stage} answered no result: neither { success: true, result } nor { success: false, error }`,
        );
      }
      if (!way.gave(answer)) call.answeredAt = interceptor.stage;
      if (!answer.success) return { success: false, error: answer.error };
      const { result, content } = answer;
      return { success: true, result, ...(content === undefined ? {} : { content }) };
    } catch (thrown) {
      way.rethrowPause();
      if (thrown instanceof Stopped) return stoppedFailure(call, thrown);
      throw thrown;
    } finally {
      way.close();
    }
  };
}
