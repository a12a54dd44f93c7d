/**
 * Puts projected nodes together.
 * Invariant: a reference has no neighbours; no words of a node are lost on the way.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import { joinSentences } from './keyword-words';
import type { Restorer } from './restore';

/** A node in a dialect, and what there is to undo in its values. */
export interface Projected {
  readonly schema: JsonSchema;
  readonly restorer?: Restorer | undefined;
}

/** Tells the node that takes null alone. */
export function isOnlyNull({ type }: JsonSchema): boolean {
  return type === 'null';
}

/** Adds annotations to a node, before those that it has. */
export function withText(schema: JsonSchema, text: JsonSchema): JsonSchema {
  if (Object.keys(text).length === 0) return schema;
  if ('$ref' in schema) return { anyOf: [schema], ...text };
  const descriptions = [text.description, schema.description].filter((one) => typeof one === 'string');
  const distinct = [...new Set(descriptions)];
  const { type, ...rest } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...rest,
    ...text,
    ...(distinct.length === 0 ? {} : { description: joinSentences(distinct) }),
  };
}

/** Makes a node take null too, in JSON Schema's own way. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const isScalar = types.length > 0 && !types.includes('object') && !types.includes('array');
  if (isScalar && !('const' in schema)) {
    return {
      ...schema,
      type: [...types, 'null'],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    };
  }
  const { description, title, ...node } = schema;
  return {
    anyOf: [node, { type: 'null' }],
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Puts what a place says into every branch of a union that may have no neighbours. */
export function pushInto(schema: JsonSchema, text: JsonSchema, isNullable: boolean): JsonSchema {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const branches = anyOf.map((branch) => (isSchema(branch) ? pushInto(branch, text, isNullable) : branch));
    return { ...schema, anyOf: branches };
  }
  return { ...withText(schema, text), ...(isNullable ? { nullable: true } : {}) };
}

/** The restorer of a value that satisfies one of several nodes. */
export function restorerOf(branches: readonly Projected[]): Restorer | undefined {
  const others = branches.filter(({ schema }) => !isOnlyNull(schema));
  if (others.length === 1) return others[0]?.restorer;
  if (!others.some(({ restorer }) => restorer !== undefined)) return undefined;
  return { kind: 'union', branches: others.map(({ schema, restorer }) => ({ schema, restorer })) };
}
