/**
 * Puts the contributions of several rules into one schema node.
 * Invariant: no rule is lost; of two bounds the stricter stands, what does not fit beside the rest goes into
 * `allOf`, and every keyword remembers the rule that it came from.
 */
import { isSchema, type JsonSchema } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import type { RuleUse } from './property-model';
import { boundInteger, FREE_FORM_KEYS } from './stricter';

/** The rule that put a keyword into a schema node, and the property that it sits on. */
interface Origin {
  readonly use: RuleUse;
  readonly property: string;
}

/** Tells, for a keyword of a schema node, where it came from. */
export type Provenance = WeakMap<object, ReadonlyMap<string, Origin>>;

/** The origins of a node inside a keyword: the keyword that holds it answers for it. */
export const INSIDE: ReadonlyMap<string, Origin> = new Map();

interface Draft {
  keywords: Record<string, JsonValue>;
  origins: Map<string, Origin>;
}

/** Keywords that say nothing about null, so that a nullable node may hold them beside `type: [.., "null"]`. */
const SILENT_ON_NULL: ReadonlySet<string> = new Set([
  'type',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'propertyNames',
  'additionalProperties',
]);

const LOWER_BOUNDS: readonly string[] = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const UPPER_BOUNDS: readonly string[] = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/** Merges two values of one keyword into one that says both; undefined when there is none. */
function mergeKeyword(
  keyword: string,
  before: JsonValue | undefined,
  added: JsonValue,
): JsonValue | undefined {
  if (before === undefined) return added;
  if (JSON.stringify(before) === JSON.stringify(added)) return before;
  if (typeof before === 'number' && typeof added === 'number') {
    if (LOWER_BOUNDS.includes(keyword)) return Math.max(before, added);
    if (UPPER_BOUNDS.includes(keyword)) return Math.min(before, added);
  }
  const isNumeric = (type: JsonValue) => type === 'number' || type === 'integer';
  return keyword === 'type' && isNumeric(before) && isNumeric(added) ? 'integer' : undefined;
}

/** The one type that a base or a rule gives a node, if any; integers count as numbers. */
function typeOf(base: JsonSchema, uses: readonly RuleUse[]): JsonValue | undefined {
  if ('$ref' in base) return 'object';
  const types = [base.type, ...uses.map(({ contribution }) => contribution.keywords.type)];
  const type = types.find((one) => typeof one === 'string');
  return type === 'integer' ? 'number' : type;
}

/** Leaves out of `not: { enum }` the values that the node's type excludes already. */
function withoutIdle(keywords: JsonSchema, type: JsonValue | undefined): JsonSchema {
  const { not, ...rest } = keywords;
  if (type === undefined || typeof not !== 'object' || not === null || !('enum' in not)) return keywords;
  const values = Array.isArray(not.enum)
    ? not.enum.filter((value) => value !== null && typeof value === type)
    : [];
  return values.length === 0 ? rest : { ...rest, not: { enum: values } };
}

/** Of a rule for values of several types, takes what it says of the node's one. */
function ofType(keywords: JsonSchema, type: JsonValue | undefined): JsonSchema {
  if (type === undefined || !Array.isArray(keywords.type) || !Array.isArray(keywords.anyOf)) return keywords;
  const isOfType = (branch: JsonValue): branch is JsonSchema =>
    typeof branch === 'object' && branch !== null && 'type' in branch && branch.type === type;
  return keywords.anyOf.find(isOfType) ?? keywords;
}

function tryMerge(draft: Draft, keywords: JsonSchema, origin: Origin): boolean {
  const merged = new Map<string, JsonValue>();
  for (const [keyword, added] of Object.entries(keywords)) {
    const value = mergeKeyword(keyword, draft.keywords[keyword], added);
    if (value === undefined) return false;
    merged.set(keyword, value);
  }
  // A rule that says nothing but the type answers for the type, whichever comes first.
  const isPlain = Object.keys(keywords).join() === 'type';
  for (const [keyword, value] of merged) {
    if (draft.keywords[keyword] === value && !(isPlain && keywords.type === value)) continue;
    draft.keywords[keyword] = value;
    draft.origins.set(keyword, origin);
  }
  return true;
}

