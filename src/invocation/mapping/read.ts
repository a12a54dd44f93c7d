/**
 * Looks at something thrown, whatever it is.
 * Invariant: nothing here throws, and every walk along causes and parts ends.
 */
import { memberOf } from '../../metadata/members';

/** How many errors one walk looks at. */
const MAX_ERRORS = 32;
/** An AggregateError with more parts is not looked into. */
const MAX_PARTS = 10;

/** Reads a member of something thrown; undefined where its getter, or a proxy, throws. */
export function read(thrown: object, member: string): unknown {
  try {
    return memberOf(thrown, member);
  } catch {
    return undefined;
  }
}

/** Reads a member that is an object itself. */
export function readObject(thrown: object, member: string): object | undefined {
  const found = read(thrown, member);
  return typeof found === 'object' && found !== null ? found : undefined;
}

/** Reads a text; undefined where there is none. */
export function readText(thrown: object, member: string): string | undefined {
  const found = read(thrown, member);
  return typeof found === 'string' ? found : undefined;
}

/** The parts of an AggregateError, by its shape; none where there are too many. */
export function partsOf(thrown: object): readonly unknown[] {
  try {
    const parts = read(thrown, 'errors');
    return Array.isArray(parts) && parts.length <= MAX_PARTS ? Array.from(parts) : [];
  } catch {
    return [];
  }
}

/** The errors that one judgement has looked at. */
export class Walk {
  private readonly seen = new Set<object>();

  /** False for what was seen before, and once enough was seen. */
  enters(thrown: object): boolean {
    if (this.seen.size >= MAX_ERRORS || this.seen.has(thrown)) return false;
    this.seen.add(thrown);
    return true;
  }
}
