/**
 * The labels of metrics.
 * Invariant: their number is bounded by what is registered and declared, whatever callers send.
 */
import type { CallRecord, DeclaredViolation } from '../contract/observer';
import type { ToolSpec } from '../contract/tool';
import { isFrameworkErrorCode } from '../errors/codes';
import { ATTRIBUTES, OTHER } from './names';

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

const NO_TOOL: ToolLabels = { [ATTRIBUTES.tool]: OTHER, [ATTRIBUTES.version]: OTHER };

/** Gives out the labels of one toolkit's metrics. */
export class Labels {
  private readonly tools = new First(LABEL_LIMITS.tools);
  private readonly codes = new Map<string, First>();
  private readonly fields = new Map<string, First>();

  /** The labels of a tool; one label stands for all that there are not. */
  ofTool(tool: ToolSpec | undefined): ToolLabels {
    if (tool === undefined || !this.tools.has(tool.key)) return NO_TOOL;
    return { [ATTRIBUTES.tool]: tool.name, [ATTRIBUTES.version]: tool.version };
  }

  /** The label of a code: the framework's own, and the first ones of an author. */
  ofCode(code: string, tool: ToolLabels): string {
    if (isFrameworkErrorCode(code)) return code;
    return this.first(this.codes, tool, LABEL_LIMITS.authorCodes).has(code) ? code : OTHER;
  }

  /** The labels of a violation. */
  ofViolation({ path, rule }: DeclaredViolation, tool: ToolLabels): Readonly<Record<string, string>> {
    const isKnown = this.first(this.fields, tool, LABEL_LIMITS.fields).has(`${path} ${rule}`);
    return { [ATTRIBUTES.path]: isKnown ? path : OTHER, [ATTRIBUTES.rule]: isKnown ? rule : OTHER };
  }

  /** The labels of how a call ended. */
  ofEnd({ outcome, error }: CallRecord, tool: ToolLabels): Readonly<Record<string, string>> {
    const code = error === undefined ? {} : { [ATTRIBUTES.errorType]: this.ofCode(error.code, tool) };
    return { [ATTRIBUTES.outcome]: outcome, ...code };
  }

  private first(all: Map<string, First>, tool: ToolLabels, most: number): First {
    const key = `${tool[ATTRIBUTES.tool]}@${tool[ATTRIBUTES.version]}`;
    const known = all.get(key) ?? new First(most);
    all.set(key, known);
    return known;
  }
}
