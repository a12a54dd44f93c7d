/**
 * The pipeline: the one path that every call takes, from whatever door.
 * Invariant: an invocation always settles with a result; only pauses of the run are thrown.
 */
import { type InvokeOptions, STAGES } from '../contract/call';
import { hush } from '../contract/hush';
import type { ErrorMapping } from '../contract/mapping';
import type { ToolResult } from '../contract/result';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { isFrameworkErrorCode } from '../errors/codes';
import { toJson } from '../validation/to-json';
import { CallState, type CallTools } from './call-state';
import { codeFault, readBody } from './claimed-body';
import { type Link, toLink, withinGrace } from './contain';
import { Stopped } from './deadline';
import { failure, type JudgedThrow, judgeHandler, judgeThrown } from './failure';
import { type LateEnd, LateHandlers } from './late';
import { logFields } from './log-fields';
import { loggedOf } from './logged-error';
import type { OnFault } from './mapping/author';
import type { Observation } from './observation';
import type { Scrubber } from './scrub';
import {
  builtInStages,
  checkedJson,
  HandlerThrew,
  PASSING_STAGES,
  type StageGuard,
  type StageOptions,
} from './stages';
import { stoppedFailure } from './stopped';
import { sayingOutcome } from './unexpected';
import { list } from './violations';

/** What the pipeline is made with. */
export interface InvokerOptions extends StageOptions, CallTools {
  /** The framework's own; their answers are results already. */
  readonly guards: readonly StageGuard[];
  /** Asked after the tool's own. */
  readonly mapError: ErrorMapping | undefined;
  readonly maskUnexpectedErrors: boolean;
  /** Hears of calls that failed, before they are answered; left out: nobody does. */
  readonly onFailure?: ((call: CallState, code: string) => void | Promise<void>) | undefined;
  /** Undefined: nobody watches. */
  readonly observation: Observation | undefined;
}

/** Makes a clean result of one that interceptors may have made or changed; `who` has made it. */
function toCleanResult(result: ToolResult<unknown>, who: string, scrubber: Scrubber): ToolResult<JsonValue> {
  if (!result.success) {
    const { body, faults, isJson } = readBody(result.error, scrubber);
    const isOwn = body !== undefined && isFrameworkErrorCode(body.code);
    const ofCode = body === undefined || isOwn ? undefined : codeFault(body.code);
    if (body !== undefined && ofCode === undefined && isJson) return { success: false, error: body };
    const why = [...(ofCode === undefined ? [] : [ofCode]), ...faults].join(', ');
    throw new TypeError(`${who} answered a failure that is no body: ${why}`);
  }
  const { content } = result;
  const json = toJson(result.result);
  if (json.ok) return { success: true, result: json.value, ...(content === undefined ? {} : { content }) };
  throw new TypeError(`${who} answered a result that is not JSON: ${list(json.violations)}`);
}

/**
 * Runs calls through the stages.
 *
 * @throws TypeError on construction, when an interceptor names no stage or has no `run`.
 */
export class Invoker {
  private readonly links: readonly Link[];
  private readonly running = new Set<Promise<unknown>>();
  private readonly late = new LateHandlers((call, end) => this.hearLate(call, end));
  /** The code of the last throw of a call that was logged. */
  private readonly told = new WeakMap<CallState, string>();
  private isClosed = false;

  constructor(private readonly options: InvokerOptions) {
    const builtIn = builtInStages(options, this.late);
    for (const { stage, run } of options.interceptors) {
      if (STAGES.includes(stage) && typeof run === 'function') continue;
      const why =
        typeof run === 'function' ? `there is no stage ${String(stage)}` : 'an interceptor has no run';
      throw new TypeError(`${why}; write { stage, run(call, next) } with one of ${STAGES.join(', ')}`);
    }
    this.links = STAGES.flatMap((stage) => {
      const run = builtIn.get(stage);
      const isPassing = PASSING_STAGES.has(stage);
      const own = run === undefined ? [] : [isPassing ? run : this.hearing(run)];
      const before = options.interceptors.filter((one) => one.stage === stage).map(toLink);
      const guards = options.guards.filter((one) => one.stage === stage);
      return [
        ...before.map((link) => this.hearing(link)),
        ...guards.map((one) => this.hearing(one.run, one.isPassing)),
        ...own,
      ];
    });
  }

