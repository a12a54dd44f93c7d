/**
 * The labels of metrics.
 * Invariant: their number is bounded by what is registered and declared, whatever callers send.
 */
import type { Attributes } from '@opentelemetry/api';
import type { CallRecord, DeclaredViolation, Limiter } from '../contract/observer';
import type { ToolSpec } from '../contract/tool';
import { isFrameworkErrorCode } from '../errors/codes';
import { ATTRIBUTES, OPERATION, OTHER } from './names';

/** How many versions of tools, codes of one's author, and pairs of field and rule of one have labels of their own. */
export const LABEL_LIMITS = { tools: 1_000, authorCodes: 32, fields: 256 } as const;

/** The first of many. */
class First {
  private readonly taken = new Set<string>();

  constructor(private readonly most: number) {}

  /** Tells whether one is among the first. */
  has(one: string): boolean {
    if (this.taken.has(one)) return true;
    if (this.taken.size >= this.most) return false;
    this.taken.add(one);
    return true;
  }
}

/** The labels of a tool. */
export type ToolLabels = Readonly<Record<typeof ATTRIBUTES.tool | typeof ATTRIBUTES.version, string>>;

/** How calls ended: the labels of their count and of their durations, and how many have so far. */
export interface End {
  readonly calls: Attributes;
  readonly duration: Attributes;
  /** Counted here, and read when metrics are collected: a counter would look its labels up with every call. */
  count: number;
}

/** What is known of one tool; made once, since attributes are counted with every call. */
interface Known {
  readonly labels: ToolLabels;
  readonly success: End;
  readonly paused: End;
  readonly failures: Map<string, End>;
  readonly authorCodes: First;
  readonly fields: First;
}

function endOf(
  tool: ToolLabels,
  outcome: CallRecord['outcome'],
  code?: string,
  limiter?: Limiter | undefined,
): End {
  const coded = code === undefined ? tool : { ...tool, [ATTRIBUTES.errorType]: code };
  const limited = limiter === undefined ? coded : { ...coded, [ATTRIBUTES.limiter]: limiter };
  return {
    calls: { ...limited, [ATTRIBUTES.outcome]: outcome },
    duration: { ...coded, [ATTRIBUTES.operation]: OPERATION },
    count: 0,
  };
}

function known(labels: ToolLabels): Known {
  return {
    labels,
    success: endOf(labels, 'success'),
    paused: endOf(labels, 'paused'),
    failures: new Map(),
    authorCodes: new First(LABEL_LIMITS.authorCodes),
    fields: new First(LABEL_LIMITS.fields),
  };
}

/** Gives out the labels of one meter's metrics. */
export class Labels {
  private readonly tools = new Map<string, Known>();
  private readonly noTool = known({ [ATTRIBUTES.tool]: OTHER, [ATTRIBUTES.version]: OTHER });

  /** The labels of a tool; the same ones stand for all that there are not. */
  ofTool(tool: ToolSpec | undefined): ToolLabels {
    return this.of(tool).labels;
  }

  /**
   * The labels of how a call ended, by its code: the framework's own, and the first ones of an author. What a limit of
   * ours refused is told from what the handler answered with the same code.
   */
  ofEnd({ call, outcome, error, limiter }: CallRecord): End {
    const tool = this.of(call.tool);
    if (error === undefined) return outcome === 'paused' ? tool.paused : tool.success;
    const isKnown = isFrameworkErrorCode(error.code) || tool.authorCodes.has(error.code);
    const code = isKnown ? error.code : OTHER;
    const key = limiter === undefined ? code : `${code} ${limiter}`;
    const made = tool.failures.get(key) ?? endOf(tool.labels, outcome, code, limiter);
    tool.failures.set(key, made);
    return made;
  }

  /** The labels of a violation of a tool's arguments. */
  ofViolation({ path, rule }: DeclaredViolation, tool: ToolSpec | undefined): Attributes {
    const { labels, fields } = this.of(tool);
    const isKnown = fields.has(`${path} ${rule}`);
    return {
      ...labels,
      [ATTRIBUTES.path]: isKnown ? path : OTHER,
      [ATTRIBUTES.rule]: isKnown ? rule : OTHER,
    };
  }

  /** All ends that calls have come to. */
  ends(): readonly End[] {
    const all = [this.noTool, ...this.tools.values()];
    return all
      .flatMap(({ success, paused, failures }) => [success, paused, ...failures.values()])
      .filter(({ count }) => count > 0);
  }

  private of(tool: ToolSpec | undefined): Known {
    if (tool === undefined) return this.noTool;
    const found = this.tools.get(tool.key);
    if (found !== undefined) return found;
    if (this.tools.size >= LABEL_LIMITS.tools) return this.noTool;
    const made = known({ [ATTRIBUTES.tool]: tool.name, [ATTRIBUTES.version]: tool.version });
    this.tools.set(tool.key, made);
    return made;
  }
}
