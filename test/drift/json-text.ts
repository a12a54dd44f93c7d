/**
 * Writes values as JSON text, with what JSON.stringify would lose.
 * Invariant: JSON.parse gives back what was written: 1e400 for infinity, a sign on zero, `__proto__` as a key.
 */
import type { JsonValue } from 'toolcrib';

function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return value > 0 ? '1e400' : '-1e400';
}

/** Writes a value. */
export function jsonText(value: JsonValue): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join()}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}:${jsonText(one)}`)
    .join()}}`;
}
