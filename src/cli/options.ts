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
