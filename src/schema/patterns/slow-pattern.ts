/**
 * Which regular expressions can take more than linear time.
 * Invariant: the answer itself takes bounded time, and a regular expression that is not cleared is slow.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { analyse } from 'scslre';

const MAX_SOURCE = 2_000;

/**
 * Says why a regular expression can take more than linear time in the length of the text, in words that follow
 * "it"; undefined where it cannot, and where the source is no regular expression.
 */
export function slowPattern(source: string, flags: string): string | undefined {
  if (source.length > MAX_SOURCE) return `is longer than ${MAX_SOURCE} characters, too long to be checked`;
  const { reports } = analyse({ source, flags }, { maxReports: 1 });
  return reports[0]?.type;
}
