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
    if (!isTagged(value, 'Response') || !('body' in value && 'bodyUsed' in value) || value.bodyUsed !== false)
      return;
    const { body } = value;
    if (!isTagged(body, 'ReadableStream') || !('cancel' in body && 'locked' in body) || body.locked !== false)
      return;
    const cancelled: unknown = typeof body.cancel === 'function' ? body.cancel() : undefined;
    // The stream may be broken already, and whoever broke it has said so.
    Promise.resolve(cancelled).catch(() => {});
  } catch {
    // Only what passes itself off for a Response gets here.
  }
}
