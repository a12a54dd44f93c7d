/**
 * What a schema in a document may be called by, beside its place.
 * Invariant: only JSON Pointers from the root are followed; anchors and embedded ids that could lead elsewhere are
 * refused.
 */
import type { JsonSchema } from '../../contract/schema';
import type { Ledger } from './ledger';

/** The reason to refuse a reference that leads to no place in the document. */
export function leadsNowhere(ref: string): string {
  return `the reference ${ref} is no JSON Pointer to a schema in it; anchors and embedded ids are not carried`;
}

/** Refuses an id within the document and references that depend on the way to them; drops idle anchors. */
export function judgeIdentity(schema: JsonSchema, at: string, ledger: Ledger): void {
  for (const keyword of ['$anchor', '$dynamicAnchor'].filter((one) => one in schema)) {
    ledger.note(at, keyword, 'dropped');
  }
  if (at !== '' && '$id' in schema) ledger.refuse(at, 'it has $id, and embedded ids are not carried');
  else if ('$dynamicRef' in schema) ledger.refuse(at, 'it has $dynamicRef, and anchors are not carried');
}
