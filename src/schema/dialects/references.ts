/**
 * Follows the references of one document.
 * Invariant: it remembers where they led, so that definitions that nothing refers to are known.
 */
import { childPointer } from '../../contract/pointer';
import { isSchema, type JsonSchema } from '../../contract/schema';
import { follow, type Source } from './source';

/** The references of a document. */
export class References {
  private readonly reached = new Set<string>();

  constructor(private readonly root: JsonSchema) {}

  /** What a reference leads to; undefined where it leads nowhere, or out of the document. */
  follow(ref: string): Source | undefined {
    const target = follow(this.root, ref);
    if (target !== undefined) this.reached.add(target.at);
    return target;
  }

  /** What a reference leads to, without going there. */
  look(ref: string): Source | undefined {
    return follow(this.root, ref);
  }

  /** The places of definitions that nothing has led to so far. */
  unused(): readonly string[] {
    const { $defs } = this.root;
    const places = Object.keys(isSchema($defs) ? $defs : {}).map((name) => childPointer('/$defs', name));
    const reached = [...this.reached];
    return places.filter((at) => !reached.some((one) => one === at || one.startsWith(`${at}/`)));
  }
}
