/**
 * The tool that calls are measured with, the toolkits that it stands in, and who calls it.
 * Invariant: toolkits differ in nothing but their layers, and a call that ends otherwise than it has to is an
 * error of the measurement.
 */
import { IsBoolean, IsString } from 'class-validator';
import {
  type Class,
  createToolkit,
  type InvokeOptions,
  type Logger,
  Scopes,
  SideEffect,
  type SideEffectKind,
  Tool,
  type ToolkitOptions,
} from 'toolcrib';
import type { Candidate } from './harness';

/** What the tool answers. */
export class Answer {
  @IsString() id!: string;
  @IsBoolean() done!: boolean;
}

/** What the tool does. */
export type Handler = () => Answer | Promise<Answer>;

/** What each layer is configured with: bounds that are counted, and that no measured call reaches. */
export const LAYERS = {
  'rate limits': {
    rateLimit: {
      perPrincipal: { limit: 2 ** 31 - 1, windowMs: 60_000 },
      perTool: { limit: 2 ** 31 - 1, windowMs: 60_000 },
    },
  },
  'a concurrency bound': { concurrency: { maxConcurrent: 8, maxQueued: 100 } },
  'a circuit breaker': { circuitBreaker: { failureThreshold: 5, resetAfterMs: 30_000 } },
  retries: { retry: { maxAttempts: 3 } },
  'the retry guard': { retryGuard: true },
} satisfies Readonly<Record<string, Partial<ToolkitOptions>>>;

const BARE = {
  rateLimit: false,
  concurrency: false,
  circuitBreaker: false,
  retry: false,
  retryGuard: false,
  ledger: false,
  approval: false,
} as const;
const TIMEOUT_MS = 10_000;
const TURN_LENGTH = 8;

const nothing = () => {};
const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

function toolOf(input: Class<object>, handler: Handler, { kind = 'none', key }: Effect): Class {
  const keyed = key === undefined ? {} : { idempotencyKey: key };
  const declared = { name: 'bench.call', version: '1.0.0', description: 'Is measured', ...keyed };
  @Tool({ ...declared, input, output: Answer })
  @Scopes('bench:call')
  @SideEffect(kind)
  class Measured {
    execute(_input: object): Answer | Promise<Answer> {
      return handler();
    }
  }
  return Measured;
}

/** Says who makes a call, by its number. */
export type Caller = (call: number) => InvokeOptions;

const principals = Array.from({ length: 8 }, (_, index) => ({
  id: `principal-${index}`,
  scopes: ['bench:call'],
}));

/** Eight principals take turns; each is in a conversation whose user says something every few calls. */
const inTurns: Caller = (call) => {
  const principal = principals[call % principals.length];
  const turn = Math.floor(call / (principals.length * TURN_LENGTH));
  const conversationId = `conversation-${call % principals.length}`;
  return { principal, conversationId, turnId: `turn-${turn}`, callId: `call-${call}` };
};

/** Every call is of a conversation of its own, so that none repeats another. */
export const alone: Caller = (call) => ({ ...inTurns(call), conversationId: `conversation-${call}` });

/** One principal calls in one turn, so that everything said before is said again. */
export const repeating: Caller = (call) => ({ ...inTurns(0), callId: `call-${call}` });

/** What the tool does to the world. */
export interface Effect {
  /** Left out: nothing. */
  readonly kind?: SideEffectKind;
  /** The business key of a call; left out: it has none. */
  readonly key?: () => string;
}

/** How calls are made, and how they end. */
interface Calls extends Effect {
  readonly caller?: Caller;
  readonly code?: string;
}

/** Makes a candidate: the tool in a toolkit with some layers, whose calls end with a code, or with none. */
export async function measured(
  input: Class<object>,
  layers: readonly Partial<ToolkitOptions>[],
  handler: Handler,
  { caller = inTurns, code, ...effect }: Calls = {},
): Promise<Candidate> {
  const tool = toolOf(input, handler, effect);
  const options = { discover: { classes: [tool] }, logger: silent, timeoutMs: TIMEOUT_MS, ...BARE };
  const toolkit = await createToolkit(Object.assign(options, ...layers));
  let call = 0;
  return async (payload) => {
    call += 1;
    const result = await toolkit.invoke('bench.call', payload, caller(call));
    const ended = result.success ? undefined : result.error.code;
    if (ended !== code) throw new Error(`a measured call ended ${ended ?? 'well'}`);
    return result;
  };
}
