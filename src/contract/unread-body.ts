/**
 * Lets go of the connection of a `Response` that was thrown or answered and whose body nobody reads.
 * Invariant: it never throws, and touches no body that was read, is being read, or is none.
 */

function isTagged(value: unknown, tag: string): value is object {
  return typeof value === 'object' && Object.prototype.toString.call(value) === `[object ${tag}]`;
}

/** Cancels the body of a `Response` of fetch; of anything else, nothing. */
export function cancelUnreadBody(value: object): void {
  try {
    if (!isTagged(value, 'Response') || Reflect.get(value, 'bodyUsed') !== false) return;
    const body: unknown = Reflect.get(value, 'body');
    if (!isTagged(body, 'ReadableStream') || Reflect.get(body, 'locked') !== false) return;
    const cancel: unknown = Reflect.get(body, 'cancel');
    const cancelled: unknown = typeof cancel === 'function' ? cancel.call(body) : undefined;
    // The stream may be broken already, and whoever broke it has said so.
    Promise.resolve(cancelled).catch(() => {});
  } catch {
    // Only what passes itself off for a Response gets here.
  }
}
