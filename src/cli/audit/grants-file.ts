/**
 * Reads grants from a file: JSON, or a module that gives them.
 * Invariant: what cannot be read ends the run before anything is reviewed.
 */
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Grants, toGrants } from '../../audit/permissions/grants';
import { importFile } from '../../discovery/files';
import { reasonOf } from '../../errors/reason';
import { scrubText } from '../../invocation/scrub';
import { CliError } from '../cli-error';
import { defaultOf } from '../configuration';
import type { Io } from '../io';
import { visible } from '../text';
import { isUrlLike } from '../trail-place';
import { repeatedKey } from './repeated-key';

const MODULES: readonly string[] = ['.js', '.cjs', '.mjs'];

function unreadable(file: string, error: unknown): CliError {
  const why = visible(scrubText(reasonOf(error)));
  return new CliError('unreadable_file', `${file} cannot be read: ${why}.`, { cause: error });
}

async function fromModule(file: string): Promise<unknown> {
  try {
    const exported = defaultOf(await importFile(file));
    return typeof exported === 'function' ? await exported() : await exported;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function fromJson(file: string): unknown {
  let text: string;
  try {
    // An editor may have begun it with a byte order mark, which is none of the text (RFC 8259, section 8.1).
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw unreadable(file, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CliError('illegal_grants', `${file} is not JSON. Write it as { "principals": [ … ] }.`, {
      cause: error,
    });
  }
  const repeated = repeatedKey(text);
  if (repeated === undefined) return value;
  const words = `${file} has the key ${JSON.stringify(repeated)} twice in one object, of which one would be lost`;
  throw new CliError('illegal_grants', visible(`${words}. Put what they hold together.`));
}

/**
 * Reads the grants of a JSON file, or those that a module's default export is or, being a function, gives.
 *
 * @throws CliError `illegal_option`, `unreadable_file` or `illegal_grants`.
 */
export async function readGrants(given: string, io: Io): Promise<Grants> {
  if (isUrlLike(given)) {
    throw new CliError('illegal_option', '--grants is a URL. Name a file, or a module that asks there.');
  }
  const file = resolve(io.cwd, given);
  const value = MODULES.includes(extname(file)) ? await fromModule(file) : fromJson(file);
  try {
    return toGrants(value);
  } catch (error) {
    throw new CliError('illegal_grants', visible(`${file}: ${reasonOf(error)}`), { cause: error });
  }
}
