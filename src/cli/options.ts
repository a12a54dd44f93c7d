/**
 * Values of options that several commands take.
 * Invariant: what is wrong with a value is said before anything is opened.
 */
import { InvalidArgumentError, Option } from 'commander';

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
