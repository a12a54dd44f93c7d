/**
 * Looks at what the process runs on: Node and the packages that toolcrib shares with the application.
 * Invariant: nothing is loaded for it; installed packages are found as Node finds them.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { satisfies } from 'semver';
import type { PackageFile } from '../../contract/package-file';
import { fail, ok, type Symptom, warn } from './symptom';

/** An installed package. */
interface Installed {
  readonly folder: string;
  readonly version: string;
}

/** The libraries whose decorators sit on DTOs, and that keep what they record to themselves. */
const DECORATING: readonly string[] = ['class-transformer', 'class-validator', 'class-validator-jsonschema'];

/** What no version is, for a package whose file is damaged. */
const UNKNOWN = 'an unknown version';

function versionIn(folder: string): string {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined;
    return typeof version === 'string' ? version : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** Finds a package as a file in a folder would; what it exports does not matter. */
function findPackage(name: string, from: string): Installed | undefined {
  const paths = createRequire(join(from, 'index.js')).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((at) => existsSync(join(at, 'package.json')));
  return found === undefined ? undefined : { folder: realpathSync(found), version: versionIn(found) };
}

/** Whether this Node is one that toolcrib runs on. */
export function checkNode({ engines }: PackageFile, version: string): Symptom {
  if (satisfies(version, engines.node)) return ok('node', version);
  return fail('node', `${version} is not ${engines.node}`, `Install Node ${engines.node}.`);
}

function checkPeer(name: string, range: string, isOptional: boolean, from: string): Symptom {
  const check = `peer: ${name}`;
  const found = findPackage(name, from);
  if (found === undefined) {
    if (isOptional) return ok(check, 'not installed; it is optional');
    return fail(check, 'it is not installed', `Run npm install "${name}@${range}".`);
  }
  const { version, folder } = found;
  // A prerelease of what is asked for is what somebody who installs one wants.
  if (satisfies(version, range, { includePrerelease: true })) return ok(check, version);
  return fail(check, `${version} in ${folder} is not ${range}`, `Run npm install "${name}@${range}".`);
}

/** Whether the packages that toolcrib shares with the application are there, in a version that fits. */
export function checkPeers(
  { peerDependencies, peerDependenciesMeta }: PackageFile,
  from: string,
): readonly Symptom[] {
  const meta = new Map(Object.entries(peerDependenciesMeta));
  return Object.entries(peerDependencies).map(([name, range]) =>
    checkPeer(name, range, meta.get(name)?.optional === true, from),
  );
}

/** A copy of a library that the process has loaded. */
export interface LoadedCopy extends Installed {
  readonly library: string;
}

/** Whether the application and toolcrib use the same copies of the libraries that decorate DTOs. */
export function checkCopies(cwd: string, from: string, loaded: readonly LoadedCopy[]): readonly Symptom[] {
  return DECORATING.map((name) => {
    const check = `copies: ${name}`;
    const mend = `Keep one copy: "npm ls ${name}" names who asks for each, and "npm dedupe" merges them.`;
    const [ours, theirs] = [findPackage(name, from), findPackage(name, cwd)];
    const copies = [ours, theirs, ...loaded.filter(({ library }) => library === name)];
    const folders = new Map(
      copies.flatMap((copy) => (copy === undefined ? [] : [[copy.folder, copy.version]])),
    );
    const words = [...folders].map(([folder, version]) => `${version} in ${folder}`).join(' and ');
    if (folders.size < 2) return ok(check, folders.size === 0 ? 'none is installed' : 'one');
    const isSplit = ours !== undefined && theirs !== undefined && ours.folder !== theirs.folder;
    // class-validator keeps the rules of all copies in one place, where those of one version mean the same.
    const isShared = name === 'class-validator' && new Set(folders.values()).size === 1;
    return isSplit && !isShared ? fail(check, words, mend) : warn(check, words, mend);
  });
}

/** Whether the metadata of decorators are kept in one place. */
export function checkReflectMetadata(loaded: readonly string[]): Symptom {
  const files = loaded.filter((file) => /[\\/]reflect-metadata[\\/]Reflect(Lite)?\.js$/.test(file));
  const folders = [...new Set(files.map(dirname))];
  if (folders.length < 2) return ok('reflect-metadata', 'loaded once');
  const mend =
    'They share what they hold, where their versions are alike. Keep one: see "npm ls reflect-metadata".';
  return warn('reflect-metadata', `loaded from ${folders.join(' and ')}`, mend);
}
