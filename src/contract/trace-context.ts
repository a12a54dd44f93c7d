/**
 * The trace that a caller's request belongs to, as W3C Trace Context and W3C Baggage write it.
 * Invariant: what is taken on is well-formed; what is not is left out, since it comes from outside.
 */

/** The members of a request that carry a trace: MCP's `_meta` has them under these very names (SEP-414). */
export interface TraceContext {
  /** W3C Trace Context, section 3.2: `00-<32 hex>-<16 hex>-<2 hex>`. */
  readonly traceparent?: string | undefined;
  /** W3C Trace Context, section 3.3. */
  readonly tracestate?: string | undefined;
  /** W3C Baggage, section 3.2. */
  readonly baggage?: string | undefined;
}

/** A trace context that was read; it always has a parent. */
export interface SoundTraceContext {
  readonly traceparent: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** W3C Trace Context, section 3.2.2.3: version ff is forbidden, and versions after 00 may say more. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]*)?$/;
const MAX_TRACEPARENT = 128;

/** W3C Trace Context, section 3.3.1: at most 32 members, and 512 characters have to be carried. */
const STATE_MEMBER =
  /^[ \t]*(?:(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[ -+\--<>-~]{0,255}[!-+\--<>-~])?[ \t]*$/;
const MAX_STATE = 512;
const MAX_STATE_MEMBERS = 32;

/**
 * W3C Baggage, section 3.2.1.1, and the limits of section 3.3.2. Blanks have one place each, so that a value which does
 * not match is refused in a time that grows as its length does.
 */
const BAGGAGE_MEMBER =
  /^[ \t]*[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*(?:[!#-+\--:<-[\]-~]+[ \t]*)?(?:;[ -+\--~]*)?$/;
const MAX_BAGGAGE = 8_192;
const MAX_BAGGAGE_MEMBERS = 64;

function isList(given: unknown, member: RegExp, maxLength: number, maxMembers: number): given is string {
  if (typeof given !== 'string' || given === '' || given.length > maxLength) return false;
  const members = given.split(',');
  return members.length <= maxMembers && members.every((one) => member.test(one));
}

/** Reads a trace context; undefined where it has no well-formed `traceparent`. What else is malformed is left out. */
export function readTraceContext(given: TraceContext | undefined): SoundTraceContext | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { traceparent, tracestate, baggage }: { readonly [Key in keyof TraceContext]: unknown } = given;
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT) return undefined;
  const [, version, traceId, , , more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || (version === '00' && more !== undefined)) return undefined;
  return {
    traceparent,
    traceId,
    ...(isList(tracestate, STATE_MEMBER, MAX_STATE, MAX_STATE_MEMBERS) ? { tracestate } : {}),
    ...(isList(baggage, BAGGAGE_MEMBER, MAX_BAGGAGE, MAX_BAGGAGE_MEMBERS) ? { baggage } : {}),
  };
}
