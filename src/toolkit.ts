/**
 * The composition point that an application creates at start-up.
 * Invariant: it only puts the rooms below together; either everything is sound and the registry is sealed, or
 * there is one error and nothing is left behind.
 */

import type { ApprovalStore } from './contract/approval';
import type { AuditSink } from './contract/audit';
import type { InvokeOptions } from './contract/call';
import type { Class } from './contract/class';
import type { StructuredResult } from './contract/content';
import type { Logger } from './contract/context';
import type { DescribeOptions, DialectDescription } from './contract/dialect';
import type { Ledger } from './contract/ledger';
import type { Principal } from './contract/principal';
import type { ToolResult } from './contract/result';
import type { Serialized } from './contract/serialized';
import type { ToolDefinition } from './contract/tool';
import { collectTools, type Discovery } from './discovery/discover';
import type { JsonValue } from './errors/body';
import { DeclarationError, throwProblems } from './errors/declaration-error';
import type { Approvals } from './invocation/approval/approvals';
import { toApprovalSettings } from './invocation/approval/options';
import { ApproveStage } from './invocation/approval/stage';
import { ApprovalAudit } from './invocation/audit/deciding';
import { auditGuard, denied, turnedAway } from './invocation/audit/guards';
import { toAuditSettings } from './invocation/audit/options';
import { auditedLedger } from './invocation/audit/settling';
import { AuditTrail } from './invocation/audit/trail';
import { callLog } from './invocation/call-log';
import { consoleLogger } from './invocation/console-logger';
import { Invoker } from './invocation/invoker';
import { claimGuard } from './invocation/ledger/claim';
import { changeOutputs, toLedger } from './invocation/ledger/options';
import { limitGuards } from './invocation/limits/guards';
import { toLimitSettings } from './invocation/limits/options';
import { Observation } from './invocation/observation';
import { own as linkOwner } from './invocation/owners';
import { type ToolClass, type ToolReference, toReferenceText } from './invocation/reference';
import { Scrubber } from './invocation/scrub';
import { type RedactOptions, unsetVariables } from './invocation/scrub/known-secrets';
import { scrubbingLogger } from './invocation/scrub/loggable';
import {
  checkToolkitOptions,
  type ToolkitOptions,
  toBound,
  toLimits,
  toSwitch,
} from './invocation/toolkit-options';
import { compensationProblems } from './registry/tool-index';
import { type CatalogOptions, ToolRegistry } from './registry/tool-registry';
import { describe } from './schema/describe';

/** The structured result of a handler, as JSON. */
type OutputOf<Handler> = Handler extends (...args: never[]) => infer Output
  ? Serialized<StructuredResult<Awaited<Output>>>
  : never;

/** What outlives a call beside the ledger. */
interface ToolkitStores {
  readonly approvals: ApprovalStore;
  /** Undefined: nothing is recorded. */
  readonly audit: AuditSink | undefined;
}

/** Tools, and the one path on which they are called. Made by {@link createToolkit}. */
export class Toolkit {
  /** Every version of every tool; sealed. */
  readonly registry: ToolRegistry;
  /** The requests that wait for a person's approval. */
  readonly approvals: Approvals;
  /** What came of calls with side effects, and where a person settles what is not known; undefined: it is off. */
  readonly ledger: Ledger | undefined;
  /** Where its doors log: the application's logger, with secrets masked. */
  readonly logger: Logger;
  private readonly invoker: Invoker;

