/**
 * The built-in stages of a call.
 * Invariant: nothing of a call's arguments is looked at before its caller is authorised, and nothing leaves
 * a handler that its output contract refuses.
 */
import { validRange } from 'semver';
import type { Interceptor, Stage } from '../contract/call';
import { contentPartsOf } from '../contract/content';
import { hush } from '../contract/hush';
import { splitToolReference, toToolKey } from '../contract/names';
import type { ToolResult } from '../contract/result';
import type { InputLimits, OutputContract, ParseOutcome, Refused, Violation } from '../contract/schema';
import type { ToolSpec } from '../contract/tool';
import type { JsonValue } from '../errors/body';
import type { ToolRegistry } from '../registry/tool-registry';
import { toContent } from '../validation/content';
import { outputContract } from '../validation/contracts';
import type { CallState } from './call-state';
import { Stopped } from './deadline';
import { type Failure, failure } from './failure';
import type { LateHandlers } from './late';
import { RetryGuard } from './retry-guard';
import { stoppedFailure } from './stopped';
import { list } from './violations';

/** Answers a call, or lets it go on. */
export type BuiltInStage = (
  call: CallState,
  next: () => Promise<ToolResult<JsonValue>>,
) => Promise<ToolResult<JsonValue>>;

/** A guard of the framework's own; of its stage it stands after the interceptors of the application. */
export interface StageGuard {
  readonly stage: Stage;
  /** Tells of a call whether it gives the answer of the rest as it is, whatever that be; it may then be a throw. */
  readonly isPassing?: (call: CallState) => boolean;
  readonly run: BuiltInStage;
}

/** The built-in stages that pass on what comes of the rest, be it an answer or a throw. */
export const PASSING_STAGES: ReadonlySet<Stage> = new Set([
  'resolve',
  'authorise',
  'validate',
  'execute',
  'check_output',
  'record',
]);

/** What the built-in stages need. */
export interface StageOptions {
  /** Those of the application. */
  readonly interceptors: readonly Interceptor[];
  readonly registry: ToolRegistry;
  readonly limits: InputLimits;
  /** Deadline of tools that state none, in milliseconds. */
  readonly timeoutMs: number;
  /** Bound of the outputs of tools that state none, in bytes. */
  readonly maxResultBytes: number;
  /** Whether calls that repeat a final failure are refused. */
  readonly retryGuard: boolean;
  /** Hears of a caller without the scopes before any interceptor sees that answer; left out: nobody does. */
  readonly onDenied?: ((call: CallState) => void | Promise<void>) | undefined;
}

/** What a handler threw, as opposed to anything else on the way. */
export class HandlerThrew extends Error {
  constructor(readonly thrown: unknown) {
    super('the handler threw');
  }
}

/** How much of an unknown name is said back. */
const MAX_NAME = 128;

/** The spec that `resolve` has set. */
export function specOf(call: CallState): ToolSpec {
  if (call.spec === undefined) throw new TypeError('a stage ran before resolve');
  return call.spec;
}

function unknownTool(registry: ToolRegistry, call: CallState): Failure {
  const reference = call.reference.slice(0, MAX_NAME);
  const { name, version = '*' } = splitToolReference(reference);
  // Only who may call a version hears that there is one.
  const isAllowed = (one: string) => {
    const spec = registry.get(toToolKey(name, one));
    return spec !== undefined && registry.authorise(spec, call.context.principal).allowed;
  };
  const versions = registry.versions(name).filter(isAllowed);
  if (versions.length > 0 && validRange(version) === null) {
    return failure(
      'unknown_tool',
      `${version} is no version and no range; there are ${versions.join(', ')}.`,
    );
  }
  const message =
    versions.length === 0
      ? `There is no tool ${reference}. Call one of the tools that were offered.`
      : `No version of ${reference} fits; there are ${versions.join(', ')}, and a prerelease is only taken by its version.`;
  return failure('unknown_tool', message);
}

function insufficientScope(spec: ToolSpec, missing: readonly string[]): Failure {
  return spec.scopes === undefined
    ? failure(
        'insufficient_scope',
        `${spec.name} is closed to every caller, since its author has not decided who may call it: add @Scopes('…'), or @Scopes() for anyone.`,
      )
    : failure(
        'insufficient_scope',
        `${spec.name} requires ${missing.join(', ')}, which the caller does not hold.`,
        {
          detail: { missing: [...missing] },
        },
      );
}

function toDetail(violations: readonly Violation[]): JsonValue {
  return { violations: violations.map((violation) => ({ ...violation })) };
}

/** Says what is known of a side effect when a call ends without a good answer. */
function effectOf({ spec, deadline }: CallState): string {
  return spec?.sideEffect.kind === 'none' || !deadline.hasBegun
    ? ''
    : ' The action was carried out; do not repeat it.';
}

const anyOutput = outputContract(undefined);

/** What is known of a tool that was not found yet, when an interceptor answers for it. */
function unresolved({ reference }: CallState): Pick<ToolSpec, 'name' | 'maxResultBytes' | 'output'> {
  return { name: reference, maxResultBytes: undefined, output: anyOutput };
}

