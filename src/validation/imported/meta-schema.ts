/**
 * Holds an imported schema against the meta-schema of its draft.
 * Invariant: the meta-schemas demand what json-schema.org's do; each is compiled once, on first use.
 */

import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json';
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json';
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json';
import format from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json';
import metadata from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json';
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json';
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json';
import draft2020 from 'ajv/dist/refs/json-schema-2020-12/schema.json';
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json';
import { DIALECT, isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { DeclarationProblem } from '../../errors/declaration-error';
import { type CompiledSchema, compileSchema } from '../compile';
import type { Draft } from './dialect';
import { toGateForm } from './gate-form';
import { MAX_PROBLEMS, schemaProblem } from './problem';
import { References } from './references';
import { toSchemaViolation } from './words';

/** In the published meta-schema every vocabulary comes back to the whole, so its name can stand there. */
function fixDynamic(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!('$dynamicRef' in value) || typeof value.$dynamicRef !== 'string') return value;
  return { $ref: DIALECT };
}

function wholeOf(draft: Draft): JsonSchema {
  const vocabularies = { core, applicator, unevaluated, validation, metadata, format, content };
  // Ajv's copy demands more of enum than draft 7 does, where distinct elements are advice (Validation, 6.1.2).
  const whole7 = { ...draft7, properties: { ...draft7.properties, enum: { type: 'array', items: true } } };
  const published = draft === '7' ? whole7 : { ...draft2020, $defs: vocabularies };
  const copied: JsonValue = JSON.parse(JSON.stringify(published), fixDynamic);
  return isSchema(copied) ? copied : {};
}

const compiled = new Map<Draft, CompiledSchema>();

function metaSchemaOf(draft: Draft): CompiledSchema {
  const known = compiled.get(draft);
  if (known !== undefined) return known;
  const whole = wholeOf(draft);
  const made = compileSchema(toGateForm(whole, draft, new References(whole, draft)).schema, 'imported');
  compiled.set(draft, made);
  return made;
}

/** Lists where a schema, which stands at a pointer, breaks the meta-schema of its draft. */
export function metaSchemaProblems(
  schema: JsonSchema,
  draft: Draft,
  pointer: string,
): readonly DeclarationProblem[] {
  const metaSchema = metaSchemaOf(draft);
  if (metaSchema.accepts(schema)) return [];
  const found = new Map<string, DeclarationProblem>();
  for (const error of metaSchema.errors(schema)) {
    const violation = toSchemaViolation(error);
    if (violation === undefined) continue;
    const { path, rule, message } = violation;
    const mend = `write what the meta-schema of draft ${draft} allows`;
    found.set(`${path} ${rule}`, schemaProblem(pointer + path, `${message} [${rule}]`, mend));
    if (found.size === MAX_PROBLEMS) break;
  }
  return [...found.values()];
}
