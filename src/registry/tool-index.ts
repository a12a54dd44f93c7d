/**
 * The shelves of a registry: tools by name and version.
 * Invariant: every spec on them is legal and no two share a key or a model name, letter case aside.
 */
import { compare, maxSatisfying } from 'semver';
import { checkName, checkVersion, toModelName, toToolKey } from '../contract/names';
import type { ToolSpec } from '../contract/tool';
import type {
  DeclarationPlace,
  DeclarationProblem,
  DeclarationProblemCode,
} from '../errors/declaration-error';

function placeOf({ key, source }: ToolSpec): DeclarationPlace {
  return {
    class: source.class,
    member: source.member,
    tool: key,
    ...(source.file === undefined ? {} : { file: source.file }),
  };
}

function sourceOf({ key, source }: ToolSpec): string {
  return `${key} of ${source.class}.${source.member}${source.file === undefined ? '' : ` in ${source.file}`}`;
}

/** What is wrong with a spec whose key another has. */
export function duplicateProblem(spec: ToolSpec, twin: ToolSpec): DeclarationProblem {
  return {
    code: 'duplicate_key',
    place: placeOf(spec),
    message: `the key is taken by ${sourceOf(twin)}`,
    mend: 'Bump the version of one of them, or rename it.',
  };
}

/** What is wrong with specs whose compensating tool is not among them. */
export function compensationProblems(specs: readonly ToolSpec[]): readonly DeclarationProblem[] {
  const names = new Set(specs.map(({ name }) => name));
  return specs.flatMap((spec) => {
    const { compensation } = spec;
    if (compensation === undefined || names.has(compensation)) return [];
    const message = `the compensation ${compensation} names no tool`;
    const mend = 'Name a tool without its version, and make sure that discovery reaches it.';
    return [{ code: 'unknown_tool', place: placeOf(spec), message, mend }];
  });
}

/** Tools by name and version. */
export class ToolIndex {
  private readonly byName = new Map<string, Map<string, ToolSpec>>();
  private readonly byModelName = new Map<string, ToolSpec>();
  /** The highest version of all, by name: most calls ask for it. */
  private readonly highest = new Map<string, ToolSpec | undefined>();

  /** @param taxonomy all scopes that exist; undefined: any may. */
  constructor(private readonly taxonomy: ReadonlySet<string> | undefined) {}

  /** Adds a spec, or lists what is wrong with it. */
  add(spec: ToolSpec): readonly DeclarationProblem[] {
    const problems = this.judge(spec);
    if (problems.length > 0) return problems;
    // What was judged stays what it is.
    Object.freeze(spec);
    const versions = this.byName.get(spec.name) ?? new Map<string, ToolSpec>();
    versions.set(spec.version, spec);
    this.highest.delete(spec.name);
    this.byName.set(spec.name, versions);
    this.byModelName.set(spec.modelName.toLowerCase(), spec);
    return [];
  }

  get(name: string, version: string): ToolSpec | undefined {
    return this.byName.get(name)?.get(version);
  }

  /** The highest version of a name in a range. */
  resolve(name: string, range: string): ToolSpec | undefined {
    const versions = this.byName.get(name);
    if (versions === undefined) return undefined;
    if (range === '*' && this.highest.has(name)) return this.highest.get(name);
    const version = maxSatisfying([...versions.keys()], range);
    const found = version === null ? undefined : versions.get(version);
    if (range === '*') this.highest.set(name, found);
    return found;
  }

  /** The name behind a model name; undefined when there is none. */
  nameOf(modelName: string): string | undefined {
    const spec = this.byModelName.get(modelName.toLowerCase());
    return spec?.modelName === modelName ? spec.name : undefined;
  }

  /** The versions of a name, lowest first. */
  versions(name: string): readonly string[] {
    return [...(this.byName.get(name)?.keys() ?? [])].sort(compare);
  }

  /** All names, in the order of their code units. */
  names(): readonly string[] {
    return [...this.byName.keys()].sort();
  }

  /** All specs, by name and then by version. */
  list(): readonly ToolSpec[] {
    return this.names().flatMap((name) =>
      this.versions(name).flatMap((version) => this.get(name, version) ?? []),
    );
  }

  /** Shelves of the same taxonomy without a tool on them. */
  empty(): ToolIndex {
    return new ToolIndex(this.taxonomy);
  }

  private judge(spec: ToolSpec): readonly DeclarationProblem[] {
    const problems: DeclarationProblem[] = [];
    const report = (code: DeclarationProblemCode, message: string, mend: string) => {
      problems.push({ code, place: placeOf(spec), message, mend });
    };
    for (const problem of [checkName(spec.name), checkVersion(spec.version)]) {
      if (problem !== undefined) report(problem.code, problem.message, problem.mend);
    }
    if (spec.key !== toToolKey(spec.name, spec.version) || spec.modelName !== toModelName(spec.name)) {
      const mend = 'Make them by toToolKey and toModelName.';
      report('illegal_name', 'the key or the model name is not made from the name', mend);
    }
    const twin = this.get(spec.name, spec.version);
    if (twin !== undefined) problems.push(duplicateProblem(spec, twin));
    const neighbour = this.byModelName.get(spec.modelName.toLowerCase());
    if (neighbour !== undefined && neighbour.name !== spec.name) {
      report(
        'model_name_collision',
        `the model name ${spec.modelName} collides with that of ${sourceOf(neighbour)}`,
        'Rename one of them: dots become underscores, and letter case does not tell names apart.',
      );
    }
    const unknown = (spec.scopes ?? []).filter((scope) => this.taxonomy?.has(scope) === false);
    if (unknown.length > 0) {
      report(
        'unknown_scope',
        `the application knows no scope ${unknown.join(', ')}`,
        `Correct @Scopes, or add it to createToolkit({ scopes }), which has ${[...(this.taxonomy ?? [])].join(', ')}.`,
      );
    }
    return problems;
  }
}
