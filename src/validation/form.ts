/**
 * DTOs as forms that a person fills in: a flat object of plain fields.
 * Invariant: a form offers whatever its contract accepts and may offer more; what it cannot say is judged by the
 * contract, when the answer comes. Its lengths alone count variation selectors, which those of the contract do not.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { childFragment } from '../contract/pointer';
import { type InputContract, isSchema, type JsonSchema } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { type DeclarationProblem, throwProblems } from '../errors/declaration-error';
import { restateLengths } from '../schema/patterns/text-length';
import { inputContract } from './contracts';

/** A form, and the contract of its answers. */
export interface Form {
  /** In the subset of JSON Schema of MCP's forms (2026-07-28, Elicitation › Requested Schema). */
  readonly schema: JsonSchema;
  readonly contract: InputContract<object>;
}

const TEXT = ['title', 'description'] as const;
const BOUNDS = {
  string: ['minLength', 'maxLength', 'default'],
  number: ['minimum', 'maximum', 'default'],
  integer: ['minimum', 'maximum', 'default'],
  boolean: ['default'],
  array: ['minItems', 'maxItems', 'default'],
} as const;
const FORMATS: readonly JsonValue[] = ['email', 'uri', 'date', 'date-time'];
/** Rules that a form names by a format. */
const FORMAT_OF: ReadonlyMap<string, string> = new Map([
  ['isEmail', 'email'],
  ['isUrl', 'uri'],
]);
const MEND =
  'Make it a string, a number, a boolean, an enum of strings, or a list of such an enum, and ask for the rest by itself.';

type FieldType = keyof typeof BOUNDS;

function isFieldType(type: JsonValue | undefined): type is FieldType {
  return typeof type === 'string' && Object.hasOwn(BOUNDS, type);
}

function pick(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  // A default of null says that there is none.
  const own = keywords.flatMap((keyword) => {
    const value = schema[keyword];
    return value === undefined || value === null ? [] : [[keyword, value] as const];
  });
  return Object.fromEntries(own);
}

/** The texts that a schema lists, without null, which a form leaves out; undefined: it lists something else too. */
function textsOf({ enum: listed }: JsonSchema): readonly string[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const values = listed.filter((value) => value !== null);
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length && texts.length > 0 ? texts : undefined;
}

/** One type that is not null. */
function typeOf({ type }: JsonSchema): JsonValue | undefined {
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return types.length === 1 ? types[0] : undefined;
}

/** The field for a property; undefined where no form has one. */
function toField(schema: JsonSchema, format: string | undefined): JsonSchema | undefined {
  const type = typeOf(schema);
  if (!isFieldType(type)) return undefined;
  const field = { type, ...pick(schema, [...TEXT, ...BOUNDS[type]]) };
  if (type === 'array') {
    const { items } = schema;
    const texts = isSchema(items) && typeOf(items) === 'string' ? textsOf(items) : undefined;
    return texts === undefined ? undefined : { ...field, items: { type: 'string', enum: [...texts] } };
  }
  if (schema.enum !== undefined) {
    const texts = type === 'string' ? textsOf(schema) : undefined;
    return texts === undefined
      ? undefined
      : { type, ...pick(schema, [...TEXT, 'default']), enum: [...texts] };
  }
  const named = schema.format ?? format;
  return named !== undefined && FORMATS.includes(named) ? { ...field, format: named } : field;
}

function makeForm(cls: Class): Form {
  const contract = inputContract(cls);
  const { properties = {}, required } = contract.schema;
  const problems: DeclarationProblem[] = [];
  const fields: [string, JsonSchema][] = [];
  for (const [name, schema] of Object.entries(isSchema(properties) ? properties : {})) {
    const path = childFragment('#/properties', name);
    const ofField = contract.validatorOnlyRules.filter(({ schemaPath }) => schemaPath === path);
    const format = ofField.flatMap(({ rule }) => FORMAT_OF.get(rule) ?? [])[0];
    const field = isSchema(schema) ? toField(restateLengths(schema), format) : undefined;
    if (field !== undefined) fields.push([name, field]);
    else {
      const message = 'a form has no field for what it holds';
      problems.push({
        code: 'outside_dialect',
        place: { class: cls.name, member: name },
        message,
        mend: MEND,
      });
    }
  }
  if (fields.length === 0 && problems.length === 0) {
    const message = 'a form needs a property, and there is none';
    problems.push({ code: 'outside_dialect', place: { class: cls.name }, message, mend: 'Declare one.' });
  }
  throwProblems(problems);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required === undefined ? {} : { required }),
  };
  return { schema, contract };
}

/** The form of a DTO, made once. @throws DeclarationError as {@link describeForm} does. */
export const formOf = oncePer(makeForm);

/**
 * The form that a person gets to see for a DTO: what `context.requestInput` asks.
 *
 * @throws DeclarationError `outside_dialect` with every property that a form has no field for, and as `inputContract`
 * does.
 */
export function describeForm(model: Class): JsonSchema {
  return structuredClone(formOf(model).schema);
}
