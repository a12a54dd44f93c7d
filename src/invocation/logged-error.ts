/**
 * What may be said of something thrown: a line for the caller, and all of it for the log.
 * Invariant: nothing in a logged error holds a credential that scrubbing knows, and causes end.
 */
import { types } from 'node:util';
import { read, readText } from './mapping/read';
import type { Scrubber } from './scrub';

const TYPE_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
/** How many errors deep and wide the log follows causes and the parts of an AggregateError. */
const MAX_DEPTH = 5;
const MAX_PARTS = 10;

/** What the log gets of an error. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

function textOf(thrown: object, member: string): string | undefined {
  const text = readText(thrown, member);
  return text === '' ? undefined : text;
}

function typeNameOf(thrown: object): string | undefined {
  const name = textOf(thrown, 'name');
  return name !== undefined && TYPE_NAME.test(name) ? name : undefined;
}

/** What may be said to the caller, before scrubbing: `TypeName: text`. Objects that are no errors keep their contents. */
export function wordsFor(thrown: unknown): string {
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  if (typeof thrown === 'number' || typeof thrown === 'boolean' || typeof thrown === 'bigint') {
    return `the tool threw ${String(thrown)}`;
  }
  if (typeof thrown !== 'object' || thrown === null) return 'the tool failed without saying why';
  const name = typeNameOf(thrown) ?? (types.isNativeError(thrown) ? 'Error' : undefined);
  const text = textOf(thrown, 'message');
  if (text === undefined) return name ?? 'the tool threw an object that is no error';
  return name === undefined ? text : `${name}: ${text}`;
}

/** What the log gets of something thrown, also where a proxy keeps it from being looked at. */
export function loggedOf(thrown: unknown, scrubber: Scrubber): LoggedError {
  try {
    return toLogged(thrown, scrubber);
  } catch {
    return toLogged('something that cannot be looked at was thrown', scrubber);
  }
}

/** What the log gets of something thrown. */
export function toLogged(thrown: unknown, scrubber: Scrubber, depth = 0): LoggedError {
  const message = scrubber.text(wordsFor(thrown));
  if (typeof thrown !== 'object' || thrown === null) return { type: typeof thrown, message };
  const stack = textOf(thrown, 'stack');
  const cause = depth < MAX_DEPTH ? read(thrown, 'cause') : undefined;
  const errors = depth < MAX_DEPTH ? read(thrown, 'errors') : undefined;
  const parts: readonly unknown[] = Array.isArray(errors) ? errors.slice(0, MAX_PARTS) : [];
  return {
    type: scrubber.text(typeNameOf(thrown) ?? 'object'),
    message,
    ...(stack === undefined ? {} : { stack: scrubber.text(stack) }),
    ...(cause === undefined ? {} : { cause: toLogged(cause, scrubber, depth + 1) }),
    ...(parts.length === 0 ? {} : { errors: parts.map((part) => toLogged(part, scrubber, depth + 1)) }),
  };
}
