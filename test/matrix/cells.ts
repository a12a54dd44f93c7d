/**
 * The cells of the matrix: what runs which build of the suite on which Node, and what it expects.
 * Invariant: every cell runs the whole suite of its entry; only what a compiler cannot do is stated to differ.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, bundle, bundleSource, installForeignPackages, makeBuilds, writeSources } from './builds';
import type { Cell } from './suite/cell';
import type { NodeRelease, Workspace } from './workspace';

/** One cell: how it is started, and what the suite is told. */
export interface MatrixCell {
  readonly compiler: string;
  readonly system: string;
  readonly node: NodeRelease;
  /** What is given to Node. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly expects: Omit<Cell, 'report'>;
}

const PLAIN = { extension: 'js', bundled: false, renamed: false, loadsItself: false } as const;

function runsBuild(workspace: Workspace, build: Build, node: NodeRelease, entry = 'main'): MatrixCell {
  const { compiler, system, folder, emitsTypes, circular, standard } = build;
  return {
    compiler: entry === 'main' ? compiler : `${compiler}, second copies`,
    system,
    node,
    args: [join('dist', `${entry}.js`)],
    cwd: folder,
    expects: {
      ...PLAIN,
      folder: join(folder, 'dist'),
      workspace: workspace.folder,
      emitsTypes,
      circular,
      standard,
    },
  };
}

/** Makes the cells of programs that run TypeScript themselves. */
function runners(workspace: Workspace, node: NodeRelease, buildOf: (system: string) => Build): MatrixCell[] {
  const cell = (
    compiler: string,
    system: 'ESM' | 'CommonJS',
    args: readonly string[],
    expects: Partial<Cell>,
    config?: string,
  ): MatrixCell => {
    const folder = writeSources(workspace, `${compiler}-${system}`, system);
    if (config !== undefined) cpSync(join(workspace.folder, 'tools', config), join(folder, config));
    return {
      compiler,
      system,
      node,
      args: args.map((arg) => (arg.startsWith('node_modules/') ? join(workspace.folder, arg) : arg)),
      cwd: folder,
      expects: {
        ...PLAIN,
        extension: 'ts',
        folder: join(folder, 'src'),
        workspace: workspace.folder,
        emitsTypes: true,
        circular: 'fails',
        ...expects,
      },
    };
  };
  const tsx = (system: 'ESM' | 'CommonJS') => {
    const { standard } = buildOf(system);
    const args = ['node_modules/tsx/dist/cli.mjs', 'src/main.ts'];
    return cell('tsx', system, args, { emitsTypes: false, circular: 'loads', standard });
  };
  return [
    cell('jest with swc', 'CommonJS', ['node_modules/jest/bin/jest.js'], {}, 'jest.config.json'),
    cell(
      'vitest',
      'ESM',
      ['node_modules/vitest/vitest.mjs', 'run'],
      { circular: 'loads', loadsItself: true, standard: buildOf('ESM').standard },
      'vitest.config.mjs',
    ),
    tsx('ESM'),
    tsx('CommonJS'),
  ];
}

/** Makes the cells of bundles. */
function bundles(
  workspace: Workspace,
  node: NodeRelease,
  buildOf: (compiler: string) => Build,
): MatrixCell[] {
  const cell = (
    compiler: string,
    system: string,
    build: Build,
    file: string,
    expects: Partial<Cell> = {},
  ) => {
    const made = runsBuild(workspace, build, node);
    return {
      ...made,
      compiler,
      system,
      args: [file],
      expects: { ...made.expects, bundled: true, ...expects },
    };
  };
  const [tsc, swc, esbuild] = [buildOf('tsc 7'), buildOf('swc'), buildOf('esbuild')];
  const modules = '--main-fields=module,main';
  return [
    cell('webpack over tsc 7', 'bundle', tsc, bundle(workspace, 'webpack', tsc, 'bundle/main.cjs')),
    cell(
      'webpack over tsc 7, minified',
      'bundle',
      tsc,
      bundle(workspace, 'webpack', tsc, 'bundle/minified.cjs', ['minify']),
      { renamed: true },
    ),
    cell('rollup over swc', 'bundle', swc, bundle(workspace, 'rollup', swc, 'bundle/main.js')),
    cell(
      'esbuild, module before main',
      'bundle',
      esbuild,
      bundleSource(workspace, esbuild, 'main.ts', 'bundle/modules.cjs', [modules]),
    ),
    cell(
      'esbuild, minified',
      'bundle',
      esbuild,
      bundleSource(workspace, esbuild, 'main.ts', 'bundle/minified.cjs', ['--minify']),
      { renamed: true },
    ),
    cell(
      'esbuild, module before main, minified',
      'bundle',
      esbuild,
      bundleSource(workspace, esbuild, 'main.ts', 'bundle/modules-minified.cjs', [modules, '--minify']),
      { renamed: true },
    ),
    cell(
      'esbuild, module before main, toolcrib left out',
      'bundle',
      esbuild,
      bundleSource(workspace, esbuild, 'half-bundled.ts', 'bundle/half.cjs', [
        modules,
        '--external:toolcrib',
      ]),
    ),
  ];
}

/** Makes everything that the cells need, and the cells in the order in which they are printed. */
export function makeCells(workspace: Workspace): readonly MatrixCell[] {
  const builds = makeBuilds(workspace);
  const nodes = [workspace.node(20), workspace.node(22), workspace.node(26)] as const;
  const [node20] = nodes;
  const buildOf = (compiler: string, system: string): Build => {
    const found = builds.find((build) => build.compiler === compiler && build.system === system);
    if (found === undefined) throw new Error(`there is no build of ${compiler} for ${system}`);
    return found;
  };
  const native = [buildOf('tsc 7', 'ESM'), buildOf('tsc 7', 'CommonJS')];
  for (const build of native) installForeignPackages(workspace, build);
  const isVariant = ({ compiler }: Build) => compiler.endsWith('assigned');
  return [
    ...nodes.flatMap((node) =>
      builds.filter((build) => !isVariant(build)).map((build) => runsBuild(workspace, build, node)),
    ),
    ...builds.filter(isVariant).map((build) => runsBuild(workspace, build, node20)),
    ...runners(workspace, node20, (system) => buildOf('tsc 7', system)),
    ...bundles(workspace, node20, (compiler) => buildOf(compiler, 'ESM')),
    ...nodes.flatMap((node) => native.map((build) => runsBuild(workspace, build, node, 'second-copies'))),
  ];
}
