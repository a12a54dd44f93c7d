/**
 * Turns a handler's output into JSON, or says where it is not JSON.
 * Invariant: what comes out is a copy that JSON.stringify writes without loss; nothing is dropped in silence
 * but what JSON has no place for in an object: undefined, functions and symbols.
 */
import { types } from 'node:util';
import { hush } from '../contract/hush';
import { childPointer, cutPointer } from '../contract/pointer';
import type { ParseOutcome, Violation } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { memberOf } from '../metadata/members';
import type { ValueKind } from '../schema/property-type';
import { NotJson } from './not-json';
import { isInstance, type Writing, writingOf, writtenMembers } from './written-members';

const MAX_DEPTH = 128;

/** Tags of what JSON writes as it is; of a Map, a stream or a generator it would write `{}`. */
const JSON_TAGS: readonly string[] = ['[object Object]', '[object Array]'];

function isMethod(value: object, name: string): boolean {
  return name in value && typeof memberOf(value, name) === 'function';
}

/** Tells a stream or another sequence, whose contents are not among its members. */
function isStream(value: object): boolean {
  if (Array.isArray(value)) return false;
  return (
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    (isMethod(value, 'on') && (isMethod(value, 'pipe') || isMethod(value, 'emit')))
  );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function convertScalar(value: unknown, path: string): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // JSON has a zero without a sign.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
  const what = typeof value === 'number' ? String(value) : `a ${typeof value}`;
  throw new NotJson(path, `${what} has no JSON form`);
}

function isPlainScalar(value: unknown): value is JsonValue {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value === null ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

/** Sets a member, whatever its name: an assignment to `__proto__` would make none. */
function setMember(members: { [name: string]: JsonValue }, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true });
  } else members[name] = value;
}

/** A value on its way, and where it stands. */
interface Place {
  readonly path: string;
  readonly key: string;
  readonly ancestors: readonly object[];
  /** What was declared to stand there. */
  readonly kind: ValueKind | undefined;
}

/** Converts one output, and ends when it takes more than its budget of bytes. */
class Converter {
  constructor(private budget: number) {}

  convert(given: unknown, place: Place): JsonValue {
    const { path, key, kind } = place;
    if (types.isArrayBufferView(given)) throw new NotJson(path, 'binary data has no JSON form');
    if (types.isDate(given) && Number.isNaN(given.getTime())) {
      throw new NotJson(path, 'an invalid Date has no JSON form');
    }
    const writing = isMembered(given) ? writingOf(given, kind) : undefined;
    // An instance is written by its decorators, whatever else it says of itself.
    const isSaid = writing !== undefined && isMembered(given) && isInstance(writing, given);
    const value = isSaid ? given : applyToJson(given, path, key);
    try {
      if (value === given) return this.contents(value, writing, place);
      return this.contents(value, isMembered(value) ? writingOf(value, kind) : undefined, place);
    } catch (error) {
      // Getters and conversions may have made promises, which nobody else can hear.
      hush(value);
      throw error;
    }
  }

  private contents(value: unknown, writing: Writing | undefined, place: Place): JsonValue {
    const { path, ancestors, kind } = place;
    if (typeof value !== 'object' || value === null) return this.scalar(value, path);
    if (types.isBoxedPrimitive(value)) return this.scalar(value.valueOf(), path);
    if (ancestors.includes(value)) throw new NotJson(path, 'the value contains itself');
    if (ancestors.length >= MAX_DEPTH) throw new NotJson(path, `values nest over ${MAX_DEPTH} levels deep`);
    const tag = Object.prototype.toString.call(value);
    if (!JSON_TAGS.includes(tag)) throw new NotJson(path, `${tag} has no JSON form`);
    if (isStream(value)) throw new NotJson(path, 'a stream has no JSON form');
    this.spend(2);
    const inside = [...ancestors, value];
    if (Array.isArray(value)) {
      this.spend(Math.max(0, value.length - 1));
      return Array.from(value, (item: unknown, index) => {
        const at = { path: childPointer(path, index), key: String(index), ancestors: inside, kind };
        return this.convert(item === undefined ? null : item, at);
      });
    }
    if (!isRecord(value)) throw new NotJson(path, 'the value is not an object');
    return writing === undefined
      ? this.asIs(value, path, inside)
      : this.written(value, writing, path, inside);
  }

