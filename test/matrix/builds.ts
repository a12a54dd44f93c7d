/**
 * The suite, compiled by each compiler for each module system, and bundled.
 * Invariant: a build differs from another in compiler, module system and class fields alone; each is made once.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from './workspace';

/** How an application loads its modules. */
export type ModuleSystem = 'ESM' | 'CommonJS';

/** A folder with the sources of the suite and what was compiled of them. */
export interface Build {
  readonly compiler: string;
  readonly system: ModuleSystem;
  readonly folder: string;
  readonly emitsTypes: boolean;
  readonly circular: 'loads' | 'fails';
  /** A module with standard decorators, compiled by the same compiler. */
  readonly standard: string;
}

interface Compiler {
  readonly name: string;
  readonly emitsTypes: boolean;
  /** What a circular pair of DTO files does, by module system. */
  readonly circular: { readonly [system in ModuleSystem]: 'loads' | 'fails' };
  /** Compiles `src` to `dist`, and `src/standard.ts` to `standard`. */
  compile(workspace: Workspace, folder: string, system: ModuleSystem, fields: 'define' | 'assign'): void;
}

function tsc(major: number): Compiler {
  const script = `node_modules/typescript-${major}/bin/tsc`;
  return {
    name: `tsc ${major}`,
    emitsTypes: true,
    // An ES module has its bindings in their dead zone until it is evaluated, and `design:type` reads them.
    circular: { ESM: 'fails', CommonJS: 'loads' },
    compile(workspace, folder) {
      workspace.runScript(script, ['-p', 'tsconfig.json'], folder);
      workspace.runScript(script, ['-p', 'tsconfig.standard.json'], folder);
    },
  };
}

const swc: Compiler = {
  name: 'swc',
  emitsTypes: true,
  // swc exports through getters that read `let` and `class` bindings, in CommonJS too.
  circular: { ESM: 'fails', CommonJS: 'fails' },
  compile(workspace, folder, system, fields) {
    const format = system === 'ESM' ? 'es6' : 'commonjs';
    workspace.runScript('tools/swc.mjs', ['src', 'dist', format, 'legacy', fields], folder);
    workspace.runScript('tools/swc.mjs', ['src', 'standard', format, 'standard', fields], folder);
  },
};

const esbuild: Compiler = {
  name: 'esbuild',
  emitsTypes: false,
  circular: { ESM: 'loads', CommonJS: 'loads' },
  compile(workspace, folder, system) {
    const format = system === 'ESM' ? '--format=esm' : '--format=cjs';
    const args = [format, '--platform=node', '--target=es2022', '--log-level=warning', '--outbase=src'];
    const script = 'node_modules/esbuild/bin/esbuild';
    workspace.runScript(script, ['src/**/*.ts', '--outdir=dist', ...args], folder);
    const standard = ['src/standard.ts', '--outdir=standard', '--tsconfig=tsconfig.standard.json'];
    workspace.runScript(script, [...standard, ...args], folder);
  },
};

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value, null, 2));
}

/** Writes an application's folder with the sources of the suite. */
export function writeSources(
  workspace: Workspace,
  name: string,
  system: ModuleSystem,
  fields: 'define' | 'assign' = 'define',
  leaveOut: readonly string[] = [],
): string {
  const folder = join(workspace.folder, name);
  mkdirSync(folder);
  workspace.copySuite(join(folder, 'src'), leaveOut);
  writeJson(join(folder, 'package.json'), { private: true, type: system === 'ESM' ? 'module' : 'commonjs' });
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: fields === 'define',
  };
  writeJson(join(folder, 'tsconfig.json'), { compilerOptions, include: ['src'] });
  writeJson(join(folder, 'tsconfig.standard.json'), {
    compilerOptions: {
      ...compilerOptions,
      outDir: 'standard',
      experimentalDecorators: false,
      emitDecoratorMetadata: false,
    },
    files: ['src/standard.ts'],
  });
  return folder;
}

function build(
  workspace: Workspace,
  compiler: Compiler,
  system: ModuleSystem,
  fields: 'define' | 'assign',
): Build {
  const name = fields === 'define' ? compiler.name : `${compiler.name}, fields assigned`;
  const folder = writeSources(workspace, `${name} ${system}`.replace(/\W+/g, '-'), system, fields, [
    'main.spec.ts',
  ]);
  compiler.compile(workspace, folder, system, fields);
  return {
    compiler: name,
    system,
    folder,
    emitsTypes: compiler.emitsTypes,
    circular: compiler.circular[system],
    standard: join(folder, 'standard', 'standard.js'),
  };
}

/** Makes all builds: each compiler for each module system, and once with class fields that are assigned. */
export function makeBuilds(workspace: Workspace): readonly Build[] {
  const systems: readonly ModuleSystem[] = ['ESM', 'CommonJS'];
  const compilers = [tsc(7), tsc(6), swc, esbuild];
  return [
    ...compilers.flatMap((compiler) => systems.map((system) => build(workspace, compiler, system, 'define'))),
    build(workspace, tsc(7), 'CommonJS', 'assign'),
    build(workspace, swc, 'ESM', 'assign'),
    build(workspace, esbuild, 'CommonJS', 'assign'),
  ];
}

/** Bundles what a build compiled, with a script of `tools`; gives the bundle's path. */
export function bundle(
  workspace: Workspace,
  tool: string,
  { folder }: Build,
  file: string,
  options: readonly string[] = [],
): string {
  workspace.runScript(`tools/${tool}.mjs`, ['dist/main.js', file, ...options], folder);
  return join(folder, file);
}

/** Bundles a source file of a build with esbuild; gives the bundle's path. */
export function bundleSource(
  workspace: Workspace,
  { folder }: Build,
  entry: string,
  file: string,
  options: readonly string[],
): string {
  const args = [`src/${entry}`, `--outfile=${file}`, '--bundle', '--platform=node', '--log-level=warning'];
  workspace.runScript('node_modules/esbuild/bin/esbuild', [...args, ...options], folder);
  return join(folder, file);
}

/** Installs the suite's foreign DTOs as packages that bring a copy of one library each. */
export function installForeignPackages(workspace: Workspace, { folder, system }: Build): void {
  const brought = [
    ['dto-with-transformer', 'class-transformer', 'class-transformer'],
    ['dto-with-validator', 'class-validator', 'class-validator'],
    ['dto-with-older-validator', 'class-validator', 'class-validator-0.14'],
    ['dto-with-jsonschema', 'class-validator-jsonschema', 'class-validator-jsonschema'],
  ] as const;
  for (const [name, library, copied] of brought) {
    const installed = join(folder, 'node_modules', name);
    mkdirSync(installed, { recursive: true });
    writeJson(join(installed, 'package.json'), {
      name,
      main: 'index.js',
      type: system === 'ESM' ? 'module' : 'commonjs',
    });
    cpSync(join(folder, 'dist', 'foreign.js'), join(installed, 'index.js'));
    cpSync(workspace.moduleFolder(copied), join(installed, 'node_modules', library), { recursive: true });
  }
}
