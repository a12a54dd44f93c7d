/**
 * Copies raw arguments into plain JSON, within bounds, before anything else is done with them.
 * Invariant: each member is read once, so that what is checked is what the handler gets; it walks without
 * recursion and ends on circular values, so no input overflows the stack.
 */
import { types } from 'node:util';
import { childPointer, cutPointer } from '../contract/pointer';
import {
  DEFAULT_INPUT_LIMITS,
  type InputLimits,
  type ParseOutcome,
  type Violation,
} from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { memberOf } from '../metadata/members';

type Container = JsonValue[] | { [key: string]: JsonValue };

interface Visit {
  readonly value: unknown;
  readonly depth: number;
  readonly parent: Visit | undefined;
  readonly key: string;
  /** Where the copy goes. */
  readonly into: Container;
}

function pointerOf(visit: Visit): string {
  const keys: string[] = [];
  for (let at = visit; at.parent !== undefined; at = at.parent) keys.unshift(at.key);
  return keys.reduce(childPointer, '');
}

function isJsonContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}

function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function put(into: Container, key: string, value: JsonValue): void {
  if (Array.isArray(into)) into[Number(key)] = value;
  // Assigned, this key would set the prototype.
  else if (key === '__proto__') Object.defineProperty(into, key, { value, enumerable: true });
  else into[key] = value;
}

function beyond(rule: keyof InputLimits, limits: InputLimits): Violation {
  const words = {
    maxElements: `there must be at most ${limits.maxElements} values`,
    maxBytes: `the text must take at most ${limits.maxBytes} bytes`,
    maxDepth: `values must nest at most ${limits.maxDepth} levels deep`,
  };
  return { path: '', rule, message: words[rule] };
}

/** Copies what `root` holds into `holder`, under the empty key; gives the first violation. */
function copy(root: unknown, holder: Container, limits: InputLimits): Violation | undefined {
  const stack: Visit[] = [{ value: root, depth: 0, parent: undefined, key: '', into: holder }];
  let elements = 0;
  let bytes = 0;
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value, depth, key, into } = visit;
    const isNamed = !Array.isArray(into);
    elements += 1;
    bytes +=
      (typeof value === 'string' ? Buffer.byteLength(value) : 0) + (isNamed ? Buffer.byteLength(key) : 0);
    if (elements > limits.maxElements) return beyond('maxElements', limits);
    if (bytes > limits.maxBytes) return beyond('maxBytes', limits);
    if (isJsonScalar(value)) {
      put(into, key, value);
    } else if (isJsonContainer(value)) {
      if (depth >= limits.maxDepth) return beyond('maxDepth', limits);
      const copied: Container = Array.isArray(value) ? [] : {};
      put(into, key, copied);
      const names = Array.isArray(value) ? undefined : Object.keys(value);
      const size = names?.length ?? memberOf(value, 'length');
      if (typeof size !== 'number' || size > limits.maxElements) return beyond('maxElements', limits);
      // The stack gives back last what was pushed first, and copies keep the order of the keys.
      for (let at = size - 1; at >= 0; at -= 1) {
        const name = names?.[at] ?? String(at);
        stack.push({
          value: memberOf(value, name),
          depth: depth + 1,
          parent: visit,
          key: name,
          into: copied,
        });
      }
    } else if (!(isNamed && value === undefined)) {
      const message = types.isDate(value) ? 'a date must be RFC 3339 text' : 'the value must be JSON';
      return { path: cutPointer(pointerOf(visit)), rule: 'isJson', message };
    }
  }
  return undefined;
}

/** Copies raw arguments, or gives the first bound that they break or the first value that JSON cannot carry. */
export function snapshot(raw: unknown, limits: InputLimits = DEFAULT_INPUT_LIMITS): ParseOutcome<JsonValue> {
  const holder: { [key: string]: JsonValue } = {};
  try {
    const violation = copy(raw, holder, limits);
    return violation === undefined
      ? { ok: true, value: holder[''] ?? null }
      : { ok: false, violations: [violation] };
  } catch {
    // Only a getter or a proxy throws here, and JSON has neither.
    return { ok: false, violations: [{ path: '', rule: 'isJson', message: 'the arguments must be JSON' }] };
  }
}
