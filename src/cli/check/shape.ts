/**
 * The shapes that the value of a field may take, whatever combinators its schema is written with.
 * Invariant: the nodes of one shape hold together for one value; the elements of an array have shapes of
 * their own, while the properties of an object are fields of their own.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { SchemaDocument } from './schema-document';

/** Nodes that hold together for one value. */
export type Shape = readonly JsonSchema[];

/** The schemas of a list, such as that of `allOf`. */
export function schemasIn(value: JsonValue | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Adds a node to a shape, with what it demands beside itself: its `allOf`, and what it refers to. */
function addTo(shape: Set<JsonSchema>, node: JsonSchema, document: SchemaDocument): void {
  if (shape.has(node)) return;
  shape.add(node);
  const target = typeof node.$ref === 'string' ? document.at(node.$ref) : undefined;
  for (const part of schemasIn(node.allOf)) addTo(shape, part, document);
  if (target !== undefined) addTo(shape, target, document);
}

function alternatives(document: SchemaDocument, node: JsonSchema, above: Shape = []): readonly Shape[] {
  const nodes = new Set(above);
  addTo(nodes, node, document);
  const here = [...nodes];
  const choices = here
    .slice(above.length)
    .flatMap((part) => [...schemasIn(part.anyOf), ...schemasIn(part.oneOf)]);
  return choices.length === 0 ? [here] : choices.flatMap((one) => alternatives(document, one, here));
}

/** Tells whether a shape takes values of a type; integers are numbers. One without a type takes none. */
export function takes(shape: Shape, type: 'string' | 'number' | 'array' | 'object'): boolean {
  const typed = shape.filter((node) => node.type !== undefined);
  const includes = (node: JsonSchema) => {
    const types = [node.type].flat();
    return types.includes(type) || (type === 'number' && types.includes('integer'));
  };
  return typed.length > 0 && typed.every(includes);
}

/** Tells whether a shape lists its values. */
export function isListed(shape: Shape): boolean {
  return shape.some((node) => node.enum !== undefined || node.const !== undefined);
}

/** Tells whether a shape takes any JSON value, or any object. */
export function isFreeForm(shape: Shape): boolean {
  if (isListed(shape)) return false;
  if (shape.every((node) => node.type === undefined)) return true;
  const isOpen = (node: JsonSchema) => node.properties === undefined && node.additionalProperties !== false;
  return takes(shape, 'object') && shape.every(isOpen);
}

/** The nodes of an array's elements. */
export function itemsOf(shape: Shape): readonly JsonSchema[] {
  return schemasIn(shape.flatMap((node) => node.items ?? []));
}

/** All shapes of a node's value, and of the elements of the arrays in it. */
export function shapesOf(document: SchemaDocument, node: JsonSchema, within: Shape = []): readonly Shape[] {
  return alternatives(document, node).flatMap((shape) => {
    const items = itemsOf(shape);
    const isEnd = items.length === 0 || isFreeForm(shape) || items.some((one) => within.includes(one));
    return isEnd ? [shape] : [shape, ...shapesOf(document, { allOf: items }, [...within, ...items])];
  });
}
