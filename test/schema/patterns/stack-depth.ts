/**
 * Calls a function with ever less of the stack left.
 * Invariant: what it gives is listed up to the first call that does not come back.
 */
const FRAMES = 300;

/** What the function gives at each depth. */
export function atEachDepth<T>(call: () => T): readonly T[] {
  const given: T[] = [];
  const descend = (depth: number): void => {
    if (depth % FRAMES === 0) given.push(call());
    descend(depth + 1);
  };
  expect(() => descend(0)).toThrow(RangeError);
  return given;
}
