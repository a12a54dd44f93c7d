/**
 * What this package says of itself.
 * Invariant: it is read from the package that runs, which lies two folders up from the sources and from what is
 * built of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As much of `package.json` as is looked at. */
export interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly [name: string]: string };
  readonly peerDependenciesMeta: { readonly [name: string]: { readonly optional?: boolean } };
}

/** Reads this package's own. */
export function readPackageFile(): PackageFile {
  return JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
}
