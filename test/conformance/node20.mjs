/**
 * Lets the conformance suite start on Node 20, whose `fs` has no `globSync`: node --import ./node20.mjs …
 * Invariant: only the suite's own import is answered; its command `server`, which is all that runs here, globs
 * nothing.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const FS = `
  export * from 'node:fs';
  export { default } from 'node:fs';
  export function globSync() {
    throw new Error('fs.globSync is not in this version of Node');
  }
`;

// Hooks run in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

/** A hook of Node's: answers an import of `fs` by the suite with the module above. */
export function resolve(specifier, context, next) {
  if (specifier !== 'fs' || !context.parentURL?.includes('/@modelcontextprotocol/conformance/')) {
    return next(specifier, context);
  }
  return { url: `data:text/javascript,${encodeURIComponent(FS)}`, format: 'module', shortCircuit: true };
}
