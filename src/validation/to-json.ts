/**
 * Turns a handler's output into JSON, or says where it is not JSON.
 * Invariant: what comes out is a copy that JSON.stringify writes without loss; nothing is dropped in silence
 * but what JSON has no place for in an object: undefined, functions and symbols.
 */
import { types } from 'node:util';
import type { ParseOutcome, Violation } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { childPointer } from './pointer';

const MAX_DEPTH = 128;

/** What JSON.stringify would write as `{}`; asked of Node, which knows them across realms. */
const NO_JSON_FORM: readonly (readonly [name: string, is: (value: unknown) => boolean])[] = [
  ['Map', types.isMap],
  ['Set', types.isSet],
  ['WeakMap', types.isWeakMap],
  ['WeakSet', types.isWeakSet],
  ['Promise', types.isPromise],
  ['RegExp', types.isRegExp],
  ['Error', types.isNativeError],
];

class NotJson extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function convertScalar(value: unknown, path: string): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const what = typeof value === 'number' ? String(value) : `a ${typeof value}`;
  throw new NotJson(path, `${what} has no JSON form`);
}

function convert(given: unknown, path: string, key: string, ancestors: readonly object[]): JsonValue {
  const value: unknown = hasToJson(given) ? given.toJSON(key) : given;
  if (typeof value !== 'object' || value === null) return convertScalar(value, path);
  if (ancestors.includes(value)) throw new NotJson(path, 'the value contains itself');
  if (ancestors.length >= MAX_DEPTH) throw new NotJson(path, `values nest over ${MAX_DEPTH} levels deep`);
  const odd = NO_JSON_FORM.find(([, is]) => is(value));
  if (odd !== undefined) throw new NotJson(path, `a value of type ${odd[0]} has no JSON form`);
  const inside = [...ancestors, value];
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      item === undefined ? null : convert(item, childPointer(path, index), String(index), inside),
    );
  }
  if (!isRecord(value)) throw new NotJson(path, 'the value is not an object');
  const entries = Object.keys(value).flatMap((name) => {
    const part = readMember(value, name, childPointer(path, name));
    return isAbsent(part) ? [] : [[name, convert(part, childPointer(path, name), name, inside)] as const];
  });
  return Object.fromEntries(entries);
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

/** Converts an output to JSON; undefined becomes null. */
export function toJson(output: unknown): ParseOutcome<JsonValue> {
  try {
    return { ok: true, value: isAbsent(output) ? null : convert(output, '', '', []) };
  } catch (error) {
    const violation: Violation =
      error instanceof NotJson
        ? { path: error.path, rule: 'isJson', message: error.message }
        : { path: '', rule: 'isJson', message: 'turning the value into JSON threw' };
    return { ok: false, violations: [violation] };
  }
}
