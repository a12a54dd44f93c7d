/**
 * Compiles the child into one file, which starts in half the time; each run starts a process.
 * Invariant: it is compiled from the sources that the package is built from.
 */
import { buildSync } from 'esbuild';

/** Compiles the child and gives its file. */
export function bundleChild(outfile: string): string {
  buildSync({
    entryPoints: ['test/crash/child.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Native, or never there.
    external: ['libsql', 'pg-native'],
    alias: {
      toolcrib: './src/index.ts',
      'toolcrib/stores/postgres': './src/stores/postgres/index.ts',
      'toolcrib/stores/sqlite': './src/stores/sqlite/index.ts',
    },
    // Some packages are ES modules, which ask where they are.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    keepNames: true,
    logLevel: 'error',
  });
  return outfile;
}
