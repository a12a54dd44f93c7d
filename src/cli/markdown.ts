/**
 * How text is put into Markdown (GitHub's).
 * Invariant: no text of a tool or a file can change the structure of the page that it stands in.
 */
import { oneLine } from './text';

/** Writes text that Markdown (GitHub's) shows as it is. */
export function shown(text: string): string {
  return oneLine(text).replace(/[\\`*[\]<>|#&~]/g, (sign) => `\\${sign}`);
}

/** Writes a code span that holds its text, backticks and bars included. */
export function code(text: string): string {
  const line = oneLine(text);
  // GitHub ends a table's cell at a bar that follows two backslashes, in a code span too.
  if (line.includes('\\|'))
    return `<code>${line.replace(/[^\w ]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = runs.length === 0 ? '' : ' ';
  return `${fence}${pad}${line.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Writes rows of cells that are Markdown already. */
export function toRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
