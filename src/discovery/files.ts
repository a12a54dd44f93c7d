/**
 * Finds and loads the files that patterns name.
 * Invariant: declarations, maps, tests and mocks are never loaded, a file is loaded once, and the order is
 * that of the paths.
 */
import { createRequire } from 'node:module';
import { extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { glob } from 'tinyglobby';
import type { DeclarationProblem } from '../errors/declaration-error';
import { hasCode } from '../errors/reason';

const LOADABLE: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx']);
/** Declarations, tests, stories and mocks, and whatever is installed, wherever a pattern leads. */
const NEVER =
  /(?:^|\/)(?:node_modules|__tests__|__mocks__)\/|\.d\.[cm]?ts$|\.(?:test|spec|e2e-spec|stories)\.[^./]+$/;

/** The files of one pattern, in the order of their paths. */
export interface MatchedPattern {
  readonly pattern: string;
  readonly files: readonly string[];
}

async function match(pattern: string, cwd: string, excluded: readonly string[]): Promise<readonly string[]> {
  const ignore = ['**/node_modules/**', ...excluded];
  const matched = await glob(pattern, { cwd, absolute: true, ignore });
  const isTool = (file: string) =>
    LOADABLE.has(extname(file)) && !NEVER.test(relative(cwd, file).replaceAll('\\', '/'));
  return matched.filter(isTool).sort();
}

/** Finds the files of all patterns; a pattern that starts with `!` excludes. */
export async function matchPatterns(
  patterns: readonly string[],
  cwd: string,
): Promise<readonly MatchedPattern[]> {
  // A backslash separates, as on Windows, but before a bracket, which it takes by its word.
  const slashed = patterns.map((pattern) => pattern.replace(/\\(?![()[\]{}!])/g, '/'));
  const excluded = slashed.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const positive = [...new Set(slashed.filter((one) => !one.startsWith('!')))];
  return Promise.all(
    positive.map(async (pattern) => ({ pattern, files: await match(pattern, cwd, excluded) })),
  );
}

/** Says why a pattern that matches nothing may do so: a file of the other language may be meant. */
export async function unmatchedPattern(pattern: string, cwd: string): Promise<DeclarationProblem> {
  const other = pattern.replace(
    /\.([cm]?)([jt])s$/,
    (_, kind, letter) => `.${kind}${letter === 'j' ? 't' : 'j'}s`,
  );
  const isOther = other !== pattern && (await match(other, cwd, [])).length > 0;
  return {
    code: 'no_match',
    place: { file: pattern },
    message: `the pattern matches no loadable file under ${cwd}${isOther ? `, but ${other} does` : ''}`,
    mend: 'Correct the pattern, or give cwd; tests, mocks and declaration files never match.',
  };
}

/** Loads a file by `import()`; where a test runner has switched that off, by its `require`. */
export async function importFile(file: string): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ pathToFileURL(file).href);
  } catch (error) {
    if (hasCode(error, 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG')) return createRequire(file)(file);
    throw error;
  }
}
