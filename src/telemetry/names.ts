/**
 * Every name that telemetry gives out: of spans, attributes and metrics.
 * Invariant: names of others are those of the OpenTelemetry semantic conventions for GenAI in the version below, ours
 * all begin with `toolcrib.`; alert rules and dashboards name nothing else.
 */

/** The version of open-telemetry/semantic-conventions-genai that the `gen_ai.` and `mcp.` names are taken from. */
export const GEN_AI_CONVENTIONS = '0.1.0';

/** The instrumentation scope of all spans and metrics. */
export const SCOPE = 'toolcrib';

/** The value of `gen_ai.operation.name`, and the first word of a span's name. */
export const OPERATION = 'execute_tool';

/** Stands for what has no label of its own: tools that there are not, and whatever exceeds a bound. */
export const OTHER = '_other';

/** Names of attributes, of spans and metrics alike. */
export const ATTRIBUTES = {
  operation: 'gen_ai.operation.name',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  callId: 'gen_ai.tool.call.id',
  arguments: 'gen_ai.tool.call.arguments',
  result: 'gen_ai.tool.call.result',
  errorType: 'error.type',
  mcpMethod: 'mcp.method.name',
  version: 'toolcrib.version',
  sideEffect: 'toolcrib.side_effect',
  outcome: 'toolcrib.outcome',
  attempt: 'toolcrib.attempt',
  replayed: 'toolcrib.replayed',
  approval: 'toolcrib.approval',
  limiter: 'toolcrib.limiter',
  path: 'toolcrib.path',
  rule: 'toolcrib.rule',
  breaker: 'toolcrib.breaker',
  reference: 'toolcrib.reference',
  outcomeUnknown: 'toolcrib.outcome_unknown',
  exceptionType: 'exception.type',
} as const;

/** One metric. */
export interface MetricName {
  readonly name: string;
  /** In UCUM, as OpenTelemetry writes units. */
  readonly unit: string;
  readonly description: string;
  readonly kind: 'histogram' | 'counter' | 'gauge';
}

/** All metrics. */
export const METRICS = {
  duration: {
    name: 'gen_ai.execute_tool.duration',
    unit: 's',
    description: 'The duration of a single tool execution.',
    kind: 'histogram',
  },
  calls: {
    name: 'toolcrib.calls',
    unit: '{call}',
    description: 'Calls by how they ended, and by the limit that refused them.',
    kind: 'counter',
  },
  invalidInput: {
    name: 'toolcrib.invalid_input',
    unit: '{violation}',
    description: 'Rules that arguments broke, by declared field.',
    kind: 'counter',
  },
  exceptions: {
    name: 'toolcrib.exceptions',
    unit: '{call}',
    description: 'Calls that ended with an exception that nobody has foreseen.',
    kind: 'counter',
  },
  refusedRetries: {
    name: 'toolcrib.refused_retries',
    unit: '{call}',
    description: 'Calls that repeated a final failure, and were refused.',
    kind: 'counter',
  },
  denials: {
    name: 'toolcrib.denials',
    unit: '{call}',
    description: 'Calls whose caller does not hold the scopes.',
    kind: 'counter',
  },
  approvals: {
    name: 'toolcrib.approvals',
    unit: '{call}',
    description: 'Calls that a person was asked about, by how far that came.',
    kind: 'counter',
  },
  replays: {
    name: 'toolcrib.replays',
    unit: '{call}',
    description: 'Calls that the ledger answered.',
    kind: 'counter',
  },
  limited: {
    name: 'toolcrib.limited',
    unit: '{call}',
    description: 'Calls that a limit refused.',
    kind: 'counter',
  },
  unknownOutcomes: {
    name: 'toolcrib.unknown_outcomes',
    unit: '{call}',
    description:
      'Calls that ended with outcome_unknown, or did not succeed after the handler of a tool with side effects had begun, unless it is known what its action came to.',
    kind: 'counter',
  },
  startTime: {
    name: 'toolcrib.start_time_seconds',
    unit: 's',
    description: 'Since when the process counts calls, in seconds since the epoch.',
    kind: 'gauge',
  },
  breakerOpen: {
    name: 'toolcrib.breaker_open',
    unit: '{breaker}',
    description: '1 while a circuit breaker is open, 0 once it has closed.',
    kind: 'gauge',
  },
} as const satisfies Readonly<Record<string, MetricName>>;

/** Upper bounds of the duration's buckets, in seconds. */
export const DURATION_BUCKETS: readonly number[] = [
  0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];
