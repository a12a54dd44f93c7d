/**
 * A folder outside the repository in which the packed package is installed beside the pinned peers and tools.
 * Invariant: what is tested is the tarball of a fresh build, and nothing in the folder resolves to the repository.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HERE = __dirname.endsWith(join('build', 'matrix'))
  ? resolve(__dirname, '../../test/matrix')
  : __dirname;
const ROOT = resolve(HERE, '../..');
const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

interface Manifest {
  readonly files: readonly string[];
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

function readManifest(folder: string): Manifest {
  return {
    files: [],
    devDependencies: {},
    ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  };
}

/** Runs a command; throws with what it printed. */
function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const printed = error instanceof Error && 'stdout' in error && 'stderr' in error;
    const words = printed ? `${error.stdout}${error.stderr}` : String(error);
    throw new Error(`${command} ${args.join(' ')}: ${words}`);
  }
}

/** A Node release that is installed in the workspace, or why it is not. */
export type NodeRelease =
  | { readonly major: number; readonly binary: string; readonly version: string }
  | { readonly major: number; readonly missing: string };

/** The folder, and what stands in it. */
export class Workspace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-matrix-')));

  /** Builds, packs and installs. */
  install(): void {
    this.checkPins();
    cpSync(join(HERE, 'package.json'), join(this.folder, 'package.json'));
    cpSync(join(HERE, 'package-lock.json'), join(this.folder, 'package-lock.json'));
    cpSync(join(HERE, 'expected.json'), join(this.folder, 'expected.json'));
    cpSync(join(HERE, 'tools'), join(this.folder, 'tools'), { recursive: true });
    run('npm', ['ci', ...NPM_FLAGS], this.folder);
    const tarball = this.pack();
    // Offline, since whatever it depends on must be pinned and installed by now.
    run('npm', ['install', '--no-save', '--offline', ...NPM_FLAGS, tarball], this.folder);
    cpSync(this.moduleFolder('toolcrib'), this.moduleFolder('toolcrib-second'), { recursive: true });
  }

  /** The folder of an installed package. */
  moduleFolder(name: string): string {
    return join(this.folder, 'node_modules', name);
  }

  /** Runs a script of an installed package, or of the folder, on the Node that runs the matrix. */
  runScript(script: string, args: readonly string[], cwd: string): string {
    return run(process.execPath, [join(this.folder, script), ...args], cwd);
  }

  /** Finds an installed Node release. */
  node(major: number): NodeRelease {
    const platform = `${process.platform}-${process.arch}`;
    const binary = join(this.moduleFolder(`node-${major}-${platform}`), 'bin', 'node');
    if (existsSync(binary))
      return { major, binary, version: run(binary, ['--version'], this.folder).trim().slice(1) };
    if (process.versions.node.startsWith(`${major}.`)) {
      return { major, binary: process.execPath, version: process.versions.node };
    }
    return { major, missing: `no package of Node ${major} for ${platform} is pinned` };
  }

  /** Copies the suite's sources. */
  copySuite(folder: string, leaveOut: readonly string[]): void {
    cpSync(join(HERE, 'suite'), folder, {
      recursive: true,
      filter: (source) => !leaveOut.some((name) => source.endsWith(name)),
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private pack(): string {
    const packed = join(this.folder, 'package');
    mkdirSync(packed);
    const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', join(packed, 'dist')], ROOT);
    run(process.execPath, [join(ROOT, 'scripts/esm-door.js'), join(packed, 'dist')], ROOT);
    const { files } = readManifest(ROOT);
    for (const file of ['package.json', 'README.md', 'LICENSE', ...files.filter((one) => one !== 'dist')]) {
      cpSync(join(ROOT, file), join(packed, file), { recursive: true });
    }
    const [made]: readonly { readonly filename: string }[] = JSON.parse(
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', this.folder], packed),
    );
    if (made === undefined) throw new Error('npm pack made nothing');
    return join(this.folder, made.filename);
  }

  private checkPins(): void {
    const root = readManifest(ROOT);
    const pins = readManifest(HERE).dependencies;
    const wrong = Object.entries({ ...root.devDependencies, ...root.dependencies })
      .filter(([name, version]) => (pins[name] ?? version) !== version)
      .concat(Object.entries(root.dependencies).filter(([name]) => pins[name] === undefined))
      .map(
        ([name, version]) =>
          `${name} is ${version} in package.json and ${pins[name]} in test/matrix/package.json`,
      );
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  }
}
