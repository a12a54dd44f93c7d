/**
 * The fields of a schema as a flat list, nested ones too, for people to read.
 * Invariant: every property that the schema declares is a field, and a class that holds itself ends the list.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { restateLengths } from '../../schema/patterns/text-length';
import { SchemaDocument } from '../check/schema-document';
import { schemasIn } from '../check/shape';
import { constraintsOf, listed } from './constraint';

/** One field, in words. */
export interface Field {
  /** `filter.placed.from`, `items[].order_id`, `labels.*`; empty for a schema that is no object. */
  readonly path: string;
  readonly type: string;
  /** Undefined for what cannot be left out by itself: an array's elements, or the whole. */
  readonly required: boolean | undefined;
  readonly constraints: readonly string[];
  readonly description: string;
  readonly default: JsonValue | undefined;
  readonly examples: readonly JsonValue[];
}

/** Where a node sits. */
interface Spot {
  readonly path: string;
  readonly required: boolean | undefined;
  /** The nodes that this one lies within. */
  readonly above: readonly JsonSchema[];
}

const ANY_JSON = 'any JSON';
const JSON_TYPES = 6;

/** The first value that any of several nodes gives a keyword. */
function first(nodes: readonly JsonSchema[], keyword: string): JsonValue | undefined {
  return nodes.find((node) => node[keyword] !== undefined)?.[keyword];
}

function typeOf(nodes: readonly JsonSchema[]): string {
  const [values, type] = [first(nodes, 'enum'), first(nodes, 'type')];
  if (Array.isArray(values)) return `one of ${listed(values)}`;
  const constant = first(nodes, 'const');
  if (constant !== undefined) return JSON.stringify(constant);
  const types = type === undefined ? [] : [type].flat();
  return types.length === 0 || types.length >= JSON_TYPES ? ANY_JSON : types.join(' or ');
}

class FieldReader {
  private readonly document: SchemaDocument;

  constructor(readonly schema: JsonSchema) {
    this.document = new SchemaDocument('inputSchema', schema);
  }

  /** A node with what it demands beside itself: what it refers to, and its `allOf`. */
  private together(node: JsonSchema, above: readonly JsonSchema[] = []): readonly JsonSchema[] {
    if (above.includes(node)) return [];
    const target = typeof node.$ref === 'string' ? this.document.at(node.$ref) : undefined;
    const parts = [...(target === undefined ? [] : [target]), ...schemasIn(node.allOf)];
    return [node, ...parts.flatMap((part) => this.together(part, [...above, node]))];
  }

  read(node: JsonSchema, spot: Spot): readonly Field[] {
    const base = this.together(node);
    const choices = base.flatMap((part) => [...schemasIn(part.anyOf), ...schemasIn(part.oneOf)]);
    const shapes = choices.filter(({ type }) => type !== 'null').map((choice) => this.together(choice));
    const types = shapes.length === 0 ? [typeOf(base)] : shapes.map(typeOf);
    const nodes = [...base, ...shapes.flat()];
    const { path, required } = spot;
    const examples = first(nodes, 'examples');
    const field: Field = {
      path,
      type: [...types, ...(shapes.length < choices.length ? ['null'] : [])].join(' or '),
      required,
      constraints: [...new Set(nodes.flatMap(constraintsOf))],
      description: [...new Set(nodes.flatMap(({ description = [] }) => description))].join('; '),
      default: first(nodes, 'default'),
      examples: Array.isArray(examples) ? examples : [],
    };
    const isWhole = path === '' && nodes.some(({ properties }) => properties !== undefined);
    return [...(isWhole ? [] : [field]), ...this.within(nodes, spot, types.includes(ANY_JSON))];
  }

  private within(nodes: readonly JsonSchema[], { path, above }: Spot, isOpen: boolean): readonly Field[] {
    if (isOpen || nodes.some((node) => above.includes(node))) return [];
    const inner = [...above, ...nodes];
    return nodes.flatMap((node) => {
      const required = Array.isArray(node.required) ? node.required : [];
      const properties = isSchema(node.properties) ? Object.entries(node.properties) : [];
      const parts = [
        ...properties.map(([name, part]) => ({
          part,
          path: path === '' ? name : `${path}.${name}`,
          required: required.includes(name),
        })),
        { part: node.items, path: `${path}[]`, required: undefined },
        { part: node.additionalProperties, path: `${path}.*`, required: undefined },
      ];
      return parts.flatMap(({ part, ...spot }) =>
        isSchema(part) ? this.read(part, { ...spot, above: inner }) : [],
      );
    });
  }
}

/** Lists the fields of a schema in the order in which they are declared. */
export function fieldsOf(given: JsonSchema): readonly Field[] {
  const schema = restateLengths(given);
  return new FieldReader(schema).read(schema, { path: '', required: undefined, above: [] });
}