  private asIs(value: Record<string, unknown>, path: string, ancestors: readonly object[]): JsonValue {
    const members: { [name: string]: JsonValue } = {};
    for (const name of Object.keys(value)) {
      const part = readMember(value, name, path);
      // What is absent takes no bytes, and so must take little time.
      if (isAbsent(part)) continue;
      this.spend(Buffer.byteLength(name) + 3);
      setMember(members, name, this.member(part, path, name, ancestors, undefined));
    }
    return members;
  }

  private written(value: object, writing: Writing, path: string, ancestors: readonly object[]): JsonValue {
    const members: { [name: string]: JsonValue } = {};
    for (const { key, value: part, kind } of writtenMembers(value, writing, path)) {
      if (isAbsent(part)) continue;
      this.spend(Buffer.byteLength(key) + 3);
      setMember(members, key, this.member(part, path, key, ancestors, kind));
    }
    return members;
  }

  /** Most members are scalars that JSON writes as they are; the place of such a one is nobody's concern. */
  private member(
    part: unknown,
    path: string,
    key: string,
    ancestors: readonly object[],
    kind: ValueKind | undefined,
  ): JsonValue {
    if (isPlainScalar(part)) return this.scalar(part, path);
    return this.convert(part, { path: childPointer(path, key), key, ancestors, kind });
  }

  private scalar(value: unknown, path: string): JsonValue {
    const scalar = convertScalar(value, path);
    this.spend(typeof scalar === 'string' ? Buffer.byteLength(scalar) + 2 : 1);
    return scalar;
  }

  /** Counts no more bytes than JSON.stringify writes, so that what fits is never refused. */
  private spend(bytes: number): void {
    this.budget -= bytes;
    if (this.budget < 0) throw new NotJson('', 'it takes too many bytes', 'maxBytes');
  }
}

function isMembered(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function applyToJson(given: unknown, path: string, key: string): unknown {
  try {
    return hasToJson(given) ? given.toJSON(key) : given;
  } catch (cause) {
    throw new NotJson(path, 'toJSON threw', undefined, { cause });
  }
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

function isRecord(value: object): value is Record<string, unknown> {
  return !Array.isArray(value);
}

function readMember(holder: Record<string, unknown>, name: string, path: string): unknown {
  try {
    return holder[name];
  } catch (cause) {
    throw new NotJson(childPointer(path, name), 'reading the value threw', undefined, { cause });
  }
}

/** Bounds of a conversion, and what is known of the value. */
export interface ToJsonOptions {
  /** What would take more bytes of UTF-8 is refused. */
  readonly maxBytes?: number | undefined;
  /** The DTO that was declared for the value, or for its elements; its decorators hold for plain objects too. */
  readonly kind?: ValueKind | undefined;
}

/**
 * Converts an output to JSON; undefined becomes null. Instances of decorated classes are written as class-transformer
 * writes them.
 */
export function toJson(output: unknown, { maxBytes, kind }: ToJsonOptions = {}): ParseOutcome<JsonValue> {
  const converter = new Converter(maxBytes ?? Number.POSITIVE_INFINITY);
  try {
    const root = { path: '', key: '', ancestors: [], kind };
    return { ok: true, value: output === undefined ? null : converter.convert(output, root) };
  } catch (error) {
    if (!(error instanceof NotJson)) {
      const violation = { path: '', rule: 'isJson', message: 'turning the value into JSON threw' };
      return { ok: false, violations: [violation], cause: error };
    }
    const { path, rule, message, cause } = error;
    const violation: Violation = { path: cutPointer(path), rule, message };
    return { ok: false, violations: [violation], ...(cause === undefined ? {} : { cause }) };
  }
}
