/**
 * Says in words what a value breaks in an imported schema.
 * Invariant: a violation's rule is the schema's own keyword, and its words never repeat the value.
 */
import { childPointer, cutPointer, propertyOf } from '../../contract/pointer';
import type { Violation } from '../../contract/schema';
import type { SchemaError } from '../compile';
import { cutText } from './problem';

const MAX_KEY_LENGTH = 64;

type Params = SchemaError['params'];

function listed(values: unknown): string | undefined {
  const text = JSON.stringify(values);
  return text !== undefined && text.length <= 200 ? text : undefined;
}

function counted(count: unknown, one: string): string {
  return `${count} ${one}${count === 1 ? '' : one.endsWith('y') ? '' : 's'}`;
}

function compared({ comparison, limit }: Params): string {
  const words = new Map([
    ['<=', 'at most'],
    ['<', 'less than'],
    ['>=', 'at least'],
    ['>', 'more than'],
  ]);
  return `must be ${words.get(comparison) ?? comparison} ${limit}`;
}

/** What a value must be, by keyword. */
const WORDS: ReadonlyMap<string, (params: Params) => string> = new Map<string, (params: Params) => string>([
  ['type', ({ type }) => `must be of type ${[type].flat().join(' or ')}`],
  ['const', ({ allowedValue }) => `must be ${listed(allowedValue) ?? 'the value that the schema gives'}`],
  [
    'enum',
    ({ allowedValues }) => `must be one of ${listed(allowedValues) ?? 'the values that the schema lists'}`,
  ],
  ['multipleOf', ({ multipleOf }) => `must be a multiple of ${multipleOf}`],
  ['maximum', compared],
  ['minimum', compared],
  ['exclusiveMaximum', compared],
  ['exclusiveMinimum', compared],
  ['maxLength', ({ limit }) => `must have at most ${counted(limit, 'character')}`],
  ['minLength', ({ limit }) => `must have at least ${counted(limit, 'character')}`],
  ['pattern', ({ pattern }) => `must match the pattern ${cutText(String(pattern))}`],
  ['maxItems', ({ limit }) => `must have at most ${counted(limit, 'element')}`],
  ['minItems', ({ limit }) => `must have at least ${counted(limit, 'element')}`],
  ['uniqueItems', () => 'must have no two equal elements'],
  ['contains', () => 'must hold the right number of elements that the schema asks for'],
  ['maxProperties', ({ limit }) => `must have at most ${limit} properties`],
  ['minProperties', ({ limit }) => `must have at least ${limit} properties`],
  ['anyOf', () => 'must match at least one of the alternatives'],
  ['oneOf', () => 'must match exactly one of the alternatives'],
  ['not', () => 'must not match what the schema excludes'],
  ['if', ({ failingKeyword }) => `must match what the schema says under ${failingKeyword}`],
  ['items', ({ limit }) => `must have at most ${counted(limit, 'element')}`],
  ['unevaluatedItems', () => 'must have no further elements'],
]);

const UNKNOWN_PROPERTY: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
]);

/** The violation that an error is; none for one that another error says already. */
export function toSchemaViolation(error: SchemaError): Violation | undefined {
  const { params } = error;
  const at = cutPointer(error.instancePath);
  // What is wrong with a name is reported a second time, as the object's.
  if (error.propertyName !== undefined) return undefined;
  // Ajv calls the schema that admits nothing so.
  const rule = error.keyword === 'false schema' ? 'false' : error.keyword;
  if (rule === 'required' || rule === 'dependentRequired' || rule === 'dependencies') {
    const name = cutText(String(params.missingProperty));
    return { path: childPointer(at, name), rule, message: `${name} must be given` };
  }
  if (UNKNOWN_PROPERTY.has(rule)) {
    const named = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
    const key = String(named).slice(0, MAX_KEY_LENGTH);
    return { path: childPointer(at, key), rule, message: `a property ${key} must not be given` };
  }
  const words =
    WORDS.get(rule)?.(params) ?? (rule === 'false' ? 'must not be given' : `must satisfy ${rule}`);
  return { path: at, rule, message: `${propertyOf(error.instancePath).slice(0, MAX_KEY_LENGTH)} ${words}` };
}