  /** Runs one call. Rejects only with a pause that the adapter recognises. */
  invoke(reference: string, args: unknown, options?: InvokeOptions): Promise<ToolResult<JsonValue>> {
    const begun = this.begin(reference, args, options ?? {});
    const { observation } = this.options;
    if (observation?.isOn !== true) return this.answer(begun);
    const state = begun instanceof CallState ? begun : undefined;
    return observation.watch({ reference, options, state }, () => this.answer(begun));
  }

  private async answer(call: CallState | ToolResult<JsonValue>): Promise<ToolResult<JsonValue>> {
    if (!(call instanceof CallState)) return call;
    const { deadline } = call;
    const running = this.run(call).finally(() => deadline.dispose());
    this.running.add(running);
    try {
      const result = await running;
      if (result.success) return result;
      this.logForOperators(call, result.error);
      await this.options.onFailure?.(call, result.error.code);
      // Failures of the stages quote what callers send, and interceptors and mappings make their own.
      return { success: false, error: this.options.scrubber.body(result.error) };
    } finally {
      this.running.delete(running);
    }
  }

  /** False once it takes no more calls. */
  get isOpen(): boolean {
    return !this.isClosed;
  }

  /** Takes no more calls, waits for those that run, and for a while for handlers that are late. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.running);
    this.options.observation?.close();
    const left = await this.late.settle();
    if (left > 0)
      this.write('warn', { handlers: left }, 'closed while handlers that are out of time still run');
  }

  /** A call, or the failure where there is none: the toolkit is closed, or its options cannot even be read. */
  private begin(reference: string, args: unknown, options: InvokeOptions): CallState | ToolResult<JsonValue> {
    if (this.isClosed) return failure('unavailable', 'The toolkit is closed.');
    try {
      const call = new CallState(reference, args, options, this.options);
      call.armFor(this.options.timeoutMs);
      return call;
    } catch (thrown) {
      const { maskUnexpectedErrors, scrubber } = this.options;
      const judged = judgeThrown(thrown, maskUnexpectedErrors, scrubber);
      const { code } = judged.failure.error;
      this.write(
        'error',
        { tool: reference, code, ...judged.logged },
        'the options of a call cannot be read',
      );
      return judged.failure;
    }
  }

  private run(call: CallState): Promise<ToolResult<JsonValue>> {
    if (this.options.interceptors.length === 0) return this.guard(call, () => this.runFrom(0, call));
    return this.guard(call, async () => {
      const given = await this.runFrom(0, call);
      const result = toCleanResult(given, this.answerer(call), this.options.scrubber);
      return result.success ? this.conforming(call, result) : result;
    });
  }

  /** Who made the answer: of one that was changed in place only that it was one of them is known. */
  private answerer({ answeredAt }: CallState): string {
    const stages = new Set(this.options.interceptors.map(({ stage }) => stage));
    return `an interceptor at ${answeredAt ?? [...stages].join(' or ')}`;
  }

  /** Interceptors may have changed the output, and the model was told what to expect of it. */
  private async conforming(
    call: CallState,
    answer: Extract<ToolResult<JsonValue>, { success: true }>,
  ): Promise<ToolResult<JsonValue>> {
    if (answer.content === undefined && call.spec?.output.schema === undefined) return answer;
    try {
      const check = () => checkedJson(call, answer, this.options.maxResultBytes);
      return await withinGrace(call.deadline, check);
    } catch (error) {
      if (error instanceof Stopped) return stoppedFailure(call, error);
      throw error;
    }
  }

  private runFrom(index: number, call: CallState): Promise<ToolResult<JsonValue>> {
    const link = this.links[index];
    if (link === undefined) throw new TypeError('the call ran past its last stage');
    return link(call, () => this.runFrom(index + 1, call));
  }

  /** A step that looks at what comes of the rest, and so gets a failure for what the rest throws. */
  private hearing(link: Link, isPassing: (call: CallState) => boolean = () => false): Link {
    return (call, next) => link(call, isPassing(call) ? next : () => this.guard(call, next));
  }