/** Composes nodes of one schema, and keeps where their keywords came from. */
export class Composer {
  readonly provenance: Provenance = new WeakMap();

  /** @param freeForm makes the reference to the definition of any JSON value. */
  constructor(private readonly freeForm: () => JsonSchema) {}

  /** Composes the node of a value from a base and the rules on it. */
  compose(base: JsonSchema, uses: readonly RuleUse[], property: string): JsonSchema {
    const draft: Draft = { keywords: { ...base }, origins: new Map() };
    const apart: JsonSchema[] = [];
    const type = typeOf(base, uses);
    for (const use of uses) {
      const origin = { use, property };
      const keywords = this.answering(withoutIdle(ofType(use.contribution.keywords, type), type), origin);
      if (tryMerge(draft, keywords, origin)) continue;
      const node = { ...keywords };
      this.provenance.set(node, new Map(Object.keys(node).map((keyword) => [keyword, origin])));
      apart.push(node);
    }
    const whole = draft.keywords.type;
    const parts = apart.map((part) =>
      whole === 'integer' && part.type === 'number' ? this.retype(part) : part,
    );
    const own = Array.isArray(draft.keywords.allOf) ? draft.keywords.allOf : [];
    const joined = parts.length === 0 ? draft.keywords : { ...draft.keywords, allOf: [...own, ...parts] };
    const node = this.complete(joined);
    // A bound that was narrowed is no longer the rule's.
    const isKept = ([keyword]: [string, Origin]) => node[keyword] === draft.keywords[keyword];
    this.provenance.set(node, new Map([...draft.origins].filter(isKept)));
    return node;
  }

  /** Makes a node also take null. */
  orNull(node: JsonSchema): JsonSchema {
    const { type, enum: values } = node;
    const isPlain = Object.keys(node).every((keyword) => SILENT_ON_NULL.has(keyword) || keyword === 'enum');
    if (!isPlain || typeof type !== 'string') return { anyOf: [node, { type: 'null' }] };
    const nullable = {
      ...node,
      type: [type, 'null'],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    };
    return this.derive(node, nullable);
  }

  /** Adds annotations to a node, which keeps the origins of `from`. */
  annotate(node: JsonSchema, annotations: JsonSchema, from = node): JsonSchema {
    return this.derive(from, { ...node, ...annotations });
  }

  /** Ajv's strict mode takes no wider type within a narrower one. */
  private retype(part: JsonSchema): JsonSchema {
    return this.derive(part, { ...part, type: 'integer' });
  }

  /** Lets each keyword of a rule answer for what it holds; of `allOf` its parts do, since it reports nothing itself. */
  private answering(keywords: JsonSchema, origin: Origin): JsonSchema {
    this.markInside(Object.values(keywords));
    if (!Array.isArray(keywords.allOf)) return keywords;
    const parts = keywords.allOf.filter(isSchema).map((part) => {
      const own = { ...part };
      this.provenance.set(own, new Map(Object.keys(own).map((keyword) => [keyword, origin])));
      return own;
    });
    return { ...keywords, allOf: parts };
  }

  /** Marks what stands inside the keywords of a rule, but not the nodes that the composer makes. */
  private markInside(values: readonly unknown[]): void {
    for (const value of values) {
      if (typeof value !== 'object' || value === null) continue;
      this.provenance.set(value, INSIDE);
      this.markInside(Object.values(value));
    }
  }

  private derive(from: JsonSchema, node: JsonSchema): JsonSchema {
    this.provenance.set(node, this.provenance.get(from) ?? new Map());
    return node;
  }

  /** Leaves nothing open: an integer is bounded, and a place without a shape of its own takes any JSON value. */
  private complete(node: JsonSchema): JsonSchema {
    if ('$ref' in node || 'oneOf' in node || 'if' in node) return node;
    if (node.type === 'integer') return boundInteger(node);
    if (node.type === 'array') return 'items' in node ? node : { ...node, items: this.freeForm() };
    if (node.type === 'object') {
      return { ...node, propertyNames: FREE_FORM_KEYS, additionalProperties: this.freeForm() };
    }
    return 'type' in node || 'enum' in node ? node : { ...node, ...this.freeForm() };
  }
}
