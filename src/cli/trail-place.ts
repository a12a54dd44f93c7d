/**
 * Where an audit trail is: a file, or a Postgres database.
 * Invariant: what looks like a URL is never taken for a path, since messages show paths and URLs hold credentials.
 */
import { resolve } from 'node:path';
import type { PostgresAudit } from '../stores/postgres/audit';
import { CliError } from './cli-error';

/** A file by its absolute path, or a database. */
export type TrailPlace =
  | { readonly file: string; readonly url?: undefined }
  | { readonly url: string; readonly file?: undefined };

const DATABASE = /^postgres(?:ql)?:\/\//i;
/** A scheme is longer than the letter of a drive; one slash is what is left where a path was made of a URL. */
const URL_LIKE = /^[^/\\]*[a-z][a-z\d+.-]+:\/+/i;

/** Tells what is no path of a file. */
export function isUrlLike(given: string): boolean {
  return URL_LIKE.test(given);
}

/**
 * Tells what a user named.
 *
 * @throws CliError `illegal_option` for a URL of another kind, which it does not repeat.
 */
export function toTrailPlace(given: string, cwd: string): TrailPlace {
  if (DATABASE.test(given)) return { url: given };
  if (!isUrlLike(given)) return { file: resolve(cwd, given) };
  const mend = 'Write postgres://HOST/DATABASE, or name a file.';
  throw new CliError('illegal_option', `the trail is a URL, and none of Postgres. ${mend}`);
}

/** Opens the trail of a database; close it. The driver is an optional peer, and loaded only here. */
export function openDatabase(url: string): Promise<PostgresAudit> {
  const { PostgresAudit }: typeof import('../stores/postgres/audit') = require('../stores/postgres/audit');
  return PostgresAudit.open({ url });
}
