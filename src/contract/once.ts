/**
 * Makes a value for an object once, and keeps it as long as the object lives.
 * Invariant: what is kept holds no object alive.
 */

/** Wraps a maker so that it runs once for each key. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
