/**
 * The logger that applies unless an application gives its own.
 * Invariant: it writes warnings and errors only, one JSON object a line, to standard error.
 */
import type { Logger } from '../contract/context';

/** Fields that JSON cannot carry are left out: a line of log must not fail the call that it is about. */
function toLine(head: object, fields: object): string {
  try {
    return JSON.stringify({ ...head, ...fields });
  } catch {
    return JSON.stringify({ ...head, fields: 'not JSON' });
  }
}

function write(level: string, fields: object, message: string | undefined): void {
  console.error(toLine({ level, time: new Date().toISOString(), msg: message }, fields));
}

/** Logs warnings and errors to standard error. */
export const consoleLogger: Logger = Object.freeze({
  debug: () => {},
  info: () => {},
  warn: (fields: object, message?: string) => write('warn', fields, message),
  error: (fields: object, message?: string) => write('error', fields, message),
});
