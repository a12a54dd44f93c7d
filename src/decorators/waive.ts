/**
 * `@Waive`: what `toolcrib check` shall not find here, and why.
 * Invariant: an annotation only; schemas, calls and discovery are the same with and without it, and `check`
 * itself judges it.
 */
import { waiverFact } from '../metadata/tool-facts';
import { toFactTarget } from './place';

/** A decorator that goes on a class, on a method and on a property. */
type WaiveDecorator = (target: object, member?: string | symbol, descriptor?: object) => void;

/**
 * Silences codes of `toolcrib check`, each with its reason: on a DTO's property for that field, on a DTO for all
 * its fields, on a tool's class or method for the whole tool. An unknown code, an empty reason, and a code that
 * is not found there, are findings themselves.
 *
 * @throws TypeError when the compiler emits standard decorators.
 * @example @Waive({ unbounded_string: 'The note is stored as it is, and the column has no bound.' })
 */
export function Waive(reasons: { readonly [code: string]: string }): WaiveDecorator {
  return (...args) => {
    const [target, member, descriptor] = args;
    const isProperty = typeof member === 'string' && descriptor === undefined;
    const at = isProperty ? { holder: target, member } : toFactTarget('Waive', args);
    waiverFact.write(at, Object.freeze({ ...reasons }));
  };
}
