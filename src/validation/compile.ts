/**
 * Compiles a JSON Schema into a check.
 * Invariant: `accepts` and `errors` follow the same schema: a value has errors exactly when it is not accepted.
 */
import { _, type CodeKeywordDefinition, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import codePointsOf from 'ajv/dist/runtime/ucs2length';
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties';
import { isSchema, type JsonSchema, MCP_HEADER } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { mayGenerateCode } from './code-generation';
import type { CompiledSchema, SchemaError } from './compiled-schema';
import { subschemasOf } from './imported/dialect';
import { interpretSchema } from './interpret';
import { isMultipleOf } from './multiple-of';

export type { CompiledSchema, SchemaError };

/** Where a schema comes from: the emitter, or outside, in the form that the gate takes. */
export type Origin = 'emitted' | 'imported';

const OPTIONS: Options = {
  allowUnionTypes: true,
  // JSON Schema 2020-12, Validation, section 7: a format is an annotation.
  validateFormats: false,
  // Emitted schemas are valid, and compiling the meta-schema would cost more than all the rest.
  validateSchema: false,
  meta: false,
  // What cannot be compiled is interpreted, and Ajv would print all its code.
  logger: false,
};

/** The two bounds of a text's length; its code points are counted only where the units do not tell. */
const LENGTH: CodeKeywordDefinition = {
  keyword: ['maxLength', 'minLength'],
  before: 'pattern',
  type: 'string',
  schemaType: 'number',
  error: {
    message: 'must have another length',
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  code(context) {
    const { gen, keyword, data, schemaCode: limit } = context;
    const count = _`${gen.scopeValue('func', { ref: codePointsOf })}(${data})`;
    const units = _`${data}.length`;
    context.fail(
      keyword === 'maxLength'
        ? _`${units} > ${limit} && ${count} > ${limit}`
        : _`${units} < ${limit} || (${units} < 2 * ${limit} && ${count} < ${limit})`,
    );
  },
};

/** Up to how many names a key is compared with one by one; Ajv does so up to eight, and then asks a table. */
const FEW_NAMES = 32;

/** Closes an object to all but its declared properties. */
const CLOSED: CodeKeywordDefinition = {
  ...additionalProperties,
  keyword: 'additionalProperties',
  before: 'properties',
  code(context) {
    const { gen, schema, parentSchema, data, it } = context;
    const names = Object.keys(parentSchema.properties ?? {});
    const isOther = schema !== false || parentSchema.patternProperties !== undefined;
    if (isOther || it.allErrors || names.length > FEW_NAMES) return additionalProperties.code(context);
    it.props = true;
    const unknown = gen.let('unknown');
    gen.forIn('key', data, (key) => {
      const isUnknown = names
        .map((name) => _`${key} !== ${name}`)
        .reduce((all, one) => _`${all} && ${one}`, _`true`);
      gen.if(isUnknown, () => gen.assign(unknown, key).break());
    });
    context.setParams({ additionalProperty: unknown });
    context.fail(_`${unknown} !== undefined`);
  },
};

/** Divides as JSON writes numbers; Ajv divides their binary forms, by which 19.99 is no multiple of 0.01. */
const MULTIPLE: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: {
    message: 'must be a multiple',
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  code(context) {
    const { gen, data, schemaCode } = context;
    context.fail(_`!${gen.scopeValue('func', { ref: isMultipleOf })}(${data}, ${schemaCode})`);
  },
};

function namesEmpty(names: JsonValue | undefined): boolean {
  return Array.isArray(names) && names.includes('');
}

/** Ajv writes dependent names one within the other. */
const MOST_DEPENDENT = 100;

function isLong(names: JsonValue | undefined): boolean {
  return Array.isArray(names) && names.length > MOST_DEPENDENT;
}

/**
 * Tells a schema by which Ajv judges wrongly, or whose code is too deep to be read. What is evaluated it gets wrong
 * beside `contains`, in branches and for the names of `Object.prototype`; the absence of the property without a
 * name it takes for none.
 */
function isBeyondAjv(root: JsonSchema): boolean {
  const stack = [root];
  for (let schema = stack.pop(); schema !== undefined; schema = stack.pop()) {
    if (schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined) return true;
    const { required, dependentRequired = {}, dependencies = {} } = schema;
    const byName = [dependentRequired, dependencies].flatMap((names) => Object.values(names ?? {}));
    if ([required, ...byName].some(namesEmpty) || byName.some(isLong)) return true;
    stack.push(
      ...subschemasOf(schema, '2020-12')
        .map(({ value }) => value)
        .filter(isSchema),
    );
  }
  return false;
}

/** An instance for each function, since one that is shared would hold every schema for ever. */
function generate(schema: JsonSchema, origin: Origin, options: Options): ValidateFunction {
  const isEmitted = origin === 'emitted';
  const ajv = new Ajv2020({
    ...OPTIONS,
    ...options,
    strict: isEmitted,
    // Or `required: ['constructor']` would hold of every object.
    ownProperties: !isEmitted,
    // Or a definition that is named a thousand times would be written out a thousand times.
    inlineRefs: isEmitted,
  });
  // No schema here asks what was evaluated; only then does Ajv leave an anyOf at the first branch that holds.
  ajv.opts.unevaluated = false;
  const replaced = ['maxLength', 'minLength', 'additionalProperties', 'multipleOf'];
  for (const keyword of replaced) ajv.removeKeyword(keyword);
  return ajv
    .addVocabulary([MCP_HEADER])
    .addKeyword(LENGTH)
    .addKeyword(CLOSED)
    .addKeyword(MULTIPLE)
    .compile(schema);
}

/** Generates a check; none where definitions are linked in a chain so long that the compiler has no stack left. */
function tryToGenerate(schema: JsonSchema, origin: Origin, options: Options): ValidateFunction | undefined {
  try {
    return generate(schema, origin, options);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Up to how many values, containers included, all that is wrong is listed by generated code. */
const FEW_VALUES = 1_000;

function holdsMany(value: unknown): boolean {
  const stack: unknown[] = [value];
  let count = 0;
  for (let one = stack.pop(); stack.length > 0 || one !== undefined; one = stack.pop()) {
    count += 1;
    if (count > FEW_VALUES) return true;
    if (typeof one !== 'object' || one === null) continue;
    const inner = Object.values(one);
    if (inner.length > FEW_VALUES) return true;
    stack.push(...inner);
  }
  return false;
}

/**
 * Compiles a schema: a check that ends at the first error now, and one that lists them all when first asked. Of a
 * large value the interpreter lists them, which stops at some number. Where no code may be generated, or none can
 * be that is right, the schema is interpreted altogether.
 */
export function compileSchema(schema: JsonSchema, origin: Origin = 'emitted'): CompiledSchema {
  const interpreted = interpretSchema(schema);
  if (!mayGenerateCode() || isBeyondAjv(schema)) return interpreted;
  const accepts = tryToGenerate(schema, origin, {});
  if (accepts === undefined) return interpreted;
  let explain: ValidateFunction | undefined;
  return {
    accepts: (value) => accepts(value),
    errors: (value) => {
      if (holdsMany(value)) return interpreted.errors(value);
      explain ??= tryToGenerate(schema, origin, { allErrors: true, verbose: true });
      if (explain === undefined) return interpreted.errors(value);
      return explain(value) ? [] : (explain.errors ?? []);
    },
  };
}
