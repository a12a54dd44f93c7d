/**
 * Puts back what was masked for the reviewer into the arguments that they edited.
 * Invariant: no mask reaches a tool; what cannot be put back for certain is a problem, never a guess.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../errors/body';
import { MASK } from '../scrub/detector';

/** The arguments with everything put back, or why that cannot be. */
export type Unmasked =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** A part of the arguments that the reviewer saw, and what it is; undefined: they saw none there. */
interface Shown {
  readonly masked: JsonValue;
  readonly original: JsonValue;
}

type JsonObject = { readonly [key: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Thrown within, at the place of a mask that cannot be put back. */
class Astray extends Error {}

function restoreObject(edited: JsonObject, shown: Shown | undefined): JsonValue {
  const names = new Map<string, string>();
  if (isObject(shown?.masked) && isObject(shown.original)) {
    // Masking keeps the order of keys, and may change a key.
    const originals = Object.keys(shown.original);
    Object.keys(shown.masked).forEach((name, at) => {
      names.set(name, originals[at] ?? name);
    });
    if (names.size !== originals.length) throw new Astray('two keys are masked alike');
  }
  const parts = Object.entries(edited).map(([name, part]): [string, JsonValue] => {
    const originalName = names.get(name);
    if (originalName === undefined) {
      if (name.includes(MASK)) throw new Astray(`${MASK} is a key where nothing was masked`);
      return [name, restore(part, undefined)];
    }
    const masked = isObject(shown?.masked) ? shown.masked[name] : undefined;
    const original = isObject(shown?.original) ? shown.original[originalName] : undefined;
    const known = masked === undefined || original === undefined ? undefined : { masked, original };
    return [originalName, restore(part, known)];
  });
  return Object.fromEntries(parts);
}

function restore(edited: JsonValue, shown: Shown | undefined): JsonValue {
  if (Array.isArray(edited)) {
    const { masked, original } = shown ?? {};
    if (!Array.isArray(masked) || !Array.isArray(original) || masked.length !== edited.length) {
      return edited.map((part: JsonValue) => restore(part, undefined));
    }
    return edited.map((part: JsonValue, at) => {
      // What stood elsewhere was moved, and its masks stand for other values than those of this place.
      const isMoved =
        !isDeepStrictEqual(part, masked[at]) && masked.some((one) => isDeepStrictEqual(part, one));
      return restore(part, isMoved ? undefined : { masked: masked[at], original: original[at] });
    });
  }
  if (isObject(edited)) return restoreObject(edited, shown);
  if (shown !== undefined && edited === shown.masked) return shown.original;
  if (typeof edited === 'string' && edited.includes(MASK)) {
    throw new Astray(`"${MASK}" stands where it cannot be put back`);
  }
  return edited;
}

/** Puts back what was masked: where the edited arguments show the mask as it was shown, the original stays. */
export function unmask(edited: JsonValue, masked: JsonValue, original: JsonValue): Unmasked {
  try {
    return { ok: true, value: restore(edited, { masked, original }) };
  } catch (error) {
    if (!(error instanceof Astray)) throw error;
    return { ok: false, problem: `${error.message}; leave masked values as they are, or write new ones` };
  }
}
