/**
 * What may be said of something thrown: a line for the caller, and all of it for the log.
 * Invariant: nothing in a logged error holds a credential that scrubbing knows, and causes and parts end soon.
 */
import { types } from 'node:util';
import { type ErrorFacts, factsOf } from './error-facts';
import { read, readText } from './mapping/read';
import type { Scrubber } from './scrub';

const TYPE_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
/** How many errors deep and wide the log follows causes and the parts of an AggregateError. */
const MAX_DEPTH = 5;
const MAX_PARTS = 10;
/** Of all of them together: parts that have parts multiply, and parts that hold themselves do so without an end. */
const MAX_ERRORS = 32;
const MAX_CHARACTERS = 131_072;
/** Of each of the facts, after scrubbing. */
const MAX_FACT = 500;

/** What the log gets of an error: what it says, and its codes and the like. */
export interface LoggedError extends ErrorFacts {
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

/** What an object that is no error is: `Response`, or else an object. */
function kindOf(thrown: object): string {
  const kind = Object.prototype.toString.call(thrown).slice('[object '.length, -1);
  return TYPE_NAME.test(kind) && kind !== 'Object' ? kind : 'object';
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

/** What may still be said of an error and of what it holds. */
class Room {
  private errors = MAX_ERRORS;
  private characters = MAX_CHARACTERS;

  constructor(private readonly scrubber: Scrubber) {}

  /** False where no more errors are followed. */
  enter(): boolean {
    this.errors -= 1;
    return this.errors >= 0 && this.characters > 0;
  }

  say(text: string): string {
    const said = this.scrubber.text(text);
    this.characters -= said.length;
    return said;
  }

  /** Facts, of which the texts may hold anything. */
  facts(facts: ErrorFacts): ErrorFacts {
    const said = Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? this.say(fact).slice(0, MAX_FACT) : fact,
    ]);
    return Object.fromEntries(said);
  }
}

function toPart(thrown: unknown, room: Room, depth: number): LoggedError {
  const message = room.say(wordsFor(thrown));
  if (typeof thrown !== 'object' || thrown === null) return { type: typeof thrown, message };
  const stack = textOf(thrown, 'stack');
  const type = room.say(typeNameOf(thrown) ?? kindOf(thrown));
  const facts = room.facts(factsOf(thrown));
  const said = { ...facts, type, message, ...(stack === undefined ? {} : { stack: room.say(stack) }) };
  if (depth === MAX_DEPTH) return said;
  const follow = (one: unknown): LoggedError[] => (room.enter() ? [toPart(one, room, depth + 1)] : []);
  const cause = read(thrown, 'cause');
  const [because] = cause === undefined ? [] : follow(cause);
  const parts = read(thrown, 'errors');
  const errors = Array.isArray(parts) ? parts.slice(0, MAX_PARTS).flatMap(follow) : [];
  return {
    ...said,
    ...(because === undefined ? {} : { cause: because }),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

/** What the log gets of something thrown. */
export function toLogged(thrown: unknown, scrubber: Scrubber): LoggedError {
  return toPart(thrown, new Room(scrubber), 0);
}
