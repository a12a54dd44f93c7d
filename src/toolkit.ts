/**
 * The composition point that an application creates at start-up.
 * Invariant: it only puts the rooms below together; either everything is sound and the registry is sealed, or
 * there is one error and nothing is left behind.
 */
import type { Interceptor, InvokeOptions } from './contract/call';
import type { Class } from './contract/class';
import type { StructuredResult } from './contract/content';
import type { Logger } from './contract/context';
import type { DescribeOptions, DialectDescription } from './contract/dialect';
import type { ErrorMapping } from './contract/mapping';
import type { Principal, ScopeCover } from './contract/principal';
import type { ToolResult } from './contract/result';
import { DEFAULT_INPUT_LIMITS, type InputLimits } from './contract/schema';
import type { Serialized } from './contract/serialized';
import type { ToolDefinition } from './contract/tool';
import { refuseNoLists, refuseUnknownKeys } from './discovery/check-options';
import { collectTools, type Discovery } from './discovery/discover';
import type { Container, DiscoverOptions } from './discovery/options';
import type { JsonValue } from './errors/body';
import { DeclarationError, throwProblems } from './errors/declaration-error';
import { consoleLogger } from './invocation/console-logger';
import { Invoker } from './invocation/invoker';
import { limitGuards } from './invocation/limits/guards';
import { type LimitOptions, toLimitSettings } from './invocation/limits/options';
import { own as linkOwner } from './invocation/owners';
import { type ToolClass, type ToolReference, toReferenceText } from './invocation/reference';
import { Scrubber } from './invocation/scrub';
import { type RedactOptions, unsetVariables } from './invocation/scrub/known-secrets';
import { scrubbingLogger } from './invocation/scrub/loggable';
import { type CatalogOptions, ToolRegistry } from './registry/tool-registry';
import { describe } from './schema/describe';

/** What {@link createToolkit} takes. */
export interface ToolkitOptions extends LimitOptions {
  /** Where the tools come from. */
  readonly discover: DiscoverOptions;
  /** Makes the instances of discovered classes; the same as `discover.container`. */
  readonly container?: Container;
  /** All scopes of the application; a tool that names another is refused. Left out: any scope goes. */
  readonly scopes?: readonly string[];
  /** Which held scope covers which required one. Left out: each covers itself. */
  readonly covers?: ScopeCover;
  /** Hooks, each before its stage; of one stage the first is the outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Left out: warnings and errors go to standard error. */
  readonly logger?: Logger;
  /** Deadline of tools that state none, in milliseconds; left out: 30,000. */
  readonly timeoutMs?: number;
  /** Bound of the outputs of tools that state none, in bytes; left out: 1 MiB. */
  readonly maxResultBytes?: number;
  /** Bounds of one call's arguments. */
  readonly limits?: Partial<InputLimits>;
  /** Says what errors that handlers throw mean; a tool's own `mapError` is asked before, what is built in after. */
  readonly mapError?: ErrorMapping;
  /** Keeps the scrubbed text of unexpected errors from callers; the log has it. */
  readonly maskUnexpectedErrors?: boolean;
  /** Secrets of the application, masked in errors and logs beside those that their form gives away. */
  readonly redact?: RedactOptions;
  /** Refuses calls that repeat a final failure unchanged; left out: true. */
  readonly retryGuard?: boolean;
}

const OPTIONS: readonly (keyof ToolkitOptions)[] = [
  'discover',
  'container',
  'scopes',
  'covers',
  'interceptors',
  'logger',
  'timeoutMs',
  'maxResultBytes',
  'limits',
  'rateLimit',
  'concurrency',
  'circuitBreaker',
  'retry',
  'mapError',
  'maskUnexpectedErrors',
  'redact',
  'retryGuard',
];

/** The structured result of a handler, as JSON. */
type OutputOf<Handler> = Handler extends (...args: never[]) => infer Output
  ? Serialized<StructuredResult<Awaited<Output>>>
  : never;

/** Tools, and the one path on which they are called. Made by {@link createToolkit}. */
export class Toolkit {
  /** Every version of every tool; sealed. */
  readonly registry: ToolRegistry;
  private readonly invoker: Invoker;

  /** @internal */
  constructor(registry: ToolRegistry, invoker: Invoker) {
    this.registry = registry;
    this.invoker = invoker;
  }

  /**
   * Calls a tool by its class, by a service class and a method, or by name, `name@range` or key. Always
   * settles with a result; rejects only with a pause that `options.isPause` recognises.
   */
  invoke<C extends ToolClass>(
    tool: C,
    args: unknown,
    options?: InvokeOptions,
  ): Promise<ToolResult<OutputOf<InstanceType<C>['execute']>>>;
  invoke<S extends Class, M extends keyof InstanceType<S>>(
    tool: readonly [service: S, method: M],
    args: unknown,
    options?: InvokeOptions,
  ): Promise<ToolResult<OutputOf<InstanceType<S>[M]>>>;
  invoke(tool: string, args: unknown, options?: InvokeOptions): Promise<ToolResult<JsonValue>>;
  async invoke(tool: ToolReference, args: unknown, options?: InvokeOptions): Promise<ToolResult<unknown>> {
    return this.invoker.invoke(toReferenceText(tool), args, options);
  }

  /**
   * What the model sees of a tool; in a dialect also what was given up, and how its arguments come back.
   *
   * @throws DeclarationError `unknown_tool` when there is none, and `outside_dialect` with everything that the
   * dialect cannot carry.
   * @throws TypeError when there is no such dialect.
   */
  describe(tool: ToolReference, options: DescribeOptions): DialectDescription;
  describe(tool: ToolReference): ToolDefinition;
  describe(tool: ToolReference, options?: DescribeOptions): ToolDefinition | DialectDescription {
    const reference = toReferenceText(tool);
    const spec = this.registry.get(reference) ?? this.registry.resolve(reference);
    if (spec !== undefined) return options === undefined ? describe(spec) : describe(spec, options);
    throw new DeclarationError([
      {
        code: 'unknown_tool',
        place: { tool: reference },
        message: 'there is no such tool',
        mend: 'Name one of registry.list(), and make sure that discovery reaches it.',
      },
    ]);
  }

