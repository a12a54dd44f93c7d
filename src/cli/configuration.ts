/**
 * Opens the toolkit that a run works on: from a configuration file, or from patterns.
 * Invariant: whatever was opened is closed again, also when the command fails.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { within } from '../contract/within';
import { importFile } from '../discovery/files';
import { isDeclarationError } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { scrubText } from '../invocation/scrub';
import type { ToolkitOptions } from '../invocation/toolkit-options';
import type { Toolkit } from '../toolkit';
import { CliError } from './cli-error';
import type { Io } from './io';
import { asMissingPeer } from './missing-package';
import { oneLine } from './text';

const NAMES = ['toolcrib.config.js', 'toolcrib.config.mjs', 'toolcrib.config.cjs'];
const OPENING_MS = 60_000;
const CLOSING_MS = 5_000;
/** How many members of an export that is not one are named. */
const MOST_KEYS = 20;

/** Where the tools come from, as the options say it. */
export interface Source {
  readonly config?: string | undefined;
  readonly patterns?: readonly string[] | undefined;
  /** What patterns are relative to. */
  readonly cwd?: string | undefined;
}

/** What commands need of a toolkit, which another installed copy of this package may have made. */
export type OpenToolkit = Pick<Toolkit, 'registry' | 'ledger' | 'approvals' | 'invoke' | 'logger' | 'close'> &
  Partial<Pick<Toolkit, 'stores'>>;

interface Opened {
  readonly toolkit: OpenToolkit;
  close(): Promise<unknown>;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isToolkit(value: unknown): value is OpenToolkit {
  if (!isObject(value) || !('registry' in value && 'invoke' in value && 'close' in value)) return false;
  const isRegistry = isObject(value.registry) && 'list' in value.registry && 'covers' in value.registry;
  const isApprovals = 'approvals' in value && isObject(value.approvals) && 'approve' in value.approvals;
  const isLogger = 'logger' in value && isObject(value.logger);
  const isWhole = isRegistry && isApprovals && isLogger && 'ledger' in value;
  return isWhole && typeof value.invoke === 'function' && typeof value.close === 'function';
}

function isOptions(value: unknown): value is ToolkitOptions {
  return isObject(value) && 'discover' in value && isObject(value.discover);
}

/** What a file exports by default. A CommonJS file has its exports under `default` when it is imported, and a compiled module once more. */
export function defaultOf(module: unknown): unknown {
  let at = module;
  for (let depth = 0; depth < 2 && isObject(at) && 'default' in at; depth += 1) at = at.default;
  return at;
}

/** Tells what an export has in place of what it should have, so that a misspelt option is seen. */
function keysInWords(value: unknown): string {
  const keys = isObject(value) ? Object.keys(value).slice(0, MOST_KEYS) : [];
  return keys.length === 0 ? '' : ` What it exports has ${keys.join(', ')}, and no discover.`;
}

async function openFromOptions(options: ToolkitOptions, folder: string): Promise<Opened> {
  // Only now, so that what opens no toolkit runs where a package is missing.
  const { createToolkit }: typeof import('../toolkit') = require('../toolkit');
  const cwd = resolve(folder, options.discover.cwd ?? '.');
  const toolkit = await createToolkit({ ...options, discover: { ...options.discover, cwd } });
  return { toolkit, close: () => toolkit.close() };
}

async function openFile(file: string): Promise<Opened> {
  const exported = defaultOf(await importFile(file));
  const value: unknown = typeof exported === 'function' ? await exported() : await exported;
  if (isToolkit(value)) return { toolkit: value, close: () => value.close() };
  if (isOptions(value)) return openFromOptions(value, dirname(file));
  if (isObject(value) && 'toolkit' in value && 'close' in value && isToolkit(value.toolkit)) {
    const { toolkit, close } = value;
    if (typeof close === 'function') {
      return { toolkit, close: () => toolkit.close().finally(() => close.call(value)) };
    }
  }
  const mend = 'Export ToolkitOptions, or a function that gives a Toolkit or { toolkit, close() }.';
  throw new CliError(
    'illegal_config',
    `${file} exports nothing to open a toolkit from.${keysInWords(value)} ${mend}`,
  );
}

function findFile(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = NAMES.map((name) => join(folder, name)).find((one) => existsSync(one));
    if (file !== undefined) return file;
    if (folder === dirname(folder)) break;
  }
  const mend = 'Write one, or give --config FILE or --patterns GLOB.';
  throw new CliError('missing_config', `no ${NAMES.join(', ')} in ${from} or above it. ${mend}`);
}

/**
 * The file that a run opens.
 *
 * @throws CliError `missing_config` where there is none.
 */
export function toFile({ config }: Source, io: Io): string {
  if (config === undefined) return findFile(io.cwd);
  const file = resolve(io.cwd, config);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  throw new CliError('missing_config', `there is no file ${file}. Correct --config.`);
}

async function open(source: Source, io: Io): Promise<Opened> {
  const { patterns, cwd } = source;
  if (cwd !== undefined && patterns === undefined) {
    throw new CliError('illegal_option', '--cwd is what --patterns are relative to; give both.');
  }
  const file = patterns === undefined ? toFile(source, io) : '--patterns';
  const opening =
    patterns === undefined
      ? openFile(file)
      : openFromOptions({ discover: { patterns, cwd: cwd ?? '.' } }, io.cwd);
  try {
    const late = () => new Error(`it gave no toolkit within ${OPENING_MS / 1000} seconds`);
    return await within(OPENING_MS, opening, late);
  } catch (error) {
    if (error instanceof CliError || isDeclarationError(error)) throw error;
    const missing = asMissingPeer(error);
    if (missing instanceof CliError) throw missing;
    throw new CliError('config_failed', oneLine(`${file} failed: ${scrubText(reasonOf(error))}`), {
      cause: error,
    });
  }
}

/** A failure to close is only told: the command has its result by then. */
async function close(opened: Opened, io: Io): Promise<void> {
  try {
    const late = () => new Error(`it took longer than ${CLOSING_MS / 1000} seconds`);
    await within(CLOSING_MS, opened.close(), late);
  } catch (error) {
    io.stderr(`toolcrib: closing failed: ${oneLine(scrubText(reasonOf(error)))}\n`);
  }
}

/**
 * Opens a toolkit, uses it and closes it.
 *
 * @throws CliError when there is no configuration, or it is not one.
 * @throws DeclarationError with everything that is wrong with the declarations.
 */
export async function withToolkit<T>(
  source: Source,
  io: Io,
  use: (toolkit: OpenToolkit) => Promise<T> | T,
): Promise<T> {
  const opened = await open(source, io);
  try {
    return await use(opened.toolkit);
  } finally {
    await close(opened, io);
  }
}