  /** @internal */
  constructor(
    registry: ToolRegistry,
    invoker: Invoker,
    logger: Logger,
    ledger: Ledger | undefined,
    private readonly approving: ApproveStage,
    private readonly trail: AuditTrail | undefined,
    /** As the application gave them, for whoever looks whether they work. @internal */
    readonly stores: ToolkitStores,
  ) {
    this.registry = registry;
    this.invoker = invoker;
    this.logger = logger;
    this.ledger = ledger;
    this.approvals = approving.approvals;
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

  /**
   * Takes no more calls, asks nobody for approval any more, and settles when the calls that run have ended and their
   * audit records are written; handlers that are out of time get two seconds, and an audit sink five.
   */
  async close(): Promise<void> {
    this.approving.close();
    await this.invoker.close();
    await this.trail?.close();
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

/**
 * Puts a toolkit together, and leaves to its caller whether it owns the instances. A tool that is `alone` may name a
 * compensating one that is not there.
 */
export async function assemble(
  options: ToolkitOptions,
  { alone }: { readonly alone: boolean },
): Promise<{
  readonly toolkit: Toolkit;
  readonly own: () => void;
}> {
  checkToolkitOptions(options);
  const scrubber = new Scrubber(options.redact);
  const { discover = {} } = options;
  const container = discover.container ?? options.container;
  const found = await collectTools({ ...discover, ...(container === undefined ? {} : { container }) });
  const registry = new ToolRegistry({ scopes: options.scopes, covers: options.covers });
  // A tool that is not sound is not among the specs, and is no reason to blame those that name it.
  const missing = alone || found.problems.length > 0 ? [] : compensationProblems(found.specs);
  throwProblems([...found.problems, ...registry.add(...found.specs), ...missing]);
  registry.seal();
  const loggerWith = (fields?: () => object) =>
    scrubbingLogger(options.logger ?? consoleLogger, scrubber, fields);
  const logger = loggerWith();
  warn(logger, found, options.redact);
  const timeoutMs = toBound('timeoutMs', options.timeoutMs, 30_000);
  const settings = toLimitSettings(options, new Set(registry.list().map(({ name }) => name)));
  const limits = toLimits(options.limits);
  const maxResultBytes = toBound('maxResultBytes', options.maxResultBytes, 1_048_576);
  const claimed = toLedger(options);
  const recordArguments = toSwitch('recordArguments', options.recordArguments, false);
  const { interceptors = [] } = options;
  const logsCalls = toSwitch('logCalls', options.logCalls, false);
  const observers = [
    ...(options.observers ?? []),
    ...(logsCalls ? [callLog(options.logger ?? consoleLogger, scrubber)] : []),
  ];
  const shared = { logger, timeoutMs, scrubber };
  const trail =
    options.audit === undefined ? undefined : new AuditTrail(toAuditSettings(options.audit), shared);
  const audit = trail === undefined ? undefined : new ApprovalAudit(trail);
  const onDenied = trail === undefined ? undefined : denied(trail);
  const observation =
    observers.length === 0 ? undefined : new Observation({ ...shared, limits, observers, registry });
  const changesOutputs = changeOutputs(interceptors);
  const approvingBy = { ...shared, registry, limits, ledger: claimed, audit, onDenied };
  const approval = toApprovalSettings(options.approval);
  const audited = audit === undefined ? approval : { ...approval, store: audit.store(approval.store) };
  const approving = new ApproveStage(audited, approvingBy);
  const claiming = { ...shared, recordArguments, maxResultBytes, changesOutputs };
  const invoker = new Invoker({
    registry,
    observation,
    interceptors,
    guards: [
      ...(trail === undefined ? [] : [auditGuard(trail, shared)]),
      ...approving.guards,
      ...(claimed === undefined ? [] : [claimGuard({ ...claiming, ledger: claimed })]),
      ...limitGuards(settings, {
        ...shared,
        breakerChanged: (breaker, state) => observation?.breakerChanged({ breaker, state }),
      }),
    ],
    logger,
    loggerWith,
    limits,
    timeoutMs,
    maxResultBytes,
    mapError: options.mapError,
    maskUnexpectedErrors: options.maskUnexpectedErrors ?? false,
    scrubber,
    onFailure: trail === undefined ? undefined : turnedAway(trail),
    onDenied,
    retryGuard: toSwitch('retryGuard', options.retryGuard, true),
  });
  const ledger = claimed === undefined || trail === undefined ? claimed : auditedLedger(claimed, trail);
  return {
    toolkit: new Toolkit(registry, invoker, logger, ledger, approving, trail, {
      approvals: approval.store,
      audit: options.audit?.sink,
    }),
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
  const { toolkit, own } = await assemble(options, { alone: false });
  own();
  return toolkit;
}
