/**
 * Names the packages without which toolcrib does not run, where one is not installed.
 * Invariant: only a package that toolcrib itself asks for is named; any other fault stays what it is.
 */
import { types } from 'node:util';
import { readPackageFile } from '../contract/package-file';
import { CliError } from './cli-error';

const NOT_FOUND: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

/** What an error, or one that it was caused by, has not found. */
function notFound(error: unknown): string | undefined {
  if (!types.isNativeError(error)) return undefined;
  if ('code' in error && NOT_FOUND.includes(error.code)) {
    return /^Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1];
  }
  return notFound(error.cause);
}

/** The packages that have to be installed beside toolcrib. */
function requiredPeers(): readonly string[] {
  const { peerDependencies, peerDependenciesMeta } = readPackageFile();
  return Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
}

/** Makes a CliError `missing_package` of the failure to load such a package; any other error is given back. */
export function asMissingPeer(error: unknown): unknown {
  const missing = notFound(error);
  const peer = requiredPeers().find((name) => missing === name || missing?.startsWith(`${name}/`) === true);
  if (peer === undefined) return error;
  const message = `${peer} is not installed. Run npm install ${peer}; toolcrib doctor names all that is missing.`;
  return new CliError('missing_package', message, { cause: error });
}
