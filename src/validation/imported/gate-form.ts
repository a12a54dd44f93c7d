/**
 * Rewrites an imported schema to the form that the gate compiles: JSON Schema 2020-12 with the keywords of its
 * own draft that check something, and no others, each reference by the name of a definition.
 * Invariant: it accepts the same values; it holds no `$id`, no anchor, no annotation and nothing unknown.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { APPLICATORS, ASSERTIONS, type Draft, isByName } from './dialect';
import type { References } from './references';

/** A schema as the gate compiles it. */
export interface GateForm {
  readonly schema: JsonSchema;
  /** The definitions of the form with the schemas that they were made from. */
  readonly origins: ReadonlyMap<JsonSchema, JsonSchema>;
}

class Writer {
  private readonly names: ReadonlyMap<JsonValue, string>;

  constructor(
    private readonly root: JsonSchema,
    private readonly draft: Draft,
    private readonly references: References,
  ) {
    const named = [...references.targets].map((target, at) => [target, `#/$defs/${at}`] as const);
    this.names = new Map(named);
  }

  write(): GateForm {
    const origins = new Map<JsonSchema, JsonSchema>();
    const body = (target: JsonValue): JsonValue => {
      if (!isSchema(target)) return target;
      const written = this.body(target);
      origins.set(written, target);
      return written;
    };
    const $defs = Object.fromEntries([...this.names.keys()].map((target, at) => [String(at), body(target)]));
    const schema = this.names.has(this.root) ? this.reference(this.root) : body(this.root);
    const whole = isSchema(schema) ? schema : {};
    return { schema: this.names.size === 0 ? whole : { ...whole, $defs }, origins };
  }

  private reference(target: JsonValue): JsonSchema {
    return { $ref: this.names.get(target) ?? '#' };
  }

  /** Draft 7, section 8.3: what stands beside a $ref is ignored. */
  private isReference(schema: JsonSchema): boolean {
    return this.draft === '7' && this.references.fixed.has(schema);
  }

  private inline(value: JsonValue): JsonValue {
    if (!isSchema(value)) return value;
    return this.names.has(value) ? this.reference(value) : this.body(value);
  }

  private body(schema: JsonSchema): JsonSchema {
    // Ajv compiles no empty list, which both drafts allow and which nothing is on.
    if (Array.isArray(schema.enum) && schema.enum.length === 0 && !this.isReference(schema))
      return { not: {} };
    const referenced = [this.references.fixed.get(schema), this.references.dynamic.get(schema)].filter(
      (target) => target !== undefined,
    );
    const kept = this.isReference(schema)
      ? []
      : Object.entries(schema).flatMap((entry) => this.keyword(schema, ...entry));
    const { allOf, prefixItems, items, ...rest } = Object.fromEntries(kept);
    // Where Ajv ends at the first error, it skips what it writes after a list of items that is not filled.
    const tuple =
      prefixItems === undefined ? [] : [{ prefixItems, ...(items === undefined ? {} : { items }) }];
    const all = [
      ...(Array.isArray(allOf) ? allOf : []),
      ...tuple,
      ...referenced.map((target) => this.reference(target)),
    ];
    return {
      ...rest,
      ...(items === undefined || tuple.length > 0 ? {} : { items }),
      ...(all.length === 0 ? {} : { allOf: all }),
    };
  }

  private keyword(
    schema: JsonSchema,
    keyword: string,
    value: JsonValue,
  ): readonly (readonly [string, JsonValue])[] {
    if (ASSERTIONS[this.draft].has(keyword)) return [[keyword, value]];
    if (!APPLICATORS[this.draft].has(keyword)) return [];
    if (Array.isArray(value)) {
      const name = keyword === 'items' ? 'prefixItems' : keyword;
      return [[name, value.map((one) => this.inline(one))]];
    }
    if (isByName(keyword) && isSchema(value)) {
      const inner = Object.entries(value).map(([name, one]) => [name, this.inline(one)] as const);
      return [[keyword, Object.fromEntries(inner)]];
    }
    if (keyword !== 'additionalItems') return [[keyword, this.inline(value)]];
    // Draft 7, section 6.4.2: it counts only beside a list of items.
    return Array.isArray(schema.items) ? [['items', this.inline(value)]] : [];
  }
}

/** Rewrites a schema whose references all have a target. */
export function toGateForm(root: JsonSchema, draft: Draft, references: References): GateForm {
  return new Writer(root, draft, references).write();
}
