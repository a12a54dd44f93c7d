/**
 * Values of options that several commands take.
 * Invariant: what is wrong with a value is said before anything is opened.
 */
import { InvalidArgumentError, Option } from 'commander';
import type { Principal } from '../contract/principal';

function toLimit(text: string): number {
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('give a positive integer');
}

/** Reads a number of milliseconds. @throws InvalidArgumentError where it is no positive integer. */
export function toMs(text: string): number {
  const ms = Number(text);
  if (Number.isSafeInteger(ms) && ms > 0) return ms;
  throw new InvalidArgumentError('give a positive integer, in milliseconds');
}

function toName(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('name the person who decides');
}

/** How many are listed. */
export function limitOption(): Option {
  return new Option('--limit <count>', 'how many at most').default(100).argParser(toLimit);
}

/** Who decides. */
export function byOption(): Option {
  return new Option('--by <name>', 'who decides').argParser(toName).makeOptionMandatory();
}

/** Takes an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** The scopes that whoever calls is granted. */
export function scopesOption(): Option {
  return new Option(
    '--scopes <scopes>',
    'scopes that the caller holds, with commas between; may be repeated',
  ).argParser(collect);
}

/** Who is calling, by the options that say so; undefined: they say nothing. */
export function toPrincipal(
  id: string | undefined,
  scopes: readonly string[] | undefined,
  defaultId: string,
): Principal | undefined {
  if (scopes === undefined && id === undefined) return undefined;
  const held = (scopes ?? []).flatMap((given) => given.split(',')).map((scope) => scope.trim());
  return { id: id ?? defaultId, scopes: held.filter((scope) => scope !== '') };
}

/**
 * Gives each pattern that stands before a command an option of its own: `--patterns a b list` would take `list` for a
 * pattern, since the option takes whatever follows it.
 */
export function endPatterns(argv: readonly string[], commands: readonly string[]): readonly string[] {
  const at = argv.indexOf('--patterns');
  const end = argv.findIndex((word, index) => index > at + 1 && commands.includes(word));
  const before = argv.slice(0, Math.max(at, 0));
  const patterns = argv.slice(at + 1, Math.max(end, 0));
  const isBefore = at >= 0 && end >= 0 && !before.some((word) => commands.includes(word));
  if (!isBefore || patterns.some((word) => word.startsWith('-'))) return argv;
  return [...before, ...patterns.map((pattern) => `--patterns=${pattern}`), ...argv.slice(end)];
}
