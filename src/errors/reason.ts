/**
 * Why something was thrown: by its code, and in words for people who start a program.
 * Invariant: the words are made without throwing, whatever was thrown. Not for models: they are not scrubbed.
 */
import { types } from 'node:util';

/** Tells an error by its `code` alone: what Node throws may be of another realm, whose Error is another one. */
export function hasCode(thrown: unknown, code: string): thrown is object {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === code;
}

/** The message of an error, or a text form of whatever else was thrown. */
export function reasonOf(thrown: unknown): string {
  try {
    const message: unknown = types.isNativeError(thrown) ? thrown.message : thrown;
    return String(message);
  } catch {
    return 'something that has no text form was thrown';
  }
}
