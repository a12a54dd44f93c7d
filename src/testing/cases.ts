/**
 * What an author states about a tool, for tests to hold it to.
 * Invariant: arguments are what a model would send, as JSON has them, and never instances of DTOs.
 */
import { inspect } from 'node:util';
import type { Principal } from '../contract/principal';

/** The two functions that jest, node:test and vitest have in common. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** Arguments that the tool answers with a result. */
export interface ValidCase {
  readonly args: unknown;
  readonly principal: Principal;
}

/** Arguments that are refused before the handler runs. */
export interface InvalidCase {
  readonly args: unknown;
  /** JSON Pointer (RFC 6901) of what is wrong, among other things or alone: `/order_id`. */
  readonly path: string;
  /** The rule that is broken there, as class-validator spells it: `matches`. Left out: any. */
  readonly rule?: string;
  readonly principal?: Principal;
}

/** Arguments on which the handler fails in a way that its author foresaw. */
export interface FailureCase {
  readonly args: unknown;
  readonly code: string;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;
  readonly principal?: Principal;
}

/** Everything that an author states about one tool. */
export interface ContractCases {
  /**
   * Arguments as they are, or with the principal who calls: a {@link ValidCase} has exactly `args` and
   * `principal`. May be empty where the input's DTO has examples, which are run as well.
   */
  readonly valid: readonly unknown[];
  /** At least one. */
  readonly invalid: readonly InvalidCase[];
  /** Left out, or empty, when the tool foresees none. */
  readonly failures?: readonly FailureCase[];
  /** Who calls where a case does not say. Left out: somebody with exactly the tool's scopes. */
  readonly principal?: Principal;
  /** The file that `toolcrib schema --out` wrote for the tool. Left out: none is looked at. */
  readonly exportedSchema?: string;
}

/** One valid call, whichever way it was stated. */
export interface ValidCall {
  readonly args: unknown;
  readonly principal: Principal | undefined;
}

function isPrincipal(value: unknown): value is Principal {
  return typeof value === 'object' && value !== null && 'id' in value && 'scopes' in value;
}

/** Reads one entry of `valid`. */
export function toValidCall(given: unknown): ValidCall {
  const isObject = typeof given === 'object' && given !== null;
  return isObject &&
    Object.keys(given).length === 2 &&
    'args' in given &&
    'principal' in given &&
    isPrincipal(given.principal)
    ? { args: given.args, principal: given.principal }
    : { args: given, principal: undefined };
}

/** Throws a TypeError where JavaScript states the cases of a contract in no lists. */
export function refuseNoCases({ valid, invalid, failures = [] }: ContractCases): void {
  for (const [name, list] of Object.entries({ valid, invalid, failures })) {
    if (!Array.isArray(list)) throw new TypeError(`contractTests: ${name} is no list; write ${name}: [ … ].`);
  }
}

/** Arguments on one line, for the name of a test. */
export function brief(args: unknown): string {
  const line = inspect(args, { breakLength: Number.POSITIVE_INFINITY, depth: 4, maxStringLength: 40 });
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
