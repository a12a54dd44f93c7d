/**
 * How text is put into Markdown (GitHub's).
 * Invariant: no text of a tool or a file can change the structure of the page that it stands in.
 */
import { oneLine } from './text';

/** Writes a code span that holds its text, backticks and bars included. */
export function code(text: string): string {
  const line = oneLine(text);
  // GitHub ends a table's cell at a bar that follows two backslashes, in a code span too.
  if (line.includes('\\|'))
    return `<code>${line.replace(/[^A-Za-z0-9 ]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = runs.length === 0 ? '' : ' ';
  return `${fence}${pad}${line.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** What GitHub makes a link of by itself, an address without its `<>` or the name of a user, also where it is escaped. */
const LINKED = /www\.|:\/\/|(?:mailto|xmpp):|@[^@]*\p{L}|(?<![\p{L}\p{N}])@/iu;

function shownWord(word: string): string {
  if (LINKED.test(word)) {
    const end = /(?<![,.;:!?])[,.;:!?]*$/.exec(word)?.index ?? word.length;
    return `${code(word.slice(0, end))}${word.slice(end)}`;
  }
  // An underline between letters emphasises nothing, and names are full of them.
  return word.replace(/[\\`*[\]<>|#&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (sign) => `\\${sign}`);
}

/** Writes text that Markdown (GitHub's) shows as it is; what would become a link stands as code. */
export function shown(text: string): string {
  return oneLine(text).split(' ').map(shownWord).join(' ');
}

/** Writes rows of cells that are Markdown already. */
export function toRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
