/**
 * Makes of any value what may go to a log: plain JSON without secrets.
 * Invariant: it never throws, it ends on values that hold themselves, and it changes nothing of what it is given.
 */
import { types } from 'node:util';
import type { Logger } from '../../contract/context';
import type { JsonValue } from '../../errors/body';
import { memberOf } from '../../metadata/members';
import { toLogged } from '../logged-error';
import type { Scrubber } from '../scrub';

const MAX_DEPTH = 8;
/** Of one value; what comes after is left out. */
const MAX_PARTS = 1_000;

/** Of all texts of one entry: scrubbing them holds up all other calls. */
const MAX_CHARACTERS = 262_144;

/** Of the fields that every entry of a logger carries. */
const MAX_STATED = 16_384;

interface Walk {
  readonly above: readonly object[];
  left: number;
  /** What all parts share. */
  readonly room: { characters: number };
}

function entriesOf(value: object): readonly (readonly [unknown, unknown])[] {
  if (types.isMap(value)) return [...value];
  return Object.keys(value).map((key) => [key, read(value, key)]);
}

function read(value: object, key: string): unknown {
  try {
    return memberOf(value, key);
  } catch {
    return '[unreadable]';
  }
}

function nameOf(key: unknown): string {
  return typeof key === 'object' && key !== null ? '[object]' : String(key);
}

function plainObject(value: object, scrubber: Scrubber, walk: Walk): JsonValue {
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (walk.above.includes(value)) return '[circular]';
  if (walk.above.length >= MAX_DEPTH) return '[too deep]';
  const above = [...walk.above, value];
  const part = (one: unknown): JsonValue => {
    const inner: Walk = { above, left: walk.left - 1, room: walk.room };
    const plain = inner.left < 0 ? '[left out]' : toPlain(one, scrubber, inner);
    walk.left = inner.left;
    return plain;
  };
  if (types.isNativeError(value)) return part(toLogged(value, scrubber));
  const toJson = memberOf(value, 'toJSON');
  if (typeof toJson === 'function') return part(toJson.call(value));
  const list: readonly unknown[] | undefined = Array.isArray(value)
    ? value.slice(0, MAX_PARTS)
    : types.isSet(value)
      ? [...value].slice(0, MAX_PARTS)
      : undefined;
  if (list !== undefined) return list.map(part);
  const said = entriesOf(value).slice(0, MAX_PARTS);
  return Object.fromEntries(said.map(([key, one]) => [nameOf(key), part(one)]));
}

function toPlain(value: unknown, scrubber: Scrubber, walk: Walk): JsonValue {
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'string') {
    if (walk.room.characters <= 0) return '[left out]';
    walk.room.characters -= value.length;
    return value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object') return String(value);
  try {
    return plainObject(value, scrubber, walk);
  } catch {
    return '[unreadable]';
  }
}

function toText(message: unknown): string {
  try {
    return String(message);
  } catch {
    return '[unreadable]';
  }
}

/**
 * A logger that gets no secret: what it is given is scrubbed by key and by value on the way. Every entry carries
 * `own`, which nothing that is given takes the place of.
 */
export function scrubbingLogger(logger: Logger, scrubber: Scrubber, own: () => object = () => ({})): Logger {
  const level = (name: keyof Logger) => (given: object, message?: string) => {
    const room = { characters: MAX_CHARACTERS };
    const plain = toPlain(given, scrubber, { above: [], left: MAX_PARTS, room });
    const isFields = typeof plain === 'object' && plain !== null && !Array.isArray(plain);
    const stated = toPlain(own(), scrubber, { above: [], left: MAX_PARTS, room: { characters: MAX_STATED } });
    const fields = Object(scrubber.json(Object.assign(isFields ? plain : { value: plain }, stated)));
    if (message === undefined) logger[name](fields);
    else logger[name](fields, scrubber.text(toText(message)));
  };
  return Object.freeze({
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  });
}