/** Holds an answer to its bound and its contract. Content takes its part of the bytes. */
async function checked(
  call: CallState,
  blocks: unknown,
  defaultBytes: number,
  read: (contract: OutputContract, maxBytes: number) => Promise<ParseOutcome<JsonValue>>,
): Promise<ToolResult<JsonValue>> {
  const { name, maxResultBytes: limit = defaultBytes, output } = call.spec ?? unresolved(call);
  const refuse = ({ violations, cause }: Refused): Failure => {
    call.outputFault = cause;
    const message = `${name} answered with an invalid output: ${list(violations)}.${effectOf(call)}`;
    return failure('invalid_output', message, { detail: toDetail(violations) });
  };
  const taken = toContent(blocks, limit);
  if (!taken.ok) return refuse(taken);
  const { content, bytes } = taken;
  const parsed = await read(output, limit - bytes);
  if (!parsed.ok) return refuse(parsed);
  call.outputJson = JSON.stringify(parsed.value);
  return Buffer.byteLength(call.outputJson) > limit - bytes
    ? failure('invalid_output', `${name} answered with more than ${limit} bytes.${effectOf(call)}`)
    : { success: true, result: parsed.value, ...(content.length === 0 ? {} : { content }) };
}

/** Holds an output to what its tool declares. */
export async function checkedOutput(
  call: CallState,
  answer: unknown,
  defaultBytes: number,
): Promise<ToolResult<JsonValue>> {
  const { blocks, result } = contentPartsOf(answer) ?? { blocks: [], result: answer };
  const judged = await checked(call, blocks, defaultBytes, (output, limit) => output.parse(result, limit));
  if (!judged.success) hush([blocks, result]);
  return judged;
}

/** Holds an answer whose JSON was written before to what its tool declares of its output. */
export function checkedJson(
  call: CallState,
  { result, content = [] }: Extract<ToolResult<JsonValue>, { success: true }>,
  defaultBytes: number,
): Promise<ToolResult<JsonValue>> {
  return checked(call, content, defaultBytes, (output) => output.check(result));
}

/** Starts the clock of a call's handler, unless it runs. */
export function armDeadline(call: CallState, byDefault: number): void {
  call.armHandler(call.spec?.timeoutMs ?? byDefault);
}

/** A stage whose work ends with its call: what was stopped is answered, and not thrown. */
function answeringStops(stage: BuiltInStage): BuiltInStage {
  return async (call, next) => {
    try {
      return await stage(call, next);
    } catch (error) {
      if (error instanceof Stopped) return stoppedFailure(call, error);
      throw error;
    }
  };
}

/** Makes the built-in stages. */
export function builtInStages(
  options: StageOptions,
  late: Pick<LateHandlers, 'watch'>,
): ReadonlyMap<Stage, BuiltInStage> {
  const { registry } = options;
  const resolve: BuiltInStage = (call, next) => {
    call.spec = registry.get(call.reference) ?? registry.resolve(call.reference);
    return call.spec === undefined ? Promise.resolve(unknownTool(registry, call)) : next();
  };
  const authorise: BuiltInStage = (call, next) => {
    const spec = specOf(call);
    const { allowed, missing } = registry.authorise(spec, call.context.principal);
    if (allowed) return next();
    call.isDenied = true;
    const denied = Promise.resolve(insufficientScope(spec, missing));
    return options.onDenied?.(call)?.then(() => denied) ?? denied;
  };
  const validate: BuiltInStage = async (call, next) => {
    const spec = specOf(call);
    const outcome = spec.input.parse(call.arguments, options.limits);
    // A rule that is waited for may never settle.
    const parsed = 'ok' in outcome ? outcome : await call.deadline.watch(() => outcome);
    if (!parsed.ok) {
      call.violations = parsed.violations;
      const message = `Invalid arguments for ${spec.name}: ${list(parsed.violations)}. Correct them and call again.`;
      return failure('invalid_input', message, { detail: toDetail(parsed.violations) });
    }
    call.accept(parsed.value, parsed.json);
    return next();
  };
  const execute: BuiltInStage = async (call, next) => {
    const spec = specOf(call);
    armDeadline(call, options.timeoutMs);
    // In a box, since a promise that is resolved with a thenable waits for it again, and without an end.
    const handle = async (): Promise<{ readonly output: unknown }> => {
      call.effect.begin();
      call.questions = 0;
      return { output: await spec.handler(call.input, call.context) };
    };
    let running: ReturnType<typeof handle> | undefined;
    try {
      const { output } = await call.deadline.race(() => {
        running = handle();
        return running;
      });
      call.effect.happened();
      call.output = output;
    } catch (error) {
      if (!(error instanceof Stopped)) {
        if (!call.isPause(error)) throw new HandlerThrew(error);
        call.effect.didNothing();
        throw error;
      }
      if (running !== undefined) {
        call.unsettled = running;
        late.watch(call, running);
      }
      throw error;
    }
    call.armFor(options.timeoutMs);
    return next();
  };
  const checkOutput: BuiltInStage = async (call, next) => {
    const check = () => checkedOutput(call, call.output, options.maxResultBytes);
    call.result = await call.deadline.watch(check);
    return next();
  };
  const record: BuiltInStage = async (call) =>
    call.result ?? failure('internal_error', 'The call has no result.');
  const guard = new RetryGuard(
    options.limits,
    options.interceptors.some(({ stage }) => stage === 'validate'),
  );
  const retryGuard: BuiltInStage = (call, next) => guard.run(call, next);
  return new Map<Stage, BuiltInStage>([
    ['resolve', resolve],
    ['authorise', authorise],
    ...(options.retryGuard ? [['retry_guard', retryGuard] as const] : []),
    ['validate', answeringStops(validate)],
    ['execute', answeringStops(execute)],
    ['check_output', answeringStops(checkOutput)],
    ['record', record],
  ]);
}
