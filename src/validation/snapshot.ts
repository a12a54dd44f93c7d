/**
 * Copies raw arguments into plain JSON within bounds.
 * Invariant: each member is read once, so that what is checked is what the handler gets, whatever getters or
 * proxies it came from; nothing is read of a container that holds more than the bounds allow, and whatever is
 * given, copying ends with a verdict.
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
import { mayGenerateCode } from './code-generation';

/** Copies one value that stands at some depth; undefined where it cannot be. */
export type Copy = (value: unknown, copier: Copier, depth: number) => JsonValue | undefined;

type Members = { readonly [key: string]: unknown };

/** The copy and the checks after it recurse, and so do not go deeper than the stack safely allows. */
const MAX_NESTING = 1_000;
const MAX_NESTING_INTERPRETED = 200;

/** How many bytes of UTF-8 one unit of a text takes at most. */
const MAX_BYTES_PER_UNIT = 3;

/** Tells an object that JSON could have given from one that only a program makes. */
function isPlain(value: object): value is Members {
  const isOfNoClass = Object.getPrototypeOf(value) === Object.prototype;
  return isOfNoClass || Object.prototype.toString.call(value) === '[object Object]';
}

function bytesOf(value: JsonValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + bytesOf(part), 0);
  return Object.entries(value).reduce((sum, [key, part]) => sum + Buffer.byteLength(key) + bytesOf(part), 0);
}

/** Copies one call's arguments, counts what they hold, and keeps the first thing that is wrong with them. */
class Copier {
  /** How many units of UTF-16 all texts and names have together; more than they have is allowed. */
  units = 0;
  private elements = 1;
  private violation: Violation | undefined;
  private readonly path: string[] = [];
  private readonly maxDepth: number;

  constructor(private readonly limits: InputLimits) {
    this.maxDepth = Math.min(limits.maxDepth, mayGenerateCode() ? MAX_NESTING : MAX_NESTING_INTERPRETED);
  }

  /** Copies the whole. */
  run(raw: unknown, copy: Copy | undefined): ParseOutcome<JsonValue> {
    const copied = copy === undefined ? this.copy(raw, 0) : copy(raw, this, 0);
    if (copied === undefined) return { ok: false, violations: [this.placed()] };
    const { maxBytes, maxElements } = this.limits;
    if (this.elements > maxElements) return { ok: false, violations: [this.beyond('maxElements')] };
    const isWithin = this.units * MAX_BYTES_PER_UNIT <= maxBytes || bytesOf(copied) <= maxBytes;
    return isWithin ? { ok: true, value: copied } : { ok: false, violations: [this.beyond('maxBytes')] };
  }

  /** Copies any value. */
  copy(value: unknown, depth: number): JsonValue | undefined {
    if (typeof value === 'string') {
      this.units += value.length;
      return value;
    }
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return this.copyList(value, depth);
    if (typeof value === 'object' && isPlain(value)) {
      const keys = Object.keys(value);
      return this.enter(keys.length, depth) ? this.copyMembers(value, keys, depth) : undefined;
    }
    const message = types.isDate(value) ? 'a date must be RFC 3339 text' : 'the value must be JSON';
    return this.refuse({ path: '', rule: 'isJson', message });
  }

  /** Copies an array, and each element by `copy` where there is one. */
  copyList(list: readonly unknown[], depth: number, copy?: Copy): JsonValue[] | undefined {
    const { length } = list;
    if (!this.enter(length, depth)) return undefined;
    const copied: JsonValue[] = [];
    for (let at = 0; at < length; at += 1) {
      const element = copy === undefined ? this.copy(list[at], depth + 1) : copy(list[at], this, depth + 1);
      if (element === undefined) return this.under(String(at));
      copied.push(element);
    }
    return copied;
  }

  /** Copies the members of an object that are named; those in `read` have been read already. */
  copyMembers(
    value: Members,
    keys: readonly string[],
    depth: number,
    read: Members = {},
  ): JsonValue | undefined {
    const copied: { [key: string]: JsonValue } = {};
    for (const key of keys) {
      this.units += key.length;
      const given = Object.hasOwn(read, key) ? read[key] : value[key];
      if (given === undefined) continue;
      const member = this.copy(given, depth + 1);
      if (member === undefined) return this.under(key);
      // Assigned, this key would set the prototype.
      if (key === '__proto__') Object.defineProperty(copied, key, { value: member, enumerable: true });
      else copied[key] = member;
    }
    return copied;
  }

  /** Counts a container of so many members; refuses it where it is too deep or too large. */
  enter(size: number, depth: number): boolean {
    // A proxy may give its array any length, and a text for one.
    this.elements += Number.isInteger(size) && size >= 0 ? size : Number.POSITIVE_INFINITY;
    if (depth >= this.maxDepth) this.refuse(this.beyond('maxDepth'));
    else if (this.elements > this.limits.maxElements) this.refuse(this.beyond('maxElements'));
    return this.violation === undefined;
  }

  /** Says that what was refused stands under a key. */
  under(key: string): undefined {
    this.path.unshift(key);
  }

  private refuse(violation: Violation): undefined {
    this.violation = violation;
  }

  private placed(): Violation {
    const violation = this.violation ?? { path: '', rule: 'isJson', message: 'the value must be JSON' };
    const path = violation.rule === 'isJson' ? cutPointer(this.path.reduce(childPointer, '')) : '';
    return { ...violation, path };
  }

  private beyond(rule: keyof InputLimits): Violation {
    const { maxElements, maxBytes } = this.limits;
    const words = {
      maxElements: `there must be at most ${maxElements} values`,
      maxBytes: `the text must take at most ${maxBytes} bytes`,
      maxDepth: `values must nest at most ${this.maxDepth} levels deep`,
    };
    return { path: '', rule, message: words[rule] };
  }
}

/** Copies raw arguments, or gives the first bound that they break or the first value that JSON cannot carry. */
export function snapshot(
  raw: unknown,
  limits: InputLimits = DEFAULT_INPUT_LIMITS,
  copy?: Copy,
): ParseOutcome<JsonValue> {
  try {
    return new Copier(limits).run(raw ?? null, copy);
  } catch {
    // Only a getter or a proxy throws here, and JSON has neither.
    return { ok: false, violations: [{ path: '', rule: 'isJson', message: 'the arguments must be JSON' }] };
  }
}
