/**
 * How text and values are kept in a column.
 * Invariant: what is read is what was written, for every string: NUL and lone surrogates are escaped as in JSON.
 */

/** Writes a string so that every database takes it; plain strings stay as they are. */
export function toColumn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reads what {@link toColumn} wrote. */
export function fromColumn(column: string): string {
  return JSON.parse(`"${column}"`);
}

/** Writes an optional value as JSON. */
export function toJsonColumn(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
