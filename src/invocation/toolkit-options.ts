/**
 * What an application may say of its toolkit, and the readers of plain options.
 * Invariant: every setting is sound once read; an option that would be ignored is a TypeError.
 */
import type { Interceptor } from '../contract/call';
import type { Logger } from '../contract/context';
import type { ErrorMapping } from '../contract/mapping';
import type { Observer } from '../contract/observer';
import type { ScopeCover } from '../contract/principal';
import { DEFAULT_INPUT_LIMITS, type InputLimits } from '../contract/schema';
import { refuseNoLists, refuseUnknownKeys, toCount } from '../discovery/check-options';
import type { Container, DiscoverOptions } from '../discovery/options';
import type { ApprovalOptions } from './approval/options';
import type { LedgerOptions } from './ledger/options';
import type { LimitOptions } from './limits/options';
import type { RedactOptions } from './scrub/known-secrets';

/** What `createToolkit` takes. */
export interface ToolkitOptions extends LimitOptions, LedgerOptions {
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
  /** Which calls a person approves, and how they are asked; false: none. Left out: `destructive` tools' calls. */
  readonly approval?: ApprovalOptions | false;
  /** What watches calls: traces, metrics, records. Each call runs within the first, which is the outermost. */
  readonly observers?: readonly Observer[];
  /** Writes one line a call to `logger`, without values: `info`, or higher by how it ended; left out: false. */
  readonly logCalls?: boolean;
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
  'approval',
  'observers',
  'logCalls',
  'ledger',
  'recordArguments',
];

/** Reads a bound. @throws TypeError where it is no positive integer. */
export function toBound(option: string, given: number | undefined, byDefault: number): number {
  return toCount('createToolkit', option, given, byDefault);
}

/** Reads a switch. @throws TypeError where it is neither true nor false. */
export function toSwitch(option: string, given: unknown, byDefault: boolean): boolean {
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

/** Reads the bounds of one call's arguments. @throws TypeError where one is no positive integer. */
export function toLimits(limits: Partial<InputLimits> = {}): InputLimits {
  return {
    maxDepth: toBound('limits.maxDepth', limits.maxDepth, DEFAULT_INPUT_LIMITS.maxDepth),
    maxElements: toBound('limits.maxElements', limits.maxElements, DEFAULT_INPUT_LIMITS.maxElements),
    maxBytes: toBound('limits.maxBytes', limits.maxBytes, DEFAULT_INPUT_LIMITS.maxBytes),
  };
}

/** Refuses options that would be ignored or fail later. @throws TypeError that names the option. */
export function checkToolkitOptions(options: ToolkitOptions): void {
  refuseUnknownKeys('createToolkit', options, OPTIONS);
  refuseNoLists('createToolkit', options, ['scopes', 'interceptors', 'observers']);
  if (options.mapError !== undefined && typeof options.mapError !== 'function') {
    throw new TypeError('createToolkit: mapError is no function; write mapError: (error, call) => ….');
  }
  for (const [at, observer] of (options.observers ?? []).entries()) {
    if (typeof observer?.began === 'function') continue;
    throw new TypeError(
      `createToolkit: observers[${at}] has no method began; give one such as telemetry() of toolcrib/telemetry.`,
    );
  }
  refuseHalfLogger(options.logger);
}