  /** The tools that a principal's model gets: one version a name, without those that they may not call. */
  catalog(principal?: Principal, options?: CatalogOptions): readonly ToolDefinition[] {
    return this.registry.catalog(principal, options);
  }

  /** Compiles all schemas now, which the first call of each tool would otherwise do. */
  warm(): void {
    for (const { input, output } of this.registry.list()) {
      input.warm();
      output.warm();
    }
  }

  /** Takes no more calls, and settles when those that run have ended; handlers that are out of time get two seconds. */
  close(): Promise<void> {
    return this.invoker.close();
  }
}

/** Says at start-up what would otherwise show only when a tool is missed. */
function warn(logger: Logger, { specs, toolless }: Discovery, redact: RedactOptions = {}): void {
  for (const variable of unsetVariables(redact)) {
    logger.warn(
      { variable },
      'redact.environment names a variable that is not set, so nothing is masked for it',
    );
  }
  for (const pattern of toolless) {
    logger.warn({ pattern }, 'no file that the pattern matches exports a tool; export the decorated classes');
  }
  for (const { key } of specs.filter(({ scopes }) => scopes === undefined)) {
    logger.warn({ tool: key }, 'nobody may call the tool: add @Scopes(…), or @Scopes() for anyone');
  }
  if (specs.length === 0) logger.warn({}, 'no tools were discovered');
}

function toBound(option: string, given: number | undefined, byDefault: number): number {
  const bound = given ?? byDefault;
  if (Number.isSafeInteger(bound) && bound > 0) return bound;
  throw new TypeError(
    `createToolkit: ${option} is ${String(given)}; give a positive integer, or leave it out.`,
  );
}

function toSwitch(option: string, given: unknown, byDefault: boolean): boolean {
  const isOn = given ?? byDefault;
  if (typeof isOn === 'boolean') return isOn;
  throw new TypeError(`createToolkit: ${option} is ${String(given)}; give true or false, or leave it out.`);
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A level that is missing would show only when it is written to. */
function refuseHalfLogger(logger: Logger | undefined): void {
  const lacking = LEVELS.filter((level) => logger !== undefined && typeof logger?.[level] !== 'function');
  if (lacking.length === 0) return;
  throw new TypeError(
    `createToolkit: logger has no method ${lacking.join(', ')}; give one with ${LEVELS.join(', ')}, such as pino's.`,
  );
}

function toLimits(limits: Partial<InputLimits> = {}): InputLimits {
  return {
    maxDepth: toBound('limits.maxDepth', limits.maxDepth, DEFAULT_INPUT_LIMITS.maxDepth),
    maxElements: toBound('limits.maxElements', limits.maxElements, DEFAULT_INPUT_LIMITS.maxElements),
    maxBytes: toBound('limits.maxBytes', limits.maxBytes, DEFAULT_INPUT_LIMITS.maxBytes),
  };
}

/** Puts a toolkit together, and leaves to its caller whether it owns the instances. */
export async function assemble(options: ToolkitOptions): Promise<{
  readonly toolkit: Toolkit;
  readonly own: () => void;
}> {
  refuseUnknownKeys('createToolkit', options, OPTIONS);
  refuseNoLists('createToolkit', options, ['scopes', 'interceptors']);
  if (options.mapError !== undefined && typeof options.mapError !== 'function') {
    throw new TypeError('createToolkit: mapError is no function; write mapError: (error, call) => ….');
  }
  refuseHalfLogger(options.logger);
  const scrubber = new Scrubber(options.redact);
  const { discover = {} } = options;
  const container = discover.container ?? options.container;
  const found = await collectTools({ ...discover, ...(container === undefined ? {} : { container }) });
  const registry = new ToolRegistry({ scopes: options.scopes, covers: options.covers });
  throwProblems([...found.problems, ...registry.add(...found.specs)]);
  registry.seal();
  const loggerWith = (fields?: () => object) =>
    scrubbingLogger(options.logger ?? consoleLogger, scrubber, fields);
  const logger = loggerWith();
  warn(logger, found, options.redact);
  const timeoutMs = toBound('timeoutMs', options.timeoutMs, 30_000);
  const settings = toLimitSettings(options, new Set(registry.list().map(({ name }) => name)));
  const invoker = new Invoker({
    registry,
    interceptors: options.interceptors ?? [],
    guards: limitGuards(settings, { logger, timeoutMs, scrubber }),
    logger,
    loggerWith,
    limits: toLimits(options.limits),
    timeoutMs,
    maxResultBytes: toBound('maxResultBytes', options.maxResultBytes, 1_048_576),
    mapError: options.mapError,
    maskUnexpectedErrors: options.maskUnexpectedErrors ?? false,
    scrubber,
    retryGuard: toSwitch('retryGuard', options.retryGuard, true),
  });
  return {
    toolkit: new Toolkit(registry, invoker),
    own: () => {
      for (const instance of found.instances) linkOwner(instance, invoker);
    },
  };
}

/**
 * Discovers tools, registers them and seals the registry.
 *
 * @throws DeclarationError with everything that is wrong with the declarations.
 * @throws TypeError when there is no such option, a bound is not a positive integer, `logger` lacks a
 * level, or an interceptor names no stage or has no `run`.
 */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const { toolkit, own } = await assemble(options);
  own();
  return toolkit;
}
