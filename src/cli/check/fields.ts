/**
 * Every field of a tool: of its input and of its output, nested ones included.
 * Invariant: a class that is reached more than once, and a definition, gives its fields once for each tool.
 */
import type { Class } from '../../contract/class';
import { childFragment } from '../../contract/pointer';
import {
  type InputContract,
  isSchema,
  type JsonSchema,
  type OutputContract,
  type ValidatorOnlyRule,
} from '../../contract/schema';
import type { ToolSpec } from '../../contract/tool';
import type { JsonValue } from '../../errors/body';
import { modelOf, modelsOf, wayOfOutput } from '../../schema/model';
import type { PropertyModel } from '../../schema/property-model';
import { classesOf } from '../../schema/property-type';
import { SchemaDocument } from './schema-document';
import { type Shape, shapesOf } from './shape';

/** An object that a schema describes. */
export interface ObjectNode {
  readonly document: SchemaDocument;
  /** JSON Pointer into the document, as a fragment. */
  readonly pointer: string;
  readonly node: JsonSchema;
  /** The DTO that it was made from, if it was. */
  readonly cls: Class | undefined;
}

/** A property of such an object. */
export interface Field extends ObjectNode {
  readonly name: string;
  readonly holder: ObjectNode;
  /** The property of the DTO. */
  readonly model: PropertyModel | undefined;
  readonly shapes: readonly Shape[];
  readonly validatorOnlyRules: readonly ValidatorOnlyRule[];
}

/** What the schemas of a tool describe, in the order of their first mention. */
export interface ToolFields {
  readonly objects: readonly ObjectNode[];
  readonly fields: readonly Field[];
}

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLES = ['items', 'additionalProperties'];

/** The schemas within a node that describe the same value, or parts of it that have no name. */
function schemasWithin(node: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const singles = SINGLES.map((keyword) => [`/${keyword}`, node[keyword]] as const);
  const lists = LISTS.flatMap((keyword) => {
    const parts: readonly JsonValue[] = Array.isArray(node[keyword]) ? node[keyword] : [];
    return parts.map((part, index) => [`/${keyword}/${index}`, part] as const);
  });
  return [...lists, ...singles].flatMap(([path, part]) => (isSchema(part) ? [[path, part] as const] : []));
}

class Walk implements ToolFields {
  readonly objects: ObjectNode[] = [];
  readonly fields: Field[] = [];
  private readonly seenNodes = new Set<JsonSchema>();
  private readonly seenClasses = new Set<Class>();
  private models = modelOf;

  of(
    name: 'inputSchema' | 'outputSchema',
    { schema, dto, validatorOnlyRules }: InputContract | OutputContract,
  ) {
    if (schema === undefined) return;
    const isWritten = name === 'outputSchema' && dto !== undefined;
    this.models = isWritten ? modelsOf(wayOfOutput(dto)) : modelOf;
    const classes = dto === undefined ? [] : [dto];
    this.value(new SchemaDocument(name, schema), '#', schema, classes, validatorOnlyRules);
  }

  /** Visits a value; `classes` are the DTO of the object that it is, holds or refers to, or those of a union. */
  private value(
    document: SchemaDocument,
    pointer: string,
    node: JsonSchema,
    classes: readonly Class[],
    rules: readonly ValidatorOnlyRule[],
  ): void {
    if (this.seenNodes.has(node)) return;
    this.seenNodes.add(node);
    const target = typeof node.$ref === 'string' ? document.at(node.$ref) : undefined;
    if (target !== undefined) this.value(document, String(node.$ref), target, classes, rules);
    // Beside a reference, properties only pin the tag of a union.
    if (isSchema(node.properties) && target === undefined) {
      this.object({ document, pointer, node, cls: classes[0] }, node.properties, rules);
    }
    const parts = schemasWithin(node);
    const branches = parts.filter(([path]) => path.startsWith('/oneOf/'));
    for (const [path, part] of parts) {
      const branch = branches.findIndex(([one]) => one === path);
      const own = branch === -1 || classes.length < 2 ? classes : classes.slice(branch, branch + 1);
      this.value(document, pointer + path, part, own, rules);
    }
  }

  private object(holder: ObjectNode, properties: JsonSchema, rules: readonly ValidatorOnlyRule[]): void {
    const { document, pointer: above, cls } = holder;
    if (cls !== undefined && this.seenClasses.has(cls)) return;
    if (cls !== undefined) this.seenClasses.add(cls);
    this.objects.push(holder);
    const models = cls === undefined ? [] : this.models(cls).properties;
    for (const [name, node] of Object.entries(properties)) {
      if (!isSchema(node)) continue;
      const pointer = childFragment(`${above}/properties`, name);
      const model = models.find((one) => one.key === name);
      const shapes = shapesOf(document, node);
      const validatorOnlyRules = rules.filter(({ schemaPath }) => schemaPath === pointer);
      this.fields.push({ document, pointer, node, cls, name, holder, model, shapes, validatorOnlyRules });
      this.value(document, pointer, node, model === undefined ? [] : classesOf(model.value), rules);
    }
  }
}

/** Finds all fields of a tool. */
export function fieldsOf({ input, output }: ToolSpec): ToolFields {
  const walk = new Walk();
  walk.of('inputSchema', input);
  walk.of('outputSchema', output);
  return walk;
}
