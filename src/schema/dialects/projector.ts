/**
 * Projects a schema into a dialect, node by node.
 * Invariant: a projection admits all that the schema admits; what it gives up is noted, and what it cannot
 * carry is refused.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { noteExclusive } from './absence';
import { annotationsOf, textOf } from './annotations';
import { type Conjunction, conjoin, type Union } from './conjunction';
import { readDraft7 } from './draft7';
import { takeHints } from './hints';
import { judgeIdentity, leadsNowhere } from './identity';
import { Ledger } from './ledger';
import { takeLengths } from './lengths';
import { isOnlyNull, type Projected, pushInto, restorerOf, withText } from './node';
import { type Place, type Projection, projectObject } from './objects';
import { References } from './references';
import type { Restorer } from './restore';
import type { DialectRules } from './rules';
import { projectRest, projectValues, toWords } from './scalars';
import { ANNOTATIONS, keyOf, listedSources, referenceIn, type Source, type Stated, without } from './source';
import { splitTypes, TYPES, typesOf } from './types';
import { readsUndone } from './undone';

const MAX_NODES = 10_000;

interface Definition {
  readonly name: string;
  schema: JsonSchema;
  restorer: Restorer | undefined;
}

/** Projects one document. */
export class Projector implements Projection {
  readonly ledger = new Ledger();
  private readonly definitions = new Map<string, Definition>();
  private readonly open = new Set<string>();
  private readonly references: References;
  private count = 0;
  readonly root: JsonSchema;

  constructor(
    given: JsonSchema,
    readonly rules: DialectRules,
  ) {
    this.root = readDraft7(given, this.ledger);
    this.references = new References(this.root);
  }

