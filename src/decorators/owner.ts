/**
 * `@Owner`: the team that answers for all tools of a service class.
 * Invariant: a default only; `@Tool({ owner })` on a method wins.
 */
import { ownerFact } from '../metadata/tool-facts';
import { toFactTarget } from './place';

/**
 * Names the owner of a service class's tools.
 *
 * @throws TypeError when the compiler emits standard decorators.
 */
export function Owner(owner: string): (target: abstract new (...args: never[]) => object) => void {
  return (...args: readonly unknown[]) => ownerFact.write(toFactTarget('Owner', args), owner);
}
