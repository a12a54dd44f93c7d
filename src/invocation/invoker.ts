/**
 * The pipeline: the one path that every call takes, from whatever door.
 * Invariant: an invocation always settles with a result; only pauses of the run are thrown.
 */
import { type Interceptor, type InvokeOptions, STAGES } from '../contract/call';
import type { Logger } from '../contract/context';
import type { ToolResult } from '../contract/result';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { toJson } from '../validation/to-json';
import { CallState } from './call-state';
import { type Link, toLink, withinGrace } from './contain';
import { Stopped } from './deadline';
import { failure, judgeThrown, toBody } from './failure';
import { hush } from './hush';
import { builtInStages, checkedOutput, type StageGuard, type StageOptions } from './stages';
import { stoppedFailure } from './stopped';

/** What the pipeline is made with. */
export interface InvokerOptions extends StageOptions {
  readonly interceptors: readonly Interceptor[];
  /** The framework's own; their answers are results already. */
  readonly guards: readonly StageGuard[];
  readonly logger: Logger;
  readonly maskUnexpectedErrors: boolean;
}

/** Makes a clean result of one that interceptors may have made or changed. */
function toCleanResult(result: ToolResult<unknown>): ToolResult<JsonValue> {
  if (!result.success) {
    const error = toBody(result.error);
    const { detail } = result.error;
    const isLossy = detail !== undefined && !toJson(detail).ok;
    if (error === undefined || isLossy)
      throw new TypeError('an interceptor answered a failure that is no body');
    return { success: false, error };
  }
  const json = toJson(result.result);
  if (json.ok) return { success: true, result: json.value };
  throw new TypeError('an interceptor answered what is not JSON');
}

/**
 * Runs calls through the stages.
 *
 * @throws TypeError on construction, when an interceptor names no stage or has no `run`.
 */
export class Invoker {
  private readonly links: readonly Link[];
  private readonly running = new Set<Promise<unknown>>();
  private isClosed = false;

  constructor(private readonly options: InvokerOptions) {
    const builtIn = builtInStages(options);
    for (const { stage, run } of options.interceptors) {
      if (STAGES.includes(stage) && typeof run === 'function') continue;
      const why =
        typeof run === 'function' ? `there is no stage ${String(stage)}` : 'an interceptor has no run';
      throw new TypeError(`${why}; write { stage, run(call, next) } with one of ${STAGES.join(', ')}`);
    }
    this.links = STAGES.flatMap((stage) => {
      const own = builtIn.get(stage);
      const before = options.interceptors.filter((one) => one.stage === stage).map(toLink);
      const guards = options.guards.filter((one) => one.stage === stage).map(({ run }) => run);
      return [...before, ...guards, ...(own === undefined ? [] : [own])];
    });
  }

  /** Runs one call. Rejects only with a pause that the adapter recognises. */
  async invoke(reference: string, args: unknown, options?: InvokeOptions): Promise<ToolResult<JsonValue>> {
    if (this.isClosed) return failure('unavailable', 'The toolkit is closed.');
    const call = new CallState(reference, args, options ?? {}, this.options.logger);
    call.armFor(this.options.timeoutMs);
    const running = this.run(call).finally(() => call.deadline.dispose());
    this.running.add(running);
    try {
      const result = await running;
      if (!result.success) this.logForOperators(call, result.error);
      return result;
    } finally {
      this.running.delete(running);
    }
  }

  /** False once it takes no more calls. */
  get isOpen(): boolean {
    return !this.isClosed;
  }

  /** Takes no more calls, and waits for those that run. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.running);
  }

  private run(call: CallState): Promise<ToolResult<JsonValue>> {
    if (this.options.interceptors.length === 0) return this.runFrom(0, call);
    return this.guard(call, async () => {
      const result = toCleanResult(await this.runFrom(0, call));
      return result.success ? this.conforming(call, result.result) : result;
    });
  }

  /** Interceptors may have changed the output, and the model was told what to expect of it. */
  private async conforming(call: CallState, output: JsonValue): Promise<ToolResult<JsonValue>> {
    if (call.spec?.output.schema === undefined) return { success: true, result: output };
    try {
      const check = () => checkedOutput(call, output, this.options.maxResultBytes);
      return await withinGrace(call.deadline, check);
    } catch (error) {
      if (error instanceof Stopped) return stoppedFailure(call, error);
      throw error;
    }
  }

  private runFrom(index: number, call: CallState): Promise<ToolResult<JsonValue>> {
    return this.guard(call, () => {
      const link = this.links[index];
      if (link === undefined) throw new TypeError('the call ran past its last stage');
      return link(call, () => this.runFrom(index + 1, call));
    });
  }

  /** Turns whatever is thrown into a failure, but for pauses. */
  private async guard(
    call: CallState,
    act: () => Promise<ToolResult<JsonValue>>,
  ): Promise<ToolResult<JsonValue>> {
    try {
      return await act();
    } catch (thrown) {
      if (call.isPause(thrown)) throw thrown;
      hush(thrown);
      const judged = judgeThrown(thrown, this.options.maskUnexpectedErrors);
      if (judged.logged !== undefined) this.log(call, judged.isUnexpected ? 'error' : 'info', judged.logged);
      return judged.failure;
    }
  }

  /** What is no fault of the caller, and was not thrown, would otherwise leave no trace. */
  private logForOperators(call: CallState, { code, message }: ToolErrorBody): void {
    if (code === 'invalid_output') this.log(call, 'error', { error: { type: code, message } });
    if (code === 'timeout' || code === 'outcome_unknown')
      this.log(call, 'warn', { error: { type: code, message } });
  }

  private log(call: CallState, level: 'error' | 'warn' | 'info', logged: object): void {
    try {
      const { callId } = call.context;
      const fields = { tool: call.spec?.key ?? call.reference, callId, ...logged };
      this.options.logger[level](fields, 'a tool call failed');
    } catch {
      // A logger that throws must not cost the caller the answer.
    }
  }
}
