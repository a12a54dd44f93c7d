/**
 * Tells the log under which host names the server was asked for and is not served.
 * Invariant: a name is logged once, and whoever sends names can fill neither the log nor the memory.
 */
import type { Logger } from '../contract/context';

const MAX_NAMES = 100;
const MAX_LENGTH = 128;

/** The host names that were refused. */
export class RefusedHosts {
  private readonly seen = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Notes what a request had in its `Host` header. */
  note(given: string): void {
    if (this.seen.size >= MAX_NAMES) return;
    const host = given.slice(0, MAX_LENGTH).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
    if (this.seen.has(host)) return;
    this.seen.add(host);
    this.logger.warn({ host }, 'a request for a host that is not served was refused; see allowedHosts');
  }
}
