/**
 * Bundles a program for Node with rollup, everything in: node rollup.mjs <entry> <output>
 * Invariant: a file that cannot be resolved fails it, as an error does.
 */
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import nodeResolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';

const [, , entry, output] = process.argv;

const bundle = await rollup({
  input: entry,
  plugins: [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
  onwarn(warning, warn) {
    if (warning.code === 'UNRESOLVED_IMPORT') throw new Error(warning.message);
    // Cycles and a top-level `this` are all over the dependencies and harm nothing.
    if (!['CIRCULAR_DEPENDENCY', 'THIS_IS_UNDEFINED'].includes(warning.code)) warn(warning);
  },
});
await bundle.write({ file: output, format: 'es', inlineDynamicImports: true });
await bundle.close();
