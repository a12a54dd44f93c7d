/**
 * Projects a schema into a dialect, node by node.
 * Invariant: a projection admits all that the schema admits; what it gives up is noted, and what it cannot
 * carry is refused.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { annotationsOf, textOf } from './annotations';
import { type Conjunction, conjoin, isOfType, TYPES, typeOf, type Union } from './conjunction';
import { Ledger } from './ledger';
import { isOnlyNull, type Projected, pushInto, restorerOf, withText } from './node';
import { type Projection, projectObject } from './objects';
import type { Restorer } from './restore';
import type { DialectRules } from './rules';
import { projectRest, projectValues, toWords } from './scalars';
import {
  ANNOTATIONS,
  follow,
  keyOf,
  listedSources,
  referenceIn,
  type Source,
  type Stated,
  without,
} from './source';

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
  private count = 0;

  constructor(
    readonly root: JsonSchema,
    readonly rules: DialectRules,
  ) {}

  /** Projects the whole. */
  projectRoot(): Projected {
    const source = { schema: this.root, at: '' };
    for (const keyword of ['$schema', '$id'].filter((one) => one in this.root)) {
      this.ledger.note('', keyword, 'dropped');
    }
    const { schema, restorer } = this.body([source], true) ?? this.refuse('', 'no arguments satisfy it');
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
    const target = follow(this.root, ref);
    if (target === undefined) return this.refuse(at, `the reference ${ref} leads nowhere in it`);
    if (!isAlone) this.ledger.note(at, '$ref', 'inlined');
    const definition = this.define(isAlone ? [target] : bare, ref, isAlone);
    const words: string[] = [];
    const text = textOf(annotations, words, this);
    if (Object.keys(text).length > 0) this.ledger.note(at, '$ref', 'rewritten', 'anyOf');
    return {
      schema: withText({ $ref: `#/$defs/${definition.name}` }, text),
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
    const made = this.body(sources, false);
    this.open.delete(key);
    return made;
  }

  /** Spreads references and `allOf` out into sources that have neither. */
  private flatten(sources: readonly Source[], seen = new Set<string>()): readonly Source[] {
    return sources.flatMap((source) => {
      const { schema, at } = source;
      if (!isSchema(schema) || seen.has(keyOf([source]))) return isSchema(schema) ? [] : [source];
      seen.add(keyOf([source]));
      const parts = listedSources(source, 'allOf');
      if (parts.length > 0) this.ledger.note(at, 'allOf', 'rewritten');
      const flat = without(source, (keyword) => keyword === 'allOf' || keyword === '$ref');
      const target = typeof schema.$ref === 'string' ? follow(this.root, schema.$ref) : undefined;
      if (typeof schema.$ref === 'string') {
        if (target === undefined) this.refuse(at, `the reference ${schema.$ref} leads nowhere in it`);
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
    const { unions, lengths } = this.takeLengths(found.unions);
    const all = { ...found, rest: [...found.rest, ...lengths] };
    const [union, ...others] = isRoot ? [undefined, ...unions] : unions;
    for (const one of others) if (one !== undefined) this.unionToWords(one, words);
    if (union !== undefined) return this.union(flat, union, all, words);
    return this.plain(all, at, words, isRoot);
  }

  /** A maximum length in code points, and the pattern that lets more units of text pass, are a maximum length. */
  private takeLengths(unions: readonly Union[]): { unions: readonly Union[]; lengths: readonly Stated[] } {
    const lengths = unions.map(({ keyword, at, branches }): Stated | undefined => {
      const [first, second] = branches.map(({ schema }) => (isSchema(schema) ? schema : {}));
      if (branches.length !== 2 || keyword !== 'anyOf') return undefined;
      if (Object.keys({ ...first }).join() !== 'maxLength' || Object.keys({ ...second }).join() !== 'pattern')
        return undefined;
      this.ledger.note(at, keyword, 'narrowed', `maxLength: ${first?.maxLength}`);
      return { keyword: 'maxLength', value: first?.maxLength ?? null, at };
    });
    return {
      unions: unions.filter((_, index) => lengths[index] === undefined),
      lengths: lengths.filter((one) => one !== undefined),
    };
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
    if (keyword === 'oneOf') this.ledger.note(at, 'oneOf', 'rewritten', 'anyOf');
    if (beside.length > 0) this.ledger.note(at, keyword, 'rewritten');
    return this.assemble(made, all.annotations, words, at);
  }

  /** Projects what has no union of its own; a list of types is split where the dialect wants it. */
  private plain(all: Conjunction, at: string, words: string[], isRoot: boolean): Projected | undefined {
    const types = this.typesOf(all, at);
    if (types === undefined) {
      return this.refuse(at, 'it takes any JSON value, which the dialect cannot say');
    }
    if (types.length === 0) return undefined;
    const groups = this.split(types, all);
    if (groups.length > 1) this.ledger.note(at, 'type', 'rewritten', 'anyOf');
    const made = groups.flatMap((group) => this.node(all, group, at, words, isRoot) ?? []);
    return made.length === 0 ? undefined : this.assemble(made, all.annotations, words, at);
  }

  private typesOf({ types, values }: Conjunction, at: string): readonly string[] | undefined {
    if (values !== undefined) {
      const own = types === undefined ? [...new Set(values.map(typeOf))] : [...types];
      return own.filter((type) => values.some((value) => isOfType(value, type)));
    }
    if (types !== undefined) return [...types];
    if (!this.rules.hasAnything) return undefined;
    this.ledger.note(at, 'type', 'rewritten', TYPES.join(', '));
    return TYPES;
  }

  private split(types: readonly string[], all: Conjunction): readonly (readonly string[])[] {
    if (!this.rules.hasTypeUnions) return types.map((type) => [type]);
    const isShaped =
      all.properties.size > 0 || all.items.length > 0 || all.additional.length > 0 || all.isClosed;
    const isHolder = (type: string) => type === 'object' || type === 'array';
    if (types.length === 1 || !types.some(isHolder) || !isShaped) return [types];
    const scalars = types.filter((type) => !isHolder(type));
    return [...(scalars.length === 0 ? [] : [scalars]), ...types.filter(isHolder).map((type) => [type])];
  }

  private node(
    all: Conjunction,
    types: readonly string[],
    at: string,
    words: string[],
    isRoot: boolean,
  ): Projected | undefined {
    const { rules, ledger } = this;
    const type: JsonValue = types.length === 1 ? (types[0] ?? '') : types;
    const isConst = all.values?.length === 1 && types.length === 1;
    const values = projectValues(all, types, at, { rules, ledger, words, isConst });
    const rest = projectRest(all.rest, types, { rules, ledger, words, isRoot });
    const schema = { type, ...values, ...rest };
    if (types.includes('object')) return projectObject(all, schema, { at, words, isRoot }, this);
    return types.includes('array') ? this.list(all, schema, at, words) : { schema };
  }

  private list(all: Conjunction, schema: JsonSchema, at: string, words: string[]): Projected | undefined {
    const isTuple = all.rest.some(({ keyword }) => keyword === 'prefixItems');
    if (all.items.length === 0 || isTuple) {
      if (!this.rules.hasAnything) {
        return this.refuse(
          at,
          isTuple ? 'its items differ by their place' : 'its items may be any JSON value',
        );
      }
      // The rule for the items after a tuple does not hold for those in it.
      for (const one of all.items)
        if (isTuple) toWords({ keyword: 'items', value: one.schema, at }, this.ledger, words);
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
