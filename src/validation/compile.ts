/**
 * Compiles a JSON Schema into a check.
 * Invariant: `accepts` and `errors` follow the same schema: a value has errors exactly when it is not accepted.
 */
import { _, type CodeKeywordDefinition, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import codePointsOf from 'ajv/dist/runtime/ucs2length';
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties';
import type { JsonSchema } from '../contract/schema';
import { mayGenerateCode } from './code-generation';
import type { CompiledSchema, SchemaError } from './compiled-schema';
import { interpretSchema } from './interpret';

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
  // No emitted schema asks what was evaluated, and only where none does Ajv leave an anyOf at the first branch that holds.
  if (isEmitted) ajv.opts.unevaluated = false;
  const replaced = ['maxLength', 'minLength', 'additionalProperties'];
  for (const keyword of replaced) ajv.removeKeyword(keyword);
  return ajv.addKeyword(LENGTH).addKeyword(CLOSED).compile(schema);
}

/**
 * Compiles a schema: a check that ends at the first error now, and one that lists them all when first asked.
 * Where code may not be generated, the schema is interpreted.
 */
export function compileSchema(schema: JsonSchema, origin: Origin = 'emitted'): CompiledSchema {
  if (!mayGenerateCode()) return interpretSchema(schema);
  const accepts = generate(schema, origin, {});
  let explain: ValidateFunction | undefined;
  return {
    accepts: (value) => accepts(value),
    errors: (value) => {
      explain ??= generate(schema, origin, { allErrors: true, verbose: true });
      return explain(value) ? [] : (explain.errors ?? []);
    },
  };
}
