/**
 * The pipeline: the one path that every call takes, from whatever door.
 * Invariant: an invocation always settles with a result; only pauses of the run are thrown.
 */
import { type Interceptor, type InvokeOptions, STAGES } from '../contract/call';
import type { Logger } from '../contract/context';
import type { ToolResult } from '../contract/result';
import type { JsonValue } from '../errors/body';
import { toJson } from '../validation/to-json';
import { CallState } from './call-state';
import { failure, judgeThrown } from './failure';
import { builtInStages, type StageOptions } from './stages';

/** What the pipeline is made with. */
export interface InvokerOptions extends StageOptions {
  readonly interceptors: readonly Interceptor[];
  readonly logger: Logger;
  readonly maskUnexpectedErrors: boolean;
}

type Next = () => Promise<ToolResult<JsonValue>>;
type Link = (call: CallState, next: Next) => Promise<ToolResult<JsonValue>>;

function isResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false;
  if (value.success === true) return 'result' in value;
  const error = value.success === false && 'error' in value ? value.error : undefined;
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'message' in error &&
    typeof error.message === 'string' &&
    'retryable' in error &&
    typeof error.retryable === 'boolean'
  );
}

/** Runs an interceptor, and holds what it answers to the form of a result. */
function toLink(interceptor: Interceptor): Link {
  return async (call, next) => {
    const seen = new Set<ToolResult<JsonValue>>();
    const result: unknown = await interceptor.run(call, async () => {
      const passed = await next();
      seen.add(passed);
      return passed;
    });
    for (const passed of seen) if (passed === result) return passed;
    if (!isResult(result)) throw new TypeError(`an interceptor at ${interceptor.stage} answered no result`);
    const json = toJson(result.success ? result.result : result.error);
    if (!json.ok) throw new TypeError(`an interceptor at ${interceptor.stage} answered what is not JSON`);
    return result.success ? { success: true, result: json.value } : result;
  };
}

/**
 * Runs calls through the stages.
 *
 * @throws TypeError on construction, when an interceptor names a stage that does not exist.
 */
export class Invoker {
  private readonly links: readonly Link[];
  private readonly running = new Set<Promise<unknown>>();
  private isClosed = false;

  constructor(private readonly options: InvokerOptions) {
    const builtIn = builtInStages(options);
    const lost = options.interceptors.find(({ stage }) => !STAGES.includes(stage));
    if (lost !== undefined) {
      throw new TypeError(`there is no stage ${String(lost.stage)}; the stages are ${STAGES.join(', ')}`);
    }
    this.links = STAGES.flatMap((stage) => {
      const own = builtIn.get(stage);
      const before = options.interceptors.filter((one) => one.stage === stage).map(toLink);
      return own === undefined ? before : [...before, own];
    });
  }

  /** Runs one call. Rejects only with a pause that the adapter recognises. */
  async invoke(
    reference: string,
    args: unknown,
    options: InvokeOptions = {},
  ): Promise<ToolResult<JsonValue>> {
    if (this.isClosed) return failure('unavailable', 'The toolkit is closed.');
    const call = new CallState(reference, args, options, this.options.logger);
    const running = this.runFrom(0, call).finally(() => call.deadline.dispose());
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Takes no more calls, and waits for those that run. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.running);
  }

  private async runFrom(index: number, call: CallState): Promise<ToolResult<JsonValue>> {
    const link = this.links[index];
    try {
      if (link === undefined) throw new TypeError('the call ran past its last stage');
      return await link(call, () => this.runFrom(index + 1, call));
    } catch (thrown) {
      if (call.isPause(thrown)) throw thrown;
      const judged = judgeThrown(thrown, this.options.maskUnexpectedErrors);
      if (judged.logged !== undefined) this.log(call, judged.logged);
      return judged.failure;
    }
  }

  private log(call: CallState, logged: object): void {
    try {
      const { callId } = call.context;
      this.options.logger.error(
        { tool: call.spec?.key ?? call.reference, callId, ...logged },
        'a tool call failed',
      );
    } catch {
      // A logger that throws must not cost the caller the answer.
    }
  }
}
