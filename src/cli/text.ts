/**
 * How results are written for people and for programs.
 * Invariant: no text of a tool, a file or an error can steer the terminal that it is written to.
 */
import { inCodes } from '../invocation/approval/words';

/** Control characters but for line feed and tab, and those that turn the direction of writing. */
const STEERING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Characters that do not show, or look like another: controls, formats, spaces but for the plain one, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{DI}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** In a JSON document line feeds are its layout: those of its texts are escaped already. */
const UNSEEN_IN_JSON = new RegExp(`(?!\\n)(?:${UNSEEN.source})`, 'gu');
/** Plain spaces that nobody sees: at an end, or beside each other. */
const UNSEEN_SPACES = /^ +| +$| {2,}/g;

/** Writes text with its steering characters escaped as JSON escapes them; line feeds and tabs stay. */
export function plain(text: string): string {
  return text.replace(STEERING, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes text on one line. */
export function oneLine(text: string): string {
  return plain(text.replace(/\s+/g, ' ').trim());
}

/** Writes texts on a line each; where one breaks, it says so as JSON does. */
export function toLines(texts: readonly string[]): string {
  return texts.map((text) => `${plain(text).replaceAll('\n', '\\n')}\n`).join('');
}

/** Writes rows in columns of equal width. */
export function toTable(rows: readonly (readonly string[])[], indent = ''): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${indent}${line.trimEnd()}\n`).join('');
}

/** Says that a list goes on. */
export function moreThan(limit: number): string {
  return `There are more than these ${limit}; --limit shows them.\n`;
}

/** Writes a value as a JSON document over several lines, in which texts hold nothing that is not seen. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(UNSEEN_IN_JSON, inCodes)}\n`;
}

/** Writes milliseconds since 1970 as an RFC 3339 time. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Writes a name so that two names that differ never look the same for a character that is not seen. */
export function visible(text: string): string {
  return text.replace(UNSEEN, inCodes).replace(UNSEEN_SPACES, inCodes);
}
