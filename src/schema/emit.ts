/**
 * Emits the JSON Schema 2020-12 of a DTO, a list of one, or a scalar.
 * Invariant: the result is self-contained, closed and frozen, its key order is stable, and its `$defs` are
 * named by class identity: two classes with one name get two definitions. What the gate compiles accepts the
 * same values as what the model is shown.
 */
import type { Class } from '../contract/class';
import { deepFreeze } from '../contract/deep-freeze';
import { childFragment } from '../contract/pointer';
import { DIALECT, isSchema, type JsonSchema, type ValidatorOnlyRule } from '../contract/schema';
import { Composer, type Provenance } from './compose';
import { type ClassModel, modelsOf } from './model';
import { isOpen, type PropertyModel, type RuleUse, type Way } from './property-model';
import { classesOf, type UnionKind } from './property-type';
import { DATE_SCHEMA } from './rules/dates';
import { FREE_FORM_KEYS } from './stricter';
import { wordsOf } from './words';

/** What can be emitted: a DTO, a list of one, or a scalar. */
export type Root =
  | { readonly kind: 'class'; readonly cls: Class }
  | { readonly kind: 'list'; readonly cls: Class }
  | { readonly kind: 'scalar'; readonly type: 'number' | 'string' | 'boolean' };

/** A schema to compile, and what is known about its parts. */
interface GateForm {
  readonly schema: JsonSchema;
  readonly provenance: Provenance;
  /** The union that a list of tags, or the first branch on one, belongs to. */
  readonly unions: WeakMap<object, UnionKind>;
}

/** A schema as the model sees it, and the form in which it is the gate. */
export interface Emitted {
  readonly schema: JsonSchema;
  readonly gate: GateForm;
  readonly validatorOnlyRules: readonly ValidatorOnlyRule[];
}

/** Longer arguments are left out of a rule's words. */
const MAX_ARGUMENTS = 200;

class Emitter {
  /** The two forms differ: something reads well in the one that the other checks in fewer steps. */
  isTwofold = false;
  readonly validatorOnlyRules: ValidatorOnlyRule[] = [];
  readonly unions = new WeakMap<object, UnionKind>();
  readonly composer = new Composer(() => this.freeForm());
  private readonly names = new Map<Class, string>();
  private readonly definitions = new Map<string, JsonSchema>();
  private freeFormName: string | undefined;

  constructor(
    private readonly form: 'shown' | 'gate',
    private readonly way: Way,
  ) {}

