/**
 * A folder in which tests run the command line in their own process.
 * Invariant: what a run reads and writes is the test's; the folder lies in the repository, so that peers resolve.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type Class,
  createToolkit,
  MemoryApprovalStore,
  type Toolkit,
  ToolRegistry,
  type ToolSpec,
} from 'toolcrib';
import type { OpenToolkit } from '../../src/cli/configuration';
import type { ServingProcess } from '../../src/cli/io';
import { run } from '../../src/cli/program';
import { Approvals } from '../../src/invocation/approval/approvals';

const ROOT = resolve(__dirname, '../..');

/** What a run left behind. */
interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json(): unknown;
}

/** What a run may be given beside its arguments. */
export interface RunOptions {
  readonly stdin?: AsyncIterable<string | Uint8Array>;
  readonly env?: { readonly [name: string]: string };
  /** A folder in the workspace. */
  readonly cwd?: string;
  /** Whether standard error is a terminal. */
  readonly isTerminal?: boolean;
  /** What a command that serves is given of its process. */
  readonly serving?: ServingProcess;
  /** Hears what is written to standard error, as it is written. */
  readonly onStderr?: (text: string) => void;
}

/** For commands that end by themselves. */
export const notServing: ServingProcess = {
  command: ['node', 'toolcrib'],
  onStop() {},
  runSealed: () => Promise.reject(new Error('nothing is started here')),
  openSealed() {
    throw new Error('there is no client here');
  },
};

/** A folder with files. */
export interface Workspace {
  readonly folder: string;
  write(file: string, text: string): string;
  read(file: string): string;
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  remove(): void;
}

/** Gives text as a stream does. */
export async function* chunks(...texts: readonly (string | Uint8Array)[]) {
  yield* texts;
}

async function runIn(folder: string, argv: readonly string[], options: RunOptions): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  const exitCode = await run(argv, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
      options.onStderr?.(text);
    },
    isTerminal: options.isTerminal ?? false,
    stdin: () => options.stdin ?? chunks(),
    cwd: join(folder, options.cwd ?? ''),
    env: options.env ?? {},
    serving: options.serving ?? notServing,
  });
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** Makes a workspace; `open` is what its configuration calls to get a toolkit. */
export function makeWorkspace(open?: () => unknown): Workspace {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'build', 'cli-'));
  const write = (file: string, text: string): string => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  if (open !== undefined) {
    Object.assign(globalThis, { [folder]: open });
    write('toolcrib.config.js', `module.exports = () => globalThis[${JSON.stringify(folder)}]();`);
  }
  return {
    folder,
    write,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    run: (argv, options = {}) => runIn(folder, argv, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Keeps warnings about the tools of a test out of its output. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A toolkit of classes. */
export function openClasses(...classes: readonly Class[]): Promise<Toolkit> {
  return createToolkit({ discover: { classes }, logger: silent });
}

/** A workspace whose tools are those of classes. */
export function workspaceOfClasses(...classes: readonly Class[]): Workspace {
  return makeWorkspace(() => openClasses(...classes));
}

/** A toolkit that holds specs, and whose calls nobody makes. */
export function toolkitOf(...specs: readonly ToolSpec[]): OpenToolkit {
  const registry = new ToolRegistry();
  for (const spec of specs) registry.register(spec);
  const invoke = () => Promise.reject(new Error('this toolkit is not called'));
  const approvals = new Approvals(new MemoryApprovalStore());
  return { registry, ledger: undefined, approvals, invoke, logger: silent, close: async () => {} };
}
