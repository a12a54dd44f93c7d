/**
 * Violations in words.
 * Invariant: they say where and what, on one line, and no value.
 */
import type { Violation } from '../contract/schema';

/** What is wrong, in words and on one line. */
export function list(violations: readonly Violation[]): string {
  return violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
