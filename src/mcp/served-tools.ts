/**
 * The tools that a toolkit serves over MCP: one version a name, as MCP's clients see them.
 * Invariant: what is served is what clients can take; a tool that they could not take is left out alone, since
 * they refuse a whole list for one of its members.
 */
import type { Tool } from '@modelcontextprotocol/server';
import type { Logger } from '../contract/context';
import { oncePer } from '../contract/once';
import type { ToolDefinition, ToolSpec } from '../contract/tool';
import type { DeclarationPlace, DeclarationProblem } from '../errors/declaration-error';
import { throwProblems } from '../errors/declaration-error';
import { describe } from '../schema/describe';
import { judgeDefinition } from './definition-faults';
import { type Concerns, ListChanges } from './list-changes';
import type { ServedToolkit } from './served-toolkit';

/** A tool as it is served. */
export interface ServedTool {
  readonly spec: ToolSpec;
  readonly definition: ToolDefinition;
  /** The definition as the SDK gets it: a copy, which stays what was judged. */
  readonly tool: Tool;
  /** Set where arguments are mirrored in `Mcp-Param-…` headers, which the SDK then compares. */
  readonly headerSchema: Tool['inputSchema'] | undefined;
}

/** Which tools are served. */
export interface ServedToolsOptions {
  /** For a name, the range whose highest version is served: `{ 'orders.lookup': '^1' }`. */
  readonly versions: { readonly [name: string]: string };
  readonly logger: Logger;
}

/** What is found of a spec; once, since it never changes. */
const judgedOf = oncePer(judgeDefinition);

/** Specs that were made by hand may lack a source. */
function placeOf({ key, source }: { key: string; source?: ToolSpec['source'] }): DeclarationPlace {
  return { ...(source === undefined ? {} : { class: source.class, member: source.member }), tool: key };
}

function problemsOf(spec: ToolSpec): readonly DeclarationProblem[] {
  return (judgedOf(spec).faults ?? []).map((fault) => ({
    code: 'illegal_schema',
    place: placeOf(spec),
    message: `MCP's clients would refuse the tool, and every other with it: ${fault}`,
    mend: 'Correct its declaration, or serve a version of it without the fault.',
  }));
}

/** Nothing where its clients could not take it. */
const servedOf = oncePer((spec: ToolSpec): ServedTool | undefined => {
  const judged = judgedOf(spec);
  if (judged.faults !== undefined) return undefined;
  const { tool, headerSchema } = judged;
  return { spec, definition: describe(spec), tool, headerSchema };
});

/** The same list until something changes, so that what is found of it is found once. */
const listed = oncePer((byName: ReadonlyMap<string, ServedTool>): readonly ServedTool[] => [
  ...byName.values(),
]);

/** Holds what is served, and follows the registry. */
export class ServedTools {
  private byName: ReadonlyMap<string, ServedTool>;
  private readonly stop: () => void;
  /** The specs whose problems were logged. */
  private readonly told = new WeakSet<ToolSpec>();
  /** The names whose pinned version is gone. */
  private gone: ReadonlySet<string> = new Set();
  private readonly changes: ListChanges;

  /**
   * @param onChange is told after updates that changed what is served, once for those in quick succession, and whom
   * they concern.
   * @throws DeclarationError `illegal_schema` with every tool that MCP's clients could not take, and as `select` of
   * the registry does for versions that are not there.
   */
  constructor(
    private readonly toolkit: ServedToolkit,
    private readonly options: ServedToolsOptions,
    onChange: (concerns: Concerns) => void,
  ) {
    const specs = toolkit.registry.select({ versions: options.versions });
    throwProblems(specs.flatMap(problemsOf));
    this.byName = this.index(specs);
    this.changes = new ListChanges((...call) => toolkit.registry.authorise(...call), onChange);
    this.stop = toolkit.registry.onChange(() => this.changes.note(this.follow()));
  }

  /** The tool that clients call by a name. */
  get(name: string): ServedTool | undefined {
    return this.byName.get(name);
  }

  /** All, in the order of their names. */
  list(): readonly ServedTool[] {
    return listed(this.byName);
  }

  /** Follows the registry no more. */
  close(): void {
    this.stop();
    this.changes.close();
  }

  private index(specs: readonly ToolSpec[]): ReadonlyMap<string, ServedTool> {
    const served = specs.flatMap((spec) => servedOf(spec) ?? []);
    const named = served.map((tool) => [tool.spec.modelName, tool] as const);
    return new Map(named.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** What the registry holds now; where a pinned version is gone, what else there is goes on. */
  private left(): readonly ToolSpec[] {
    const { registry } = this.toolkit;
    const pins = Object.entries(this.options.versions);
    const gone = pins.filter(([name, range]) => registry.resolve(name, range) === undefined);
    const names = new Set(gone.map(([name]) => name));
    for (const [tool, range] of gone) {
      if (!this.gone.has(tool)) this.options.logger.error({ tool, range }, 'a pinned version is gone');
    }
    this.gone = names;
    const versions = Object.fromEntries(pins.filter(([name]) => !names.has(name)));
    return registry.select({ versions }).filter(({ name }) => !names.has(name));
  }

  /** Takes what the registry holds now; gives what came and what went, as clients see it. */
  private follow(): readonly ToolSpec[] {
    const specs = this.left();
    for (const spec of specs) this.tellProblems(spec);
    const before = this.byName;
    const after = this.index(specs);
    this.byName = after;
    const came = [...after].filter(([name, served]) => before.get(name) !== served);
    const went = [...before].filter(([name, served]) => after.get(name) !== served);
    return [...came, ...went].map(([, { spec }]) => spec);
  }

  /** Logs why a tool is left out, once a spec: a registry may change often. */
  private tellProblems(spec: ToolSpec): void {
    if (this.told.has(spec)) return;
    this.told.add(spec);
    for (const { message } of problemsOf(spec)) {
      this.options.logger.error({ tool: spec.key }, `left out of MCP: ${message}`);
    }
  }
}
