/**
 * Bundles a program for Node with webpack, everything in: node webpack.mjs <entry> <output> [minify]
 * Invariant: a warning of the bundler fails it, as an error does.
 */
import { basename, dirname, resolve } from 'node:path';
import webpack from 'webpack';

const [, , entry, output, minify] = process.argv;

webpack(
  {
    mode: 'production',
    target: 'node20',
    entry: resolve(entry),
    output: { path: resolve(dirname(output)), filename: basename(output) },
    optimization: { minimize: minify === 'minify' },
    // The suite asks Node, and not the bundle, for what stands outside of it.
    module: { rules: [{ test: /dist[\\/]loaded\.js$/, parser: { createRequire: false } }] },
  },
  (error, stats) => {
    if (error) throw error;
    if (!stats.hasErrors() && !stats.hasWarnings()) return;
    console.error(stats.toString({ preset: 'errors-warnings' }));
    process.exitCode = 1;
  },
);
