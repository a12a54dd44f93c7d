/**
 * Says in words why something was thrown, for people who start a program.
 * Invariant: it never throws, whatever it is given. Not for models: the words are not scrubbed.
 */

import { types } from 'node:util';

/** The message of an error, or a text form of whatever else was thrown. */
export function reasonOf(thrown: unknown): string {
  try {
    const message: unknown = types.isNativeError(thrown) ? thrown.message : thrown;
    return String(message);
  } catch {
    return 'something that has no text form was thrown';
  }
}