  /** Turns whatever is thrown into a failure, but for pauses. */
  private async guard(
    call: CallState,
    act: () => Promise<ToolResult<JsonValue>>,
  ): Promise<ToolResult<JsonValue>> {
    try {
      return await act();
    } catch (thrown) {
      const byHandler = thrown instanceof HandlerThrew;
      if (!byHandler && call.isPause(thrown)) throw thrown;
      const found = byHandler
        ? this.judgeHandler(call, thrown.thrown)
        : judgeThrown(thrown, this.options.maskUnexpectedErrors, this.options.scrubber);
      if (byHandler && found.isDefinite) call.effect.didNothing();
      const judged = sayingOutcome(call, found);
      // Not before a mapping has seen it, which may take the body of a Response.
      hush(byHandler ? thrown.thrown : thrown);
      const { code } = judged.failure.error;
      if (judged.faults !== undefined) {
        const message = `a ToolError holds what is unsound and left out: ${judged.faults.join(', ')}`;
        this.log(call, 'error', { code, error: { type: 'ToolError', message } }, 'a ToolError is unsound');
      }
      if (judged.logged !== undefined) {
        const { outcome } = judged;
        const { reference, error } = judged.logged;
        if (reference !== undefined) call.exception = Object.freeze({ reference, type: error.type });
        this.log(call, judged.level, {
          code,
          ...(outcome === undefined ? {} : { outcome }),
          ...judged.logged,
        });
        this.told.set(call, code);
      }
      return judged.failure;
    }
  }

  private judgeHandler(call: CallState, thrown: unknown): JudgedThrow {
    const { spec, input, context } = call;
    const { mapError, maskUnexpectedErrors, scrubber } = this.options;
    if (spec === undefined) return judgeThrown(thrown, maskUnexpectedErrors, scrubber);
    const ofTool = spec.mapError === undefined ? [] : [{ of: 'tool', map: spec.mapError } as const];
    const ofToolkit = mapError === undefined ? [] : [{ of: 'toolkit', map: mapError } as const];
    const onFault: OnFault = (fault, of) =>
      this.log(
        call,
        'error',
        { mapError: of, error: loggedOf(fault, scrubber) },
        `mapError of the ${of} failed`,
      );
    const by = {
      thrown,
      call: { tool: spec.key, input, context },
      sideEffect: spec.sideEffect,
      mappings: [...ofTool, ...ofToolkit],
      onFault,
    };
    return judgeHandler(by, maskUnexpectedErrors, scrubber);
  }

  /** What is no fault of the caller, and was not thrown, would otherwise leave no trace. */
  private logForOperators(call: CallState, { code, message }: ToolErrorBody): void {
    if (code === 'invalid_output') {
      const { outputFault: fault } = call;
      const cause = fault === undefined ? {} : { cause: loggedOf(fault, this.options.scrubber) };
      this.log(call, 'error', { code, error: { type: code, message, ...cause } });
    }
    if ((code === 'timeout' || code === 'outcome_unknown') && this.told.get(call) !== code)
      this.log(call, 'warn', { code, error: { type: code, message } });
  }

  private async hearLate(call: CallState, end: LateEnd): Promise<void> {
    const { scrubber } = this.options;
    const fields = end.threw ? { late: 'threw', error: loggedOf(end.error, scrubber) } : { late: 'answered' };
    const message = 'a handler ended after its call had been answered; its caller does not hear of it';
    this.log(call, 'warn', fields, message);
    if (!end.threw) await call.late?.answered(end.output);
    else if (call.late !== undefined && this.judgeHandler(call, end.error).isDefinite)
      await call.late.didNothing();
  }

  private log(
    call: CallState,
    level: 'error' | 'warn' | 'info',
    logged: object,
    message = 'a tool call failed',
  ): void {
    this.write(level, { ...logFields(call), ...logged }, message);
  }

  private write(level: 'error' | 'warn' | 'info', fields: object, message: string): void {
    try {
      this.options.logger[level](fields, message);
    } catch {
      // A logger that throws must not cost the caller the answer.
    }
  }
}
