/**
 * The names that a model sees of properties.
 * Invariant: names of one object stay apart, and a name that the dialect takes is left as it is.
 */
import type { DialectRules } from './rules';

const MAX_LENGTH = 56;

/** The model's name for each name of an object's properties. */
export function toModelNames(
  names: readonly string[],
  { propertyName, reservedNames }: DialectRules,
): ReadonlyMap<string, string> {
  const isFit = (name: string) =>
    propertyName === undefined || (propertyName.test(name) && !reservedNames.has(name));
  const taken = new Set(names);
  const shown = new Map<string, string>();
  for (const name of names) {
    if (isFit(name)) {
      shown.set(name, name);
      continue;
    }
    const plain = name
      .replace(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, MAX_LENGTH);
    let free = isFit(plain) ? plain : `${plain}_`;
    for (let count = 2; taken.has(free); count += 1) free = `${plain}_${count}`;
    taken.add(free);
    shown.set(name, free);
  }
  return shown;
}
