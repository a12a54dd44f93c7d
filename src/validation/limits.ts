/**
 * Bounds raw arguments before anything else is done with them, and makes sure that they are JSON.
 * Invariant: it walks without recursion and ends on circular values, so no input overflows the stack.
 */
import { DEFAULT_INPUT_LIMITS, type InputLimits, type Violation } from '../contract/schema';
import { childPointer } from './pointer';

interface Visit {
  readonly value: unknown;
  readonly depth: number;
  readonly parent: Visit | undefined;
  readonly key: string;
}

function pointerOf(visit: Visit): string {
  const keys: string[] = [];
  for (let at = visit; at.parent !== undefined; at = at.parent) keys.unshift(at.key);
  return keys.reduce(childPointer, '');
}

function isContainer(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return Array.isArray(value) || tag === '[object Object]';
}

function isJsonScalar(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    Number.isFinite(value)
  );
}

function bytesOf(value: unknown, key: string): number {
  return Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
}

function walk(raw: unknown, limits: InputLimits): Violation | undefined {
  const stack: Visit[] = [{ value: raw, depth: 0, parent: undefined, key: '' }];
  let elements = 0;
  let bytes = 0;
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value, depth, key } = visit;
    elements += 1;
    bytes += bytesOf(value, key);
    if (elements > limits.maxElements) {
      return { path: '', rule: 'maxElements', message: `there must be at most ${limits.maxElements} values` };
    }
    if (bytes > limits.maxBytes) {
      return { path: '', rule: 'maxBytes', message: `the text must take at most ${limits.maxBytes} bytes` };
    }
    if (typeof value === 'object' && value !== null && isContainer(value)) {
      if (depth >= limits.maxDepth) {
        const message = `values must nest at most ${limits.maxDepth} levels deep`;
        return { path: '', rule: 'maxDepth', message };
      }
      for (const [name, part] of Object.entries(value)) {
        stack.push({ value: part, depth: depth + 1, parent: visit, key: name });
      }
    } else if (!isJsonScalar(value)) {
      return { path: pointerOf(visit), rule: 'isJson', message: 'the value must be JSON' };
    }
  }
  return undefined;
}

/** Finds the first bound that raw arguments break, or the first value in them that JSON cannot carry. */
export function checkLimits(raw: unknown, limits: InputLimits = DEFAULT_INPUT_LIMITS): Violation | undefined {
  try {
    return walk(raw, limits);
  } catch {
    // Only a getter or a proxy throws here, and JSON has neither.
    return { path: '', rule: 'isJson', message: 'the arguments must be JSON' };
  }
}
