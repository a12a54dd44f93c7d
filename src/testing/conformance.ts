/**
 * Holds values against schemas, and a schema against the file that was made of it.
 * Invariant: each schema is compiled by a validator of its own, alone, as any reader of it would.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import { isSchema, type JsonSchema } from '../contract/schema';
import type { ToolSpec } from '../contract/tool';
import type { JsonValue } from '../errors/body';
import { reasonOf } from '../errors/reason';
import { toDocument } from '../schema/document';

function newValidator(): Ajv2020 {
  // JSON Schema 2020-12, Validation, section 7: a format is an annotation.
  return new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
}

/** Asserts that a schema is one by the 2020-12 meta-schema, and that it compiles without any other. */
export function assertSchema(schema: JsonSchema, what: string): void {
  const ajv = newValidator();
  assert.ok(ajv.validateSchema(schema), `the ${what} is no JSON Schema 2020-12: ${ajv.errorsText()}`);
  assert.doesNotThrow(() => ajv.compile(schema), `the ${what} does not compile alone`);
}

/** Asserts that a value satisfies a schema. */
export function assertConforms(schema: JsonSchema, value: unknown, what: string): void {
  const ajv = newValidator();
  assert.ok(ajv.validate(schema, value), `the ${what} breaks its schema: ${ajv.errorsText()}`);
}

function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** Asserts that two values are the same JSON, whatever the order of their keys. */
export function assertSameJson(actual: unknown, expected: unknown, message: string): void {
  // Test runners have realms, and objects of two realms are never deeply equal.
  assert.deepEqual(toPlain(actual), toPlain(expected), message);
}

function readDocument(file: string): JsonSchema {
  let document: JsonValue;
  try {
    document = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return assert.fail(`the exported schema ${file} cannot be read: ${reasonOf(error)}`);
  }
  return isSchema(document) ? document : assert.fail(`the exported schema ${file} is no object`);
}

/** Asserts that a file of `toolcrib schema --out` says what the tool says now. */
export function assertCurrent(spec: ToolSpec, file: string): void {
  const document = readDocument(file);
  const stale = `the exported schema ${file} is not current; write it again with toolcrib schema --out`;
  assertSameJson(document, toDocument(spec), stale);
}
