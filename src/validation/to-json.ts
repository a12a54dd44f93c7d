/**
 * Turns a handler's output into JSON, or says where it is not JSON.
 * Invariant: what comes out is a copy that JSON.stringify writes without loss; nothing is dropped in silence
 * but what JSON has no place for in an object: undefined, functions and symbols.
 */
import { types } from 'node:util';
import { childPointer, cutPointer } from '../contract/pointer';
import type { ParseOutcome, Violation } from '../contract/schema';
import type { JsonValue } from '../errors/body';

const MAX_DEPTH = 128;

/** Tags of what JSON writes as it is; of a Map, a stream or a generator it would write `{}`. */
const JSON_TAGS: readonly string[] = ['[object Object]', '[object Array]'];

/** Tells a stream or another sequence, whose contents are not among its members. */
function isStream(value: object): boolean {
  if (Array.isArray(value)) return false;
  return (
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    ('on' in value && ('pipe' in value || 'emit' in value))
  );
}

class NotJson extends Error {
  constructor(
    readonly path: string,
    message: string,
    readonly rule = 'isJson',
  ) {
    super(message);
  }
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

/** Converts one output, and ends when it takes more than its budget of bytes. */
class Converter {
  constructor(private budget: number) {}

  convert(given: unknown, path: string, key: string, ancestors: readonly object[]): JsonValue {
    if (types.isArrayBufferView(given)) throw new NotJson(path, 'binary data has no JSON form');
    const value = applyToJson(given, path, key);
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
      return Array.from(value, (item: unknown, index) =>
        this.convert(item === undefined ? null : item, childPointer(path, index), String(index), inside),
      );
    }
    if (!isRecord(value)) throw new NotJson(path, 'the value is not an object');
    const names = Object.keys(value);
    const entries = names.flatMap((name) => {
      const part = readMember(value, name, childPointer(path, name));
      if (isAbsent(part)) return [];
      this.spend(Buffer.byteLength(name) + 3);
      return [[name, this.convert(part, childPointer(path, name), name, inside)] as const];
    });
    return Object.fromEntries(entries);
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

function applyToJson(given: unknown, path: string, key: string): unknown {
  try {
    return hasToJson(given) ? given.toJSON(key) : given;
  } catch {
    throw new NotJson(path, 'toJSON threw');
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
  } catch {
    throw new NotJson(path, 'reading the value threw');
  }
}

/** Converts an output to JSON; undefined becomes null. What would take more than `maxBytes` of UTF-8 is refused. */
export function toJson(output: unknown, maxBytes = Number.POSITIVE_INFINITY): ParseOutcome<JsonValue> {
  try {
    return {
      ok: true,
      value: output === undefined ? null : new Converter(maxBytes).convert(output, '', '', []),
    };
  } catch (error) {
    const violation: Violation =
      error instanceof NotJson
        ? { path: cutPointer(error.path), rule: error.rule, message: error.message }
        : { path: '', rule: 'isJson', message: 'turning the value into JSON threw' };
    return { ok: false, violations: [violation] };
  }
}
