/**
 * Discovers tools: from sources to specs.
 * Invariant: it fails whole, with everything that is wrong at once, and its order is that of names and versions.
 */
import { compare } from 'semver';
import type { ToolSpec } from '../contract/tool';
import { type DeclarationProblem, throwProblems } from '../errors/declaration-error';
import { lookForCopies } from '../schema/library-copies';
import { refuseNoLists, refuseUnknownKeys } from './check-options';
import { collectClasses } from './classes';
import { judgeClass } from './judge-class';
import type { DiscoverOptions } from './options';

/** What sources yielded, sound or not. */
export interface Discovery {
  readonly specs: readonly ToolSpec[];
  readonly problems: readonly DeclarationProblem[];
  /** Patterns that match files, none of which exports a tool. */
  readonly toolless: readonly string[];
  /** The instances that the specs run on, each once. */
  readonly instances: readonly object[];
}

/** Orders by name in code units, then by version. */
function byKey(a: ToolSpec, b: ToolSpec): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return compare(a.version, b.version);
}

/** Collects specs and problems without throwing, so that more problems can be added to them. */
export async function collectTools(options: DiscoverOptions): Promise<Discovery> {
  refuseUnknownKeys('discover', options, [
    'patterns',
    'modules',
    'classes',
    'instances',
    'container',
    'load',
    'cwd',
  ]);
  refuseNoLists('discover', options, ['patterns', 'modules', 'classes', 'instances']);
  const { classes, problems, toolless } = await collectClasses(options);
  lookForCopies();
  const adopted = new Set<DeclarationProblem>();
  const specs: ToolSpec[] = [];
  const instances: object[] = [];
  for (const found of classes) {
    const judged = await judgeClass(found, options.container, adopted);
    specs.push(...judged.specs);
    problems.push(...judged.problems);
    if (judged.instance !== undefined) instances.push(judged.instance);
  }
  return { specs: specs.sort(byKey), problems, toolless, instances };
}

/**
 * Discovers the tools of all sources, ordered by name and version.
 *
 * @throws DeclarationError with every bad file and declaration; nothing is half-discovered.
 * @throws TypeError when there is no such option, or a source is no list.
 */
export async function discoverTools(options: DiscoverOptions): Promise<readonly ToolSpec[]> {
  const { specs, problems } = await collectTools(options);
  throwProblems(problems);
  return specs;
}
