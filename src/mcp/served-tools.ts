/**
 * The tools that a toolkit serves over MCP: one version a name, as MCP's clients see them.
 * Invariant: what is served is what clients can take; a tool that they could not take is left out alone, since
 * they refuse a whole list for one of its members.
 */
import { specTypeSchemas } from '@modelcontextprotocol/server';
import type { Logger } from '../contract/context';
import { oncePer } from '../contract/once';
import type { JsonSchema } from '../contract/schema';
import type { ToolDefinition, ToolSpec } from '../contract/tool';
import type { DeclarationProblem } from '../errors/declaration-error';
import { throwProblems } from '../errors/declaration-error';
import { describe } from '../schema/describe';
import { type Concerns, ListChanges } from './list-changes';
import { paramHeaderFaults, takesParamHeaders } from './param-headers';
import type { ServedToolkit } from './served-toolkit';

/** A tool as it is served. */
export interface ServedTool {
  readonly spec: ToolSpec;
  readonly definition: ToolDefinition;
  /** Set where arguments are mirrored in `Mcp-Param-…` headers, which the SDK then compares. */
  readonly headerSchema: JsonSchema | undefined;
}

/** Which tools are served. */
export interface ServedToolsOptions {
  /** For a name, the range whose highest version is served: `{ 'orders.lookup': '^1' }`. */
  readonly versions: { readonly [name: string]: string };
  readonly logger: Logger;
}

function faultsOf(definition: ToolDefinition): readonly string[] {
  const judged = specTypeSchemas.Tool['~standard'].validate(definition);
  const faults = 'then' in judged || judged.issues === undefined ? [] : judged.issues;
  return [
    ...faults.map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`),
    ...paramHeaderFaults(definition.inputSchema),
  ];
}

function problemsOf(spec: ToolSpec): readonly DeclarationProblem[] {
  return faultsOf(describe(spec)).map((fault) => ({
    code: 'illegal_schema',
    place: { class: spec.source.class, member: spec.source.member, tool: spec.key },
    message: `MCP's clients would refuse the tool, and every other with it: ${fault}`,
    mend: 'Correct its declaration, or serve a version of it without the fault.',
  }));
}

/** What is wrong with a spec over MCP; found once. */
const problemsOfSpec = oncePer(problemsOf);

const servedOf = oncePer((spec: ToolSpec): ServedTool => {
  const definition = describe(spec);
  const headerSchema = takesParamHeaders(definition.inputSchema) ? definition.inputSchema : undefined;
  return { spec, definition, headerSchema };
});

/** The same list until something changes, so that what is found of it is found once. */
const listed = oncePer((byName: ReadonlyMap<string, ServedTool>): readonly ServedTool[] => [
  ...byName.values(),
]);

/** Holds what is served, and follows the registry. */
export class ServedTools {
  private byName: ReadonlyMap<string, ServedTool>;
  private readonly stop: () => void;
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
    const specs = this.selected();
    throwProblems(specs.flatMap(problemsOfSpec));
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

  private selected(): readonly ToolSpec[] {
    return this.toolkit.registry.select({ versions: this.options.versions });
  }

  private index(specs: readonly ToolSpec[]): ReadonlyMap<string, ServedTool> {
    const served = specs.map((spec) => [spec.modelName, servedOf(spec)] as const);
    return new Map(served.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Takes what the registry holds now; gives what came and what went, as clients see it. */
  private follow(): readonly ToolSpec[] {
    const { logger } = this.options;
    let specs: readonly ToolSpec[];
    try {
      specs = this.selected();
    } catch (error) {
      // A pinned version is gone: what else there is goes on.
      logger.error(
        { error: String(error) },
        'a pinned version is not there any more; its tool is not served',
      );
      const { registry } = this.toolkit;
      const pins = Object.entries(this.options.versions).filter(([name, range]) =>
        registry.resolve(name, range),
      );
      const gone = new Set(
        Object.keys(this.options.versions).filter((name) => !pins.some(([one]) => one === name)),
      );
      specs = registry.select({ versions: Object.fromEntries(pins) }).filter(({ name }) => !gone.has(name));
    }
    const sound = specs.filter((spec) => {
      const problems = problemsOfSpec(spec);
      for (const { message } of problems) logger.error({ tool: spec.key }, `left out of MCP: ${message}`);
      return problems.length === 0;
    });
    const before = this.byName;
    const after = this.index(sound);
    this.byName = after;
    const came = [...after].filter(([name, served]) => before.get(name) !== served);
    const went = [...before].filter(([name, served]) => after.get(name) !== served);
    return [...came, ...went].map(([, { spec }]) => spec);
  }
}
