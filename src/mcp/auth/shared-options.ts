/**
 * Options that both verifiers take, and what a verifier was made for.
 * Invariant: each is sound once read, or a TypeError names it.
 */
import type { OAuthTokenVerifier } from '@modelcontextprotocol/server';

const TOLERANCE_MS = 5_000;

/** Reads an audience. @throws TypeError where it is no text. */
export function toAudience(what: string, given: unknown): string {
  if (typeof given === 'string' && given !== '') return given;
  throw new TypeError(`${what}: audience is missing; give the resource that tokens are issued for.`);
}

/** Reads by how many milliseconds clocks may differ; none is possible. @throws TypeError where it is no such number. */
export function toTolerance(what: string, given: unknown = TOLERANCE_MS): number {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  throw new TypeError(
    `${what}: clockToleranceMs is ${String(given)}; give a number of milliseconds, or leave it out.`,
  );
}

/** What a verifier accepts tokens of. */
export interface Bound {
  readonly audience: string;
  /** undefined: whatever its endpoint vouches for. */
  readonly issuer: string | undefined;
}

const bounds = new WeakMap<OAuthTokenVerifier, Bound>();

/** Notes what a verifier was made for. */
export function bindTo(bound: Bound, verifier: OAuthTokenVerifier): OAuthTokenVerifier {
  bounds.set(verifier, bound);
  return verifier;
}

/** What a verifier was made for; undefined for one of the application's own, also where it asks one of these. */
export function boundOf(verifier: OAuthTokenVerifier): Bound | undefined {
  return bounds.get(verifier);
}
