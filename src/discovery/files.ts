/**
 * Finds and loads the files that patterns name.
 * Invariant: declarations, maps, tests and mocks are never loaded, a file is loaded once, and the order is
 * that of the paths.
 */
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { glob } from 'tinyglobby';
import type { DeclarationProblem } from '../errors/declaration-error';

const LOADABLE: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx']);
const NEVER = [
  '**/node_modules/**',
  '**/*.d.{ts,mts,cts}',
  '**/*.{test,spec,stories}.*',
  '**/{__tests__,__mocks__}/**',
];

/** Files, or what kept them from being found. */
export interface FoundFiles {
  readonly files: readonly string[];
  readonly problems: readonly DeclarationProblem[];
}

/** Finds the files of all patterns. */
export async function findFiles(patterns: readonly string[], cwd: string): Promise<FoundFiles> {
  const slashed = patterns.map((pattern) => pattern.replaceAll('\\', '/'));
  const excluded = slashed.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const found = new Set<string>();
  const problems: DeclarationProblem[] = [];
  for (const pattern of slashed.filter((one) => !one.startsWith('!'))) {
    const matched = await glob(pattern, { cwd, absolute: true, ignore: [...NEVER, ...excluded] });
    const files = matched.filter((file) => LOADABLE.has(extname(file)));
    for (const file of files) found.add(file);
    if (files.length > 0) continue;
    problems.push({
      code: 'no_match',
      place: { file: pattern },
      message: `the pattern matches no loadable file under ${cwd}`,
      mend: 'Correct the pattern, or give cwd; tests, mocks and declaration files never match.',
    });
  }
  return { files: [...found].sort(), problems };
}

/** Asks for the code alone: the error comes from outside the runner's realm, whose Error is another one. */
function isDynamicImportOff(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG'
  );
}

/** Loads a file by `import()`; where a test runner has switched that off, by its `require`. */
export async function importFile(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if (isDynamicImportOff(error)) return require(file);
    throw error;
  }
}
