/**
 * Finds what every `$ref` and `$dynamicRef` of an imported schema leads to, inside the same document.
 * Invariant: nothing is ever fetched; a reference that leads out of the document is a problem.
 */
import { childPointer } from '../../contract/pointer';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { DeclarationProblem } from '../../errors/declaration-error';
import { type Draft, draftOf, subschemasOf } from './dialect';
import { cutText, MAX_PROBLEMS, schemaProblem } from './problem';

/** Stands for the address of a document that does not name its own. */
const NO_ADDRESS = 'schema:///';

interface Location {
  readonly base: string;
  readonly parent: JsonSchema | undefined;
  readonly tokens: readonly string[];
}

function resolveUri(reference: string, base: string): URL | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base) : undefined;
}

function withoutFragment(uri: URL): string {
  return uri.href.replace(/#.*$/s, '');
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** The address with its fragment as it is meant, not as it is escaped. */
function nameOf(uri: URL): string {
  return `${withoutFragment(uri)}#${decode(uri.hash.slice(1)) ?? ''}`;
}

function tokensOf(fragment: string): readonly string[] {
  const escaped = fragment.split('/').slice(1);
  return escaped.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(root: JsonSchema, tokens: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const token of tokens) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, token)) return undefined;
    at = isSchema(at) ? at[token] : at[Number(token)];
  }
  return at;
}

/** The references of one document. */
export class References {
  /** What `$ref` leads to, by the schema that has it. */
  readonly fixed = new Map<JsonSchema, JsonValue>();
  /** What `$dynamicRef` leads to, by the schema that has it. */
  readonly dynamic = new Map<JsonSchema, JsonValue>();
  /** What references lead to, each once, in the order of its first reference. */
  readonly targets = new Set<JsonValue>();
  /** Targets in places that the draft does not read as schemas. */
  readonly unread: JsonSchema[] = [];
  readonly problems: DeclarationProblem[] = [];
  private readonly locations = new Map<JsonSchema, Location>();
  private readonly resources = new Map<string, JsonSchema>();
  private readonly anchors = new Map<string, JsonSchema>();
  private readonly dynamicAnchors = new Map<string, number>();

  constructor(
    root: JsonSchema,
    private readonly draft: Draft,
  ) {
    this.resources.set(NO_ADDRESS, root);
    this.index(root, { base: NO_ADDRESS, parent: undefined, tokens: [] });
    // A map gives also what is put into it meanwhile: targets that were not read so far.
    for (const [schema, { base }] of this.locations) {
      this.resolve(schema, base, '$ref', this.fixed);
      if (draft === '2020-12') this.resolve(schema, base, '$dynamicRef', this.dynamic);
    }
  }

  /** All schemas of the document. */
  schemas(): readonly JsonSchema[] {
    return [...this.locations.keys()];
  }

  /** The place of a schema in the document, as a JSON Pointer. */
  pointerOf(schema: JsonSchema): string {
    const location = this.locations.get(schema);
    if (location?.parent === undefined) return '';
    return location.tokens.reduce(childPointer, this.pointerOf(location.parent));
  }

  private index(schema: JsonSchema, location: Location): void {
    this.locations.set(schema, location);
    const base = this.name(schema, location.base);
    this.locations.set(schema, { ...location, base });
    if (draftOf(schema) !== this.draft && schema.$schema !== undefined) {
      this.refuse(schema, 'an embedded schema is of another draft', 'write all of the document in one draft');
    }
    for (const { tokens, value } of subschemasOf(schema, this.draft)) {
      if (isSchema(value)) this.index(value, { base, parent: schema, tokens });
    }
  }

  /** Notes the names that a schema gives itself; its address is what it holds is read against. */
  private name(schema: JsonSchema, outer: string): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    let base = outer;
    const isRead = this.draft !== '7' || schema.$ref === undefined;
    if (typeof $id === 'string' && isRead) {
      const uri = resolveUri($id, outer);
      if (uri === undefined) this.refuse(schema, '$id is not an address', 'write a URI');
      else if (this.draft === '7' && uri.hash !== '') this.note(this.anchors, nameOf(uri), schema);
      else {
        base = withoutFragment(uri);
        this.note(this.resources, base, schema);
      }
    }
    if (this.draft === '7') return base;
    const names = new Set([$anchor, $dynamicAnchor].filter((name) => typeof name === 'string'));
    for (const name of names) this.note(this.anchors, `${base}#${name}`, schema);
    if (typeof $dynamicAnchor === 'string') {
      this.dynamicAnchors.set($dynamicAnchor, (this.dynamicAnchors.get($dynamicAnchor) ?? 0) + 1);
    }
    return base;
  }

  private note(names: Map<string, JsonSchema>, name: string, schema: JsonSchema): void {
    if (names.has(name)) {
      this.refuse(schema, `the name ${cutText(name)} is given twice`, 'give each schema a name of its own');
    }
    names.set(name, schema);
  }

  private refuse(schema: JsonSchema, message: string, mend: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    this.problems.push(schemaProblem(this.pointerOf(schema), message, mend));
  }

  private resolve(
    schema: JsonSchema,
    base: string,
    keyword: '$ref' | '$dynamicRef',
    into: Map<JsonSchema, JsonValue>,
  ): void {
    const reference = schema[keyword];
    if (typeof reference !== 'string') return;
    const target = this.find(reference, base);
    if (!isSchema(target) && typeof target !== 'boolean') {
      const message = `${keyword} ${cutText(reference)} leads to no schema in this document`;
      this.refuse(schema, message, 'put what it names into the document; nothing is fetched');
      return;
    }
    const anchor = reference.slice(reference.indexOf('#') + 1);
    if (keyword === '$dynamicRef' && (this.dynamicAnchors.get(anchor) ?? 0) > 1) {
      const message = `${keyword} ${cutText(reference)} depends on the way by which it is reached`;
      this.refuse(schema, message, 'declare the $dynamicAnchor once, or write $ref');
      return;
    }
    into.set(schema, target);
    this.targets.add(target);
  }

  private find(reference: string, base: string): JsonValue | undefined {
    const uri = resolveUri(reference, base);
    if (uri === undefined) return undefined;
    const root = this.resources.get(withoutFragment(uri));
    const fragment = decode(uri.hash.slice(1));
    if (root === undefined || fragment === undefined) return undefined;
    if (fragment === '') return root;
    if (!fragment.startsWith('/')) return this.anchors.get(nameOf(uri));
    const tokens = tokensOf(fragment);
    const target = follow(root, tokens);
    if (isSchema(target) && !this.locations.has(target)) {
      this.unread.push(target);
      const rootBase = this.locations.get(root)?.base ?? base;
      this.index(target, { base: rootBase, parent: root, tokens });
    }
    return target;
  }
}
