/**
 * Catches what is wrong with declarations.
 * Invariant: anything but a DeclarationError fails the check.
 */
import assert from 'node:assert/strict';
import { type DeclarationProblem, isDeclarationError } from 'toolcrib';

/** The problems that a rejected discovery lists. */
export async function problemsOf(discovery: Promise<unknown>): Promise<readonly DeclarationProblem[]> {
  const error: unknown = await discovery.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isDeclarationError(error), `no DeclarationError but ${String(error)}`);
  return error.problems;
}
