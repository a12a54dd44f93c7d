/**
 * `toolcrib schema`: the schemas of tools for other programs, and their review sheets for people.
 * Invariant: what is written is checked first and whole; the same tools give the same bytes.
 */
import { resolve } from 'node:path';
import type { DialectName } from '../../contract/dialect';
import type { ToolSpec } from '../../contract/tool';
import { findFindings } from '../check/find';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import { toDialectDocuments } from '../export/dialect-document';
import { toDocuments } from '../export/document';
import { toFileNames } from '../export/file-names';
import { compareFolder, type ExportFile, writeFolder } from '../export/folder';
import { findTool } from '../find-tool';
import type { Io } from '../io';
import { toSheet } from '../review/sheet';
import { toJsonText } from '../text';

/** The options of an export. */
export interface SchemaOptions {
  /** Left out: all tools. */
  readonly tool?: string | undefined;
  /** The folder to write to; left out: standard output. */
  readonly out?: string | undefined;
  /** Compares the folder instead of writing to it. */
  readonly check: boolean;
  /** Review sheets instead of schemas. */
  readonly markdown: boolean;
  /** What the provider of a model takes; JSON Schema's own: whole documents. */
  readonly dialect: DialectName;
  readonly json: boolean;
}

function toExports(specs: readonly ToolSpec[], dialect: DialectName): readonly object[] {
  return dialect === 'json-schema' ? toDocuments(specs) : toDialectDocuments(specs, dialect);
}

function toSheets(toolkit: OpenToolkit, specs: readonly ToolSpec[]): readonly string[] {
  const findings = findFindings(toolkit.registry.list());
  return specs.map((spec) => toSheet(spec, findings));
}

function print(toolkit: OpenToolkit, specs: readonly ToolSpec[], options: SchemaOptions, io: Io): number {
  if (options.markdown) {
    io.stdout(toSheets(toolkit, specs).join('\n'));
    return 0;
  }
  const documents = toExports(specs, options.dialect);
  io.stdout(toJsonText(options.tool === undefined ? documents : documents[0]));
  return 0;
}

function toFiles(
  toolkit: OpenToolkit,
  specs: readonly ToolSpec[],
  extension: string,
  dialect: DialectName,
): readonly ExportFile[] {
  // A tool exported by itself must not replace the file of another one.
  const all = toolkit.registry.list().map(({ key }) => key);
  const names = new Map(toFileNames(all, extension).map((name, index) => [all[index], name]));
  const texts = extension === '.md' ? toSheets(toolkit, specs) : toExports(specs, dialect).map(toJsonText);
  return specs.map(({ key }, index) => ({ name: names.get(key) ?? '', text: texts[index] ?? '' }));
}

function compare(
  folder: string,
  files: readonly ExportFile[],
  extension: string,
  options: SchemaOptions,
  io: Io,
): number {
  const { stale, missing, unexpected: others } = compareFolder(folder, files, extension);
  // The files of all other tools are none of one tool's business.
  const unexpected = options.tool === undefined ? others : [];
  const found = { stale, missing, unexpected };
  const lines = Object.entries(found).flatMap(([state, names]) => names.map((name) => `${state}: ${name}\n`));
  io.stdout(options.json ? toJsonText(found) : lines.join(''));
  if (lines.length === 0) return 0;
  io.stderr(`${folder} is not what the tools export. Export again, and delete what is unexpected.\n`);
  return 1;
}

/**
 * Prints or writes schemas or sheets; with `check` 1 when the folder is not what would be written.
 *
 * @throws CliError `unknown_tool`, `unknown_version`, `illegal_option`, `illegal_export` or `unusable_folder`;
 * nothing was written then.
 * @throws DeclarationError `outside_dialect` with everything that the dialect cannot carry; nothing was written.
 */
export function schema(toolkit: OpenToolkit, options: SchemaOptions, io: Io): number {
  const { tool, out, check, markdown, dialect, json } = options;
  const specs = tool === undefined ? toolkit.registry.list() : [findTool(toolkit, tool)];
  if (specs.length === 0) throw new CliError('no_tools', 'there are no tools to make schemas of.');
  if (out === '') throw new CliError('illegal_option', '--out names no folder.');
  if (markdown && json && out === undefined) {
    throw new CliError(
      'illegal_option',
      '--markdown is no JSON; write it with --out DIR, or leave --json out.',
    );
  }
  if (out === undefined) {
    if (!check) return print(toolkit, specs, options, io);
    throw new CliError('illegal_option', '--check compares a folder; name it with --out DIR.');
  }
  const [folder, extension] = [resolve(io.cwd, out), markdown ? '.md' : '.json'];
  const files = toFiles(toolkit, specs, extension, dialect);
  if (check) return compare(folder, files, extension, options, io);
  const { current } = compareFolder(folder, files, extension);
  const changed = files.filter(({ name }) => !current.includes(name));
  writeFolder(folder, changed);
  const written = changed.map(({ name }) => name);
  io.stdout(
    json ? toJsonText({ written, unchanged: current }) : written.map((name) => `wrote ${name}\n`).join(''),
  );
  io.stderr(`${written.length} files written to ${folder}, ${current.length} unchanged\n`);
  return 0;
}
