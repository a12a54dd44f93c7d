/**
 * Counts what checking a value by a schema costs, before it is checked.
 * Invariant: the count is never below the number of schemas that are applied to the values inside, so that no
 * reference that multiplies, at one value or from level to level, runs for ever.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { SCHEMA_LIMITS } from './limits';

/** How many scalars, and how many characters of a text, are compared in about one step. */
const PER_STEP = { scalars: 32, characters: 512 };

const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];
const OF_EACH = [
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['items', 'unevaluatedItems', 'contains'],
];

/** Which schemas a schema applies to the same value, to the members of one name, and to any member. */
interface Edges {
  readonly same: readonly JsonValue[];
  readonly named: readonly (readonly [string, JsonValue])[];
  readonly each: readonly JsonValue[];
  readonly fixed: number;
  readonly readsText: boolean;
  readonly comparesPairs: boolean;
}

/** The schemas that a keyword holds; the lists of names in `dependencies` are none. */
function schemasIn(value: JsonValue | undefined, isByName: boolean): readonly JsonValue[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  return isByName && isSchema(value) ? Object.values(value).filter((one) => !Array.isArray(one)) : [value];
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

/** How many names the lists of `dependentRequired` and `dependencies` hold. */
function dependentNames(value: JsonValue | undefined): number {
  return isSchema(value) ? Object.values(value).reduce((sum: number, names) => sum + lengthOf(names), 0) : 0;
}

/** The steps of comparing one value with each of a list; objects and arrays are compared part by part. */
function comparisons(values: JsonValue | undefined): number {
  if (!Array.isArray(values)) return 0;
  const containers = values.filter((value) => typeof value === 'object' && value !== null).length;
  return containers + (values.length - containers) / PER_STEP.scalars;
}

/** The cost of one schema is more than {@link SCHEMA_LIMITS} allow. */
export class TooCostly extends Error {
  constructor(
    readonly schema: JsonSchema,
    readonly isLoop: boolean,
  ) {
    super('checking a value by this schema costs too much');
  }
}

/** Counts the steps of one schema in its gate form. */
export class StepCounter {
  private readonly known = new Map<JsonSchema, Edges>();
  private readonly inPlace = new Map<JsonSchema, number | 'open'>();

  constructor(private readonly root: JsonSchema) {}

  /**
   * Checks what applies to one value, whatever the value.
   *
   * @throws TooCostly for a schema that comes back to itself at the same value, or that unfolds to too many.
   */
  checkInPlace(): void {
    const { $defs } = this.root;
    const whole = isSchema($defs) ? [this.root, ...Object.values($defs)] : [this.root];
    const stack = whole.filter(isSchema);
    for (let schema = stack.pop(); schema !== undefined; schema = stack.pop()) {
      this.unfold(schema, 0);
      const { named, each } = this.edgesOf(schema);
      stack.push(...[...named.map(([, one]) => one), ...each].filter(isSchema).filter(isInline));
    }
  }

  /** Tells whether a value takes more steps than {@link SCHEMA_LIMITS} allow. */
  exceeds(value: JsonValue): boolean {
    try {
      this.count(this.root, value, new Map());
      return false;
    } catch {
      // Also where counting itself runs out of stack, as checking would.
      return true;
    }
  }

  private edgesOf(schema: JsonSchema): Edges {
    const known = this.known.get(schema);
    if (known !== undefined) return known;
    const { $ref, properties, prefixItems, required, dependentRequired, dependencies } = schema;
    const names = lengthOf(required) + dependentNames(dependentRequired) + dependentNames(dependencies);
    const referenced = typeof $ref === 'string' ? [this.target($ref)] : [];
    const edges: Edges = {
      same: [
        ...referenced,
        ...IN_PLACE.flatMap((name) => schemasIn(schema[name], name.startsWith('depend'))),
      ],
      named: [
        ...(isSchema(properties) ? Object.entries(properties) : []),
        ...schemasIn(prefixItems, false).map((one, at) => [String(at), one] as const),
      ],
      each: OF_EACH.flatMap((name) => schemasIn(schema[name], name === 'patternProperties')),
      fixed: 1 + names + comparisons(schema.enum),
      readsText: ['pattern', 'minLength', 'maxLength'].some((name) => name in schema),
      comparesPairs: schema.uniqueItems === true,
    };
    this.known.set(schema, edges);
    return edges;
  }

  private target(reference: string): JsonValue {
    const { $defs } = this.root;
    const name = reference.slice('#/$defs/'.length);
    return (isSchema($defs) ? $defs[name] : undefined) ?? true;
  }

  private unfold(schema: JsonSchema, depth: number): number {
    const known = this.inPlace.get(schema);
    if (known === 'open') throw new TooCostly(schema, true);
    if (known !== undefined) return known;
    if (depth > SCHEMA_LIMITS.maxInPlace) throw new TooCostly(schema, false);
    this.inPlace.set(schema, 'open');
    let sum = 1;
    for (const one of this.edgesOf(schema).same) {
      sum += isSchema(one) ? this.unfold(one, depth + 1) : 1;
      if (sum > SCHEMA_LIMITS.maxInPlace) throw new TooCostly(schema, false);
    }
    this.inPlace.set(schema, sum);
    return sum;
  }

  private count(
    schema: JsonValue,
    value: JsonValue,
    counted: Map<JsonSchema, Map<JsonValue, number>>,
  ): number {
    if (!isSchema(schema)) return 1;
    const isContainer = typeof value === 'object' && value !== null;
    const ofSchema = counted.get(schema) ?? new Map<JsonValue, number>();
    const known = isContainer ? ofSchema.get(value) : undefined;
    if (known !== undefined) return known;
    const { same, named, each, ...edges } = this.edgesOf(schema);
    let sum = edges.fixed;
    const add = (steps: number): void => {
      sum += steps;
      if (sum > SCHEMA_LIMITS.maxSteps) throw new TooCostly(schema, false);
    };
    if (typeof value === 'string' && edges.readsText) add(value.length / PER_STEP.characters);
    if (Array.isArray(value) && edges.comparesPairs) add((value.length * comparisons(value)) / 2);
    for (const one of same) add(this.count(one, value, counted));
    if (isContainer) {
      for (const [name, one] of named) {
        const inner = Array.isArray(value) ? value[Number(name)] : ownOf(value, name);
        if (inner !== undefined) add(this.count(one, inner, counted));
      }
      if (each.length > 0) {
        for (const inner of Object.values(value)) {
          for (const one of each) add(this.count(one, inner, counted));
        }
      }
      counted.set(schema, ofSchema.set(value, sum));
    }
    return sum;
  }
}

/** Tells a schema that stands in its place from one that only names a definition, which is looked at itself. */
function isInline(schema: JsonSchema): boolean {
  return schema.$ref === undefined;
}

function ownOf(value: JsonValue, name: string): JsonValue | undefined {
  return isSchema(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
