/**
 * What the prototypes of the language hold, so that a change to one is seen.
 * Invariant: nothing is frozen or changed by looking.
 */

const WATCHED: readonly (readonly [string, object])[] = [
  ['Object', Object],
  ['Object.prototype', Object.prototype],
  ['Function.prototype', Function.prototype],
  ['Array.prototype', Array.prototype],
  ['String.prototype', String.prototype],
  ['Number.prototype', Number.prototype],
  ['Boolean.prototype', Boolean.prototype],
  ['Symbol.prototype', Symbol.prototype],
  ['Date.prototype', Date.prototype],
  ['RegExp.prototype', RegExp.prototype],
  ['Map.prototype', Map.prototype],
  ['Set.prototype', Set.prototype],
  ['Promise.prototype', Promise.prototype],
  ['Error.prototype', Error.prototype],
  ['globalThis', globalThis],
];

/** One property of one watched object, as it was. */
type Seen = readonly [place: string, descriptor: PropertyDescriptor | undefined];

function look(): readonly Seen[] {
  return WATCHED.flatMap(([name, object]) => [
    [`${name}.[[Prototype]]`, { value: Object.getPrototypeOf(object) }] as const,
    ...Reflect.ownKeys(object).map(
      (key) => [`${name}.${String(key)}`, Object.getOwnPropertyDescriptor(object, key)] as const,
    ),
  ]);
}

function isSame(one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean {
  return (
    one?.value === other?.value &&
    one?.get === other?.get &&
    one?.set === other?.set &&
    one?.writable === other?.writable &&
    one?.enumerable === other?.enumerable &&
    one?.configurable === other?.configurable
  );
}

/** Notes how everything is now; the function that it gives lists what has changed since. */
export function watchPrototypes(): () => readonly string[] {
  const before = new Map(look());
  return () => {
    const after = new Map(look());
    const places = new Set([...before.keys(), ...after.keys()]);
    // Getters of the global object, such as `crypto`, replace themselves on first use.
    const watched = [...places].filter((place) => !place.startsWith('globalThis.') || !before.has(place));
    return watched.filter((place) => {
      if (before.has(place) !== after.has(place)) return true;
      return !isSame(before.get(place), after.get(place));
    });
  };
}