  /** Projects the whole. */
  projectRoot(): Projected {
    const source = { schema: this.root, at: '' };
    for (const keyword of ['$schema', '$id'].filter((one) => one in this.root)) {
      this.ledger.note('', keyword, 'dropped');
    }
    const { schema, restorer } = this.body([source], true) ?? this.refuse('', 'no arguments satisfy it');
    for (const at of this.references.unused()) this.ledger.note(at, '$defs', 'dropped');
    if (schema.type !== 'object') this.refuse('', 'its root is not of the one type object');
    const definitions = [...this.definitions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const $defs = Object.fromEntries(definitions.map((one) => [one.name, one.schema]));
    return { schema: definitions.length === 0 ? schema : { ...schema, $defs }, restorer };
  }

  refuse(at: string, reason: string): Projected {
    this.ledger.refuse(at, reason);
    return { schema: {} };
  }

  /** Undefined where no value satisfies the sources. */
  project(sources: readonly Source[]): Projected | undefined {
    this.count += 1;
    if (this.count > MAX_NODES) return this.refuse('', `it has more than ${MAX_NODES} nodes when spread out`);
    const found = referenceIn(sources);
    if (found === undefined) return this.body(sources, false);
    return this.rules.hasReferences ? this.refer(sources, found) : this.inline(sources, found.at);
  }

  private refer(sources: readonly Source[], { ref, at }: { ref: string; at: string }): Projected {
    const annotations = sources.flatMap(annotationsOf);
    const bare = sources.flatMap((source) => without(source, (keyword) => ANNOTATIONS.has(keyword)) ?? []);
    const [only] = bare;
    const isAlone = bare.length === 1 && isSchema(only?.schema) && Object.keys(only.schema).join() === '$ref';
    const target = this.references.follow(ref);
    if (target === undefined) return this.refuse(at, leadsNowhere(ref));
    const definition = this.define(isAlone ? [target] : bare, ref, isAlone);
    const own = `#/$defs/${definition.name}`;
    if (!isAlone) this.ledger.note(at, '$ref', 'inlined');
    else if (own !== ref) this.ledger.note(at, '$ref', 'rewritten', own);
    // Who reads of a refused definition asks which property needs it.
    if (this.ledger.isRefused(target.at) && !at.startsWith(`${target.at}/`)) {
      this.refuse(at, `it refers to ${ref}, which the dialect cannot carry`);
    }
    const words: string[] = [];
    const text = textOf(annotations, words, this);
    if (Object.keys(text).length > 0) this.ledger.note(at, '$ref', 'rewritten', 'anyOf');
    return {
      schema: withText({ $ref: own }, text),
      restorer: { kind: 'link', definition },
    };
  }

  private define(sources: readonly Source[], ref: string, isAlone: boolean): Definition {
    const key = keyOf(sources);
    const known = this.definitions.get(key);
    if (known !== undefined) return known;
    const definition: Definition = { name: this.takeName(ref, isAlone), schema: {}, restorer: undefined };
    this.definitions.set(key, definition);
    const at = sources[0]?.at ?? '';
    const made = this.body(sources, false) ?? this.refuse(at, 'nothing satisfies it');
    definition.schema = made.schema;
    definition.restorer = made.restorer;
    return definition;
  }

  /** A definition keeps its name; what is made of one and more gets a name of its own. */
  private takeName(ref: string, isAlone: boolean): string {
    const wanted =
      ref
        .split('/')
        .at(-1)
        ?.replace(/[^A-Za-z0-9_]/g, '_') || 'Root';
    const own = isSchema(this.root.$defs) ? Object.keys(this.root.$defs) : [];
    const taken = new Set([...this.definitions.values()].map(({ name }) => name));
    if (isAlone && ref === `#/$defs/${wanted}`) return wanted;
    let name = wanted;
    for (let count = 2; taken.has(name) || own.includes(name); count += 1) name = `${wanted}_${count}`;
    return name;
  }

  private inline(sources: readonly Source[], at: string): Projected | undefined {
    const key = keyOf(sources);
    if (this.open.has(key)) return this.refuse(at, 'it refers to itself, and the dialect has no references');
    this.open.add(key);
    const before = this.ledger.refusals.length;
    const made = this.body(sources, false);
    this.open.delete(key);
    // Who reads of a refused definition asks which place leads to it.
    if (this.open.size === 0 && this.ledger.refusals.length > before) {
      this.refuse(at, 'it refers to what the dialect cannot carry');
    }
    return made;
  }

  /** Spreads references and `allOf` out into sources that have neither. */
  private flatten(sources: readonly Source[], seen = new Set<string>()): readonly Source[] {
    return sources.flatMap((source) => {
      const { schema, at } = source;
      if (!isSchema(schema) || seen.has(keyOf([source]))) return isSchema(schema) ? [] : [source];
      seen.add(keyOf([source]));
      judgeIdentity(schema, at, this.ledger);
      const parts = listedSources(source, 'allOf');
      if (parts.length > 0) this.ledger.note(at, 'allOf', 'rewritten');
      const flat = without(source, (keyword) => keyword === 'allOf' || keyword === '$ref');
      const target = typeof schema.$ref === 'string' ? this.references.follow(schema.$ref) : undefined;
      if (typeof schema.$ref === 'string') {
        if (target === undefined) this.refuse(at, leadsNowhere(schema.$ref));
        else if (!this.rules.hasReferences || Object.keys(schema).length > 1)
          this.ledger.note(at, '$ref', 'inlined');
      }
      const further = [...(target === undefined ? [] : [target]), ...parts];
      return [...(flat === undefined ? [] : [flat]), ...this.flatten(further, seen)];
    });
  }

  private body(sources: readonly Source[], isRoot: boolean): Projected | undefined {
    const flat = this.flatten(sources);
    if (flat.some(({ schema }) => schema === false)) return undefined;
    const found = conjoin(flat);
    const at = sources[0]?.at ?? '';
    const words: string[] = [];
    const { unions: given, lengths } = takeLengths(found.unions, this.ledger);
    const unions = this.rules.hasAnything ? given : takeHints(given, this.references, this.ledger);
    const all = { ...found, rest: [...found.rest, ...lengths] };
    const [union, ...others] = isRoot ? [undefined, ...unions] : unions;
    for (const one of others) if (one !== undefined) this.unionToWords(one, words);
    if (union !== undefined) return this.union(flat, union, all, words);
    return this.plain(all, at, words, isRoot);
  }

  private unionToWords({ keyword, at, branches }: Union, words: string[]): void {
    const value: JsonValue = branches.map(({ schema }) => schema);
    toWords({ keyword, value, at }, this.ledger, words);
  }

  private union(
    flat: readonly Source[],
    union: Union,
    all: Conjunction,
    words: string[],
  ): Projected | undefined {
    const { keyword, at, branches } = union;
    // What the other unions say is said once, in words above the branches.
    const isSpent = (one: string) => ANNOTATIONS.has(one) || one === 'anyOf' || one === 'oneOf';
    const beside = flat.flatMap((source) => without(source, isSpent) ?? []);
    const lengths = all.rest
      .filter((one) => one.keyword === 'maxLength')
      .map((one): Source => ({ schema: { maxLength: one.value }, at: one.at }));
    const made = branches.flatMap((branch) => this.project([...beside, ...lengths, branch]) ?? []);
    if (made.length === 0) return undefined;
    if (keyword === 'oneOf' && this.rules.requiresAll) {
      const alone = branches.map((branch) => conjoin(this.flatten([...beside, branch])));
      noteExclusive(alone, this.root, this.ledger);
    }
    if (keyword === 'oneOf') this.ledger.note(at, 'oneOf', 'rewritten', 'anyOf');
    else if (beside.length > 0) this.ledger.note(at, keyword, 'rewritten');
    return this.assemble(made, all.annotations, words, at);
  }

  /** Projects what has no union of its own; a list of types is split where the dialect wants it. */
  private plain(all: Conjunction, at: string, words: string[], isRoot: boolean): Projected | undefined {
    const types = typesOf(all);
    if (types === undefined && !this.rules.hasAnything) return this.refuse(at, 'it takes any JSON value');
    if (all.types === undefined) this.ledger.note(at, 'type', 'rewritten', (types ?? TYPES).join(', '));
    if (types?.length === 0) return undefined;
    const groups = splitTypes(types ?? TYPES, all, this.rules);
    const isSplit = groups.filter((group) => this.rules.hasTypeUnions || group[0] !== 'null').length > 1;
    if (isSplit) this.ledger.note(all.placeOf('type') ?? at, 'type', 'rewritten', 'anyOf');
    const made = groups.flatMap((group) => this.node(all, group, at, isRoot) ?? []);
    return made.length === 0 ? undefined : this.assemble(made, all.annotations, words, at);
  }

  private node(
    all: Conjunction,
    types: readonly string[],
    at: string,
    isRoot: boolean,
  ): Projected | undefined {
    const words: string[] = [];
    const place = { at, words, isRoot };
    const type: JsonValue = types.length === 1 ? (types[0] ?? '') : types;
    const made = this.holder(all, types, { type }, place);
    if (made === undefined) return undefined;
    const { schema, restorer } = made;
    const isUndone = restorer !== undefined;
    const values = projectValues(all, types, { ...place, isUndone }, this);
    const isMoved = (one: Stated) => readsUndone(one, restorer);
    for (const one of all.rest.filter(isMoved)) toWords(one, this.ledger, words);
    const kept = all.rest.filter((one) => !isMoved(one));
    const rest = projectRest(kept, types, place, this);
    const text = textOf([], words, this);
    return { schema: withText({ type, ...values, ...rest, ...schema }, text), restorer };
  }

  private holder(
    all: Conjunction,
    types: readonly string[],
    schema: JsonSchema,
    place: Place,
  ): Projected | undefined {
    if (types.includes('object')) return projectObject(all, schema, place, this);
    return types.includes('array') ? this.list(all, schema, place) : { schema };
  }

  private list(all: Conjunction, schema: JsonSchema, { at, words }: Place): Projected | undefined {
    const isTuple = all.rest.some(({ keyword }) => keyword === 'prefixItems' || keyword === 'items');
    if (all.items.length === 0 || isTuple) {
      const reason = isTuple ? 'its items differ by their place' : 'its items may be any JSON value';
      if (!this.rules.hasAnything) return this.refuse(at, reason);
      // The rule for the items after a tuple does not hold for those in it.
      for (const one of all.items) toWords({ keyword: 'items', value: one.schema, at }, this.ledger, words);
      return { schema };
    }
    const items = this.project(all.items);
    if (items === undefined) return this.refuse(at, 'it takes no items');
    if (isOnlyNull(items.schema) && !this.rules.hasTypeUnions)
      return this.refuse(at, 'its items are null alone');
    const restorer: Restorer | undefined =
      items.restorer === undefined ? undefined : { kind: 'list', items: items.restorer };
    return { schema: { ...schema, items: items.schema }, restorer };
  }

  /** Puts nodes that stand for one value, and what is said of it, into one. */
  private assemble(
    made: readonly Projected[],
    annotations: readonly Stated[],
    words: string[],
    at: string,
  ): Projected {
    const text = textOf(annotations, words, this);
    const restorer = restorerOf(made);
    const [first, ...more] = made;
    if (first === undefined) return this.refuse(at, 'nothing satisfies it');
    if (this.rules.hasTypeUnions) {
      if (more.length === 0) return { schema: withText(first.schema, text), restorer };
      return { schema: { anyOf: made.map(({ schema }) => schema), ...text }, restorer };
    }
    const others = made.map(({ schema }) => schema).filter((schema) => !isOnlyNull(schema));
    const isNullable = others.length < made.length;
    if (isNullable && others.length > 0) this.ledger.note(at, 'type', 'rewritten', 'nullable: true');
    const [only, ...several] = others;
    if (only === undefined) return { schema: withText({ type: 'null' }, text), restorer };
    const whole = several.length === 0 ? only : { anyOf: others };
    if (several.length > 0 && Object.keys(text).length > 0) {
      this.ledger.note(at, 'description', 'rewritten', 'in each branch of anyOf');
    }
    return { schema: pushInto(whole, text, isNullable), restorer };
  }
}
