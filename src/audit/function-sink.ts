/**
 * An audit trail that an application's own function writes.
 * Invariant: the function gets one record at a time, in the order of the chain, and none is given twice.
 */
import type { AuditEvent, AuditHead, AuditSink } from '../contract/audit';
import { chain, EMPTY_HEAD } from '../invocation/audit/chain';
import { isHead } from './files';

/** Writes a line, which comes without a line feed; where it throws or rejects, the line counts as not written. */
export type WriteLine = (line: string) => void | Promise<void>;

/** A sink that knows its head. */
export interface FunctionSink extends AuditSink {
  /** The last record that was written. */
  readonly head: AuditHead;
}

/** Makes a sink of a function that writes lines; `head` is that of the trail to go on with, left out: a new one. */
export function functionSink(
  write: WriteLine,
  { head: last = EMPTY_HEAD }: { readonly head?: AuditHead } = {},
): FunctionSink {
  if (typeof write !== 'function') throw new TypeError('functionSink: write is no function.');
  if (!isHead(last))
    throw new TypeError('functionSink: head is no head; give { sequence, hash } of a record.');
  let head = last;
  let writing: Promise<void> = Promise.resolve();
  const append = async (event: AuditEvent): Promise<void> => {
    const chained = chain(event, head);
    await write(chained.line);
    head = chained.head;
  };
  return {
    get head() {
      return head;
    },
    append(event) {
      const appending = writing.then(() => append(event));
      writing = appending.catch(() => {});
      return appending;
    },
    flush: () => writing,
  };
}
