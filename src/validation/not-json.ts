/**
 * Says where a value is not JSON.
 * Invariant: its message is the framework's own words; what was thrown on the way is kept apart from it.
 */

/** A place in an output that cannot be written. */
export class NotJson extends Error {
  constructor(
    readonly path: string,
    message: string,
    readonly rule = 'isJson',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
