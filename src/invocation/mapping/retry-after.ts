/**
 * Reads how long a response asks to wait: Retry-After (RFC 9110, section 10.2.3).
 * Invariant: what comes out is a whole number of milliseconds from zero to one day, or undefined.
 */
import { read, readObject } from './read';

/** Nobody waits longer for a tool. */
const MAX_WAIT_MS = 86_400_000;
/** More header fields than a server of Node takes. */
const MAX_FIELDS = 2_000;
/** Any of the three forms of an HTTP date; the last one has no zone, and means GMT. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? [\w :-]{16,40}$/;

/** Reads one header of a `Headers`, of an AxiosHeaders or of a plain object. */
function headerOf(headers: object, name: string): unknown {
  try {
    const get = read(headers, 'get');
    const found: unknown = typeof get === 'function' ? get.call(headers, name) : undefined;
    if (found !== undefined && found !== null) return found;
    const key = Object.keys(headers)
      .slice(0, MAX_FIELDS)
      .find((one) => one.toLowerCase() === name);
    const value = key === undefined ? undefined : read(headers, key);
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}

/** Turns the value of Retry-After into milliseconds from `now`. */
function toWaitMs(value: unknown, now: number): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 64) return undefined;
  const trimmed = text.trim();
  const isDate = HTTP_DATE.test(trimmed);
  if (!isDate && !/^\d+$/.test(trimmed)) return undefined;
  const date = trimmed.endsWith('GMT') ? trimmed : `${trimmed} GMT`;
  const wait = isDate ? Date.parse(date) - now : Number(trimmed) * 1_000;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_WAIT_MS);
}

/** How long a response, or an error that carries one, asks to wait. */
export function retryAfterOf(thrown: object): number | undefined {
  const response = readObject(thrown, 'response');
  for (const holder of response === undefined ? [thrown] : [response, thrown]) {
    const headers = readObject(holder, 'headers');
    const wait = headers === undefined ? undefined : toWaitMs(headerOf(headers, 'retry-after'), Date.now());
    if (wait !== undefined) return wait;
  }
  return undefined;
}
