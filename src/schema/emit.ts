/**
 * Emits the JSON Schema 2020-12 of a DTO, a list of one, or a scalar.
 * Invariant: the result is self-contained, closed and frozen, its key order is stable, and its `$defs` are
 * named by class identity: two classes with one name get two definitions.
 */
import type { Class } from '../contract/class';
import { childFragment } from '../contract/pointer';
import { DIALECT, type JsonSchema, type ValidatorOnlyRule } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { Composer, type Provenance } from './compose';
import { type ClassModel, modelOf } from './model';
import type { PropertyModel } from './property-model';
import { DATE_SCHEMA } from './rules/dates';
import { FREE_FORM_KEYS } from './stricter';
import { wordsOf } from './words';

/** What can be emitted: a DTO, a list of one, or a scalar. */
export type Root =
  | { readonly kind: 'class'; readonly cls: Class }
  | { readonly kind: 'list'; readonly cls: Class }
  | { readonly kind: 'scalar'; readonly type: 'number' | 'string' | 'boolean' };

/** A schema, and what is known about its parts. */
export interface Emitted {
  readonly schema: JsonSchema;
  readonly provenance: Provenance;
  readonly validatorOnlyRules: readonly ValidatorOnlyRule[];
}

function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

class Emitter {
  readonly validatorOnlyRules: ValidatorOnlyRule[] = [];
  readonly composer = new Composer(() => this.freeForm());
  private readonly names = new Map<Class, string>();
  private readonly definitions = new Map<string, JsonSchema>();
  private freeFormName: string | undefined;

  finish(root: JsonSchema): JsonSchema {
    const definitions = [...this.definitions].sort(([a], [b]) => (a < b ? -1 : 1));
    return deepFreeze({
      $schema: DIALECT,
      ...root,
      ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
    });
  }

  /** The node of a DTO: an object that takes its declared properties and no others. */
  object(model: ClassModel, schemaPath: string): JsonSchema {
    const properties = model.properties.map(
      (property) =>
        [
          property.name,
          this.property(property, childFragment(`${schemaPath}/properties`, property.name)),
        ] as const,
    );
    const required = model.properties.filter((one) => one.required).map((one) => one.name);
    return {
      type: 'object',
      ...model.text,
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  /** The reference to the definition of a class, which is made on its first mention. */
  reference(cls: Class): JsonSchema {
    const known = this.names.get(cls);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = this.takeName(cls.name);
    this.names.set(cls, name);
    this.definitions.set(name, this.object(modelOf(cls), `#/$defs/${name}`));
    return { $ref: `#/$defs/${name}` };
  }

  private property(model: PropertyModel, schemaPath: string): JsonSchema {
    const value = this.value(model);
    const node = model.list
      ? this.composer.compose(
          { type: 'array', items: this.composer.compose(value, model.elementRules, model.name) },
          model.rules,
          model.name,
        )
      : this.composer.compose(value, model.rules, model.name);
    const nullable = model.optional ? this.composer.orNull(node) : node;
    return this.composer.annotate(nullable, this.annotations(model, schemaPath));
  }

  private value({ value }: PropertyModel): JsonSchema {
    if (value.kind === 'class') return this.reference(value.cls);
    return value.kind === 'date' ? { ...DATE_SCHEMA } : {};
  }

  private annotations(model: PropertyModel, schemaPath: string): JsonSchema {
    const words = [...model.rules, ...model.elementRules]
      .filter(({ contribution }) => contribution.grade === 'validator_only')
      .map((use) => ({ rule: use.recorded.name ?? '', text: wordsOf(use, model.name) }));
    for (const { rule, text } of words)
      this.validatorOnlyRules.push(Object.freeze({ schemaPath, rule, text }));
    const description = [model.text.description, ...words.map(({ text }) => `Rule: ${text}`)]
      .filter((sentence) => typeof sentence === 'string')
      .map((sentence) => (words.length === 0 || /[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
      .join(' ');
    return {
      ...model.text,
      ...(description === '' ? {} : { description }),
      ...(model.default === undefined ? {} : { default: model.default }),
    };
  }

  /** The reference to the definition of any JSON value, whose objects keep off Object.prototype's keys. */
  private freeForm(): JsonSchema {
    if (this.freeFormName === undefined) {
      this.freeFormName = this.takeName('JsonValue');
      const self = { $ref: `#/$defs/${this.freeFormName}` };
      this.definitions.set(this.freeFormName, {
        type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
        items: self,
        propertyNames: FREE_FORM_KEYS,
        additionalProperties: self,
      });
    }
    return { $ref: `#/$defs/${this.freeFormName}` };
  }

  /** Takes the first free name: two classes of one name become `Filter` and `Filter_2`. */
  private takeName(wanted: string): string {
    const base = wanted.replace(/[^A-Za-z0-9_]/g, '_') || 'Anonymous';
    let name = base;
    for (let count = 2; this.definitions.has(name); count += 1) name = `${base}_${count}`;
    // Holds the name while the definition is made, since a class may reach itself.
    this.definitions.set(name, {});
    return name;
  }
}

/** Emits a root. Its classes must be free of problems. */
export function emit(root: Root): Emitted {
  const emitter = new Emitter();
  const node: JsonSchema =
    root.kind === 'class'
      ? emitter.object(modelOf(root.cls), '#')
      : root.kind === 'list'
        ? { type: 'array', items: emitter.reference(root.cls) }
        : { type: root.type };
  return {
    schema: emitter.finish(node),
    provenance: emitter.composer.provenance,
    validatorOnlyRules: Object.freeze(emitter.validatorOnlyRules),
  };
}