  finish(root: JsonSchema): JsonSchema {
    const definitions = [...this.definitions].sort(([a], [b]) => (a < b ? -1 : 1));
    return deepFreeze(
      this.composer.annotate(
        { $schema: DIALECT, ...root },
        definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) },
        root,
      ),
    );
  }

  /** The node of the DTO that is the whole schema. */
  root(cls: Class): JsonSchema {
    return this.object(modelsOf(this.way)(cls), '#');
  }

  /** The node of a DTO: an object that takes its declared properties and no others. */
  private object(model: ClassModel, schemaPath: string): JsonSchema {
    const properties = model.properties.map(
      (property) =>
        [
          property.key,
          this.property(property, childFragment(`${schemaPath}/properties`, property.key)),
        ] as const,
    );
    const isRequired = (one: PropertyModel) => one.required && one.conditions.length === 0;
    const required = model.properties.filter(isRequired).map((one) => one.key);
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
    const name = this.takeName(typeof cls.name === 'string' ? cls.name : '');
    this.names.set(cls, name);
    this.definitions.set(name, this.object(modelsOf(this.way)(cls), `#/$defs/${name}`));
    return { $ref: `#/$defs/${name}` };
  }

  /** The node of a property's value, as all its rules together describe it. */
  whole(model: PropertyModel): JsonSchema {
    const { key, list, rules, elementRules, optional } = model;
    const value = this.value(model);
    const base = list ? { type: 'array', items: this.composer.compose(value, elementRules, key) } : value;
    const node = this.composer.compose(base, rules, key);
    return optional ? this.composer.orNull(node) : node;
  }

  private property(model: PropertyModel, schemaPath: string): JsonSchema {
    return this.composer.annotate(this.shown(model), this.annotations(model, schemaPath));
  }

  /** What the schema says of a property: all that its rules say, or no more than a hint at it. */
  private shown(model: PropertyModel): JsonSchema {
    if (!isOpen(model)) return this.whole(model);
    const hint = model.transformed ? typeOfMade(model) : this.whole(model);
    this.isTwofold = true;
    return this.form === 'gate' || hint === undefined ? this.freeForm() : { anyOf: [hint, this.freeForm()] };
  }

  private value({ value }: PropertyModel): JsonSchema {
    if (value.kind === 'class') return this.reference(value.cls);
    if (value.kind === 'union') return this.union(value);
    if (value.kind === 'date') return { ...DATE_SCHEMA };
    return value.type === undefined ? {} : { type: value.type };
  }

  private union(kind: UnionKind): JsonSchema {
    this.isTwofold = true;
    const pinned = [...kind.variants].map(([name, cls]) => ({
      pin: { type: 'object', properties: { [kind.tag]: { const: name } }, required: [kind.tag] },
      variant: this.reference(cls),
    }));
    if (this.form === 'shown') {
      return { type: 'object', oneOf: pinned.map(({ pin, variant }) => ({ ...variant, ...pin })) };
    }
    // A oneOf tries each branch, and unions within unions would multiply with every level.
    const branches = pinned.reduceRight<JsonSchema>(
      (others, { pin, variant }) =>
        Object.fromEntries([
          ['if', pin],
          ['then', variant],
          ['else', others],
        ]),
      {},
    );
    const tags = { enum: [...kind.variants.keys()] };
    this.unions.set(tags, kind);
    if (isSchema(branches.then)) this.unions.set(branches.then, kind);
    return { type: 'object', properties: { [kind.tag]: tags }, required: [kind.tag], ...branches };
  }

  private annotations(model: PropertyModel, schemaPath: string): JsonSchema {
    const words = wordsBeside(model);
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

/** The type of what a conversion makes, which is most often what it is made of; undefined where rules name none. */
function typeOfMade({ rules, list }: PropertyModel): JsonSchema | undefined {
  const types = rules.map(({ contribution }) => contribution.keywords.type);
  const [type, ...others] = new Set(types.filter((one) => typeof one === 'string' && one !== 'array'));
  return type === undefined || others.length > 0 || list || type === 'object' ? undefined : { type };
}

/** The arguments of a rule that its words leave out: options, a locale, a country. */
function argumentsBeside({ recorded, contribution }: RuleUse, words: string): string {
  if (contribution.grade !== 'validator_only') return '';
  const given: readonly unknown[] = recorded.constraints ?? [];
  const texts = given
    .filter((one) => typeof one === 'string' || (isPlain(one) && Object.keys(one).length > 0))
    .map((one) => JSON.stringify(one))
    .filter((text) => text.length <= MAX_ARGUMENTS && !words.includes(text.replace(/^"|"$/g, '')));
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The rules of a property that the schema cannot state, in words. */
function wordsBeside(model: PropertyModel): readonly Omit<ValidatorOnlyRule, 'schemaPath'>[] {
  const uses = [...model.rules, ...model.elementRules];
  const stated = uses.filter((use) => isOpen(model) || use.contribution.grade === 'validator_only');
  const nested = { rule: 'nestedValidation', text: `${model.key} must be an object as described` };
  const when = (use?: RuleUse) =>
    model.conditions.length > 0 || use?.recorded.validateIf !== undefined ? 'under a condition, ' : '';
  const what = model.transformed ? 'once converted, ' : '';
  return [
    ...stated.map((use) => {
      const words = wordsOf(use, model.key);
      return { rule: use.name, text: `${when(use)}${what}${words}${argumentsBeside(use, words)}` };
    }),
    ...(isOpen(model) && classesOf(model.value).length > 0
      ? [{ ...nested, text: `${when()}${nested.text}` }]
      : []),
  ];
}

function emitBoth(way: Way, nodeOf: (emitter: Emitter) => JsonSchema): Emitted {
  const shown = new Emitter('shown', way);
  const schema = shown.finish(nodeOf(shown));
  const { validatorOnlyRules, isTwofold } = shown;
  const gate = isTwofold ? new Emitter('gate', way) : shown;
  return {
    schema,
    gate: {
      schema: isTwofold ? gate.finish(nodeOf(gate)) : schema,
      provenance: gate.composer.provenance,
      unions: gate.unions,
    },
    validatorOnlyRules: Object.freeze(validatorOnlyRules),
  };
}

/** The schema of one property's value by itself, with the definitions that it refers to. */
export function emitProperty(property: PropertyModel): Emitted {
  return emitBoth(property.way, (emitter) => emitter.whole(property));
}

/** Emits a root. Its classes must be free of problems. */
export function emit(root: Root, way: Way = 'in'): Emitted {
  return emitBoth(way, (emitter) => {
    if (root.kind === 'class') return emitter.root(root.cls);
    return root.kind === 'list' ? { type: 'array', items: emitter.reference(root.cls) } : { type: root.type };
  });
}
