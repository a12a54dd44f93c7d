/**
 * The check of one value by a schema, step by step.
 * Invariant: a schema that fails evaluates nothing for others, and there are never more than a bounded number of
 * errors.
 */
import { childPointer } from '../../contract/pointer';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { SchemaError } from '../compiled-schema';
import { type Listed, ownOf, typeOf } from './assertions';

/** From so many errors on, each schema ends at its first. */
const MANY_ERRORS = 10_000;

/** Where a value is; its pointer is written when an error needs it. */
export class Place {
  private written: string | undefined;

  constructor(
    private readonly parent?: Place,
    private readonly key: string | number = '',
  ) {}

  get pointer(): string {
    this.written ??= this.parent === undefined ? '' : childPointer(this.parent.pointer, this.key);
    return this.written;
  }
}

/** Which members or elements of one value the schemas have evaluated. */
export class Evaluated {
  all = false;
  private keys = new Set<string | number>();

  add(key: string | number): void {
    this.keys.add(key);
  }

  has(key: string | number): boolean {
    return this.all || this.keys.has(key);
  }

  addAll(other: Evaluated): void {
    this.all ||= other.all;
    const [few, many] = this.keys.size < other.keys.size ? [this.keys, other.keys] : [other.keys, this.keys];
    for (const key of few) many.add(key);
    this.keys = many;
  }
}

/** A schema and the value that it applies to. */
export interface At {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly place: Place;
  /** Kept where somebody asks what was evaluated. */
  readonly evaluated: Evaluated | undefined;
}

/** A keyword's check; what it finds wrong it reports to the run. */
export type Check = (run: Run, stated: JsonValue | undefined, at: At) => boolean;

/** What is found out about a schema once. */
export class Prepared {
  private readonly checks = new Map<JsonSchema, readonly Listed<Check>[]>();
  private readonly targets = new Map<string, JsonValue>();
  private readonly patterns = new Map<string, RegExp>();

  constructor(
    private readonly root: JsonSchema,
    private readonly all: readonly Listed<Check>[],
  ) {}

  checksOf(schema: JsonSchema): readonly Listed<Check>[] {
    const known = this.checks.get(schema);
    if (known !== undefined) return known;
    const found = this.all.filter(([keyword]) => Object.hasOwn(schema, keyword));
    this.checks.set(schema, found);
    return found;
  }

  /** What a reference leads to, which is a JSON Pointer written as a URI fragment. */
  targetOf(reference: string): JsonValue | undefined {
    const known = this.targets.get(reference);
    if (known !== undefined) return known;
    const tokens = reference.split('/').slice(1);
    const names = tokens.map((token) =>
      decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const target = names.reduce<JsonValue | undefined>((holder, name) => {
      if (Array.isArray(holder)) return holder[Number(name)];
      return isSchema(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
    }, this.root);
    if (target === undefined) throw new Error(`nothing is at ${reference}`);
    this.targets.set(reference, target);
    return target;
  }

  isMatch(pattern: string, text: string): boolean {
    const regex = this.patterns.get(pattern) ?? new RegExp(pattern, 'u');
    this.patterns.set(pattern, regex);
    return regex.test(text);
  }
}

/** The check of one value. */
export class Run {
  readonly errors: SchemaError[] = [];
  private unheard: number;

  constructor(
    readonly prepared: Prepared,
    /** Whether errors are listed, or only the verdict matters. */
    lists: boolean,
  ) {
    this.unheard = lists ? 0 : 1;
  }

  /** Tells whether more errors are looked for after one is found. */
  get goesOn(): boolean {
    return this.unheard === 0 && this.errors.length < MANY_ERRORS;
  }

  report({ schema, value, place }: At, keyword: string, params: SchemaError['params']): false {
    if (this.unheard === 0) {
      this.errors.push({ keyword, instancePath: place.pointer, params, parentSchema: schema, data: value });
    }
    return false;
  }

  /** Applies a schema to a value. */
  apply(schema: JsonValue | undefined, value: unknown, place: Place, evaluated?: Evaluated): boolean {
    if (schema === false) {
      if (this.unheard === 0)
        this.errors.push({ keyword: 'false schema', instancePath: place.pointer, params: {}, data: value });
      return false;
    }
    if (!isSchema(schema)) return true;
    const asks = Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems');
    // What stands beside a schema evaluates nothing for it.
    const own = asks ? new Evaluated() : evaluated;
    const at = { schema, value, place, evaluated: own };
    const type = typeOf(value);
    let holds = true;
    for (const [keyword, of, check] of this.prepared.checksOf(schema)) {
      if ((of !== undefined && of !== type) || check(this, schema[keyword], at)) continue;
      holds = false;
      if (!this.goesOn) break;
    }
    if (asks && own !== undefined) evaluated?.addAll(own);
    return holds;
  }

  /** Applies a schema to the value at hand; what it evaluates counts, since it must hold. */
  inPlace(schema: JsonValue | undefined, { value, place, evaluated }: At): boolean {
    return this.apply(schema, value, place, evaluated);
  }

  /** Applies a schema to a member or an element. */
  inside(schema: JsonValue | undefined, { value, place }: At, key: string | number): boolean {
    return this.apply(schema, ownOf(value, key), new Place(place, key));
  }

  /** Applies a schema whose errors are none of the value's. */
  tells(schema: JsonValue | undefined, value: unknown, place: Place, evaluated?: Evaluated): boolean {
    this.unheard += 1;
    const holds = this.apply(schema, value, place, evaluated);
    this.unheard -= 1;
    return holds;
  }

  /** Applies schemas to their keys, all of them unless one that fails ends it. */
  each<Key>(keys: Iterable<Key>, check: (key: Key) => boolean): boolean {
    let holds = true;
    for (const key of keys) {
      if (check(key)) continue;
      holds = false;
      if (!this.goesOn) break;
    }
    return holds;
  }

  /** Applies alternatives, of which one must hold, or exactly one; the errors of those that fail count if none does. */
  alternatives(keyword: 'anyOf' | 'oneOf', stated: JsonValue | undefined, at: At): boolean {
    const before = this.errors.length;
    const others: Evaluated[] = [];
    let passed = 0;
    for (const branch of Array.isArray(stated) ? stated : []) {
      const evaluated = at.evaluated === undefined ? undefined : new Evaluated();
      const holds = this.apply(branch, at.value, at.place, evaluated);
      if (evaluated !== undefined) holds ? at.evaluated?.addAll(evaluated) : others.push(evaluated);
      if (!holds) continue;
      passed += 1;
      if (keyword === 'oneOf' ? passed > 1 : at.evaluated === undefined) break;
    }
    if (keyword === 'oneOf' ? passed === 1 : passed > 0) {
      this.errors.length = before;
      return true;
    }
    // Or a member that a branch knows would be called unknown because another member of it is wrong.
    for (const evaluated of others) at.evaluated?.addAll(evaluated);
    return this.report(at, keyword, {});
  }
}
