/**
 * What a field of a tool should say, as one table.
 * Invariant: a rule looks at one field alone, and finds at most one fault of its code in it, but for rules
 * that are listed one by one.
 */
import { MATCHES } from 'class-validator';
import { isSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { applyRule } from '../../schema/apply-rule';
import type { RuleUse } from '../../schema/property-model';
import type { Field, ObjectNode } from './fields';
import type { Fault, FindingCode } from './finding';
import { boundsLength, matchesEmpty } from './pattern';
import { isFreeForm, isListed, itemsOf, type Shape, takes } from './shape';
import { missingUnit } from './units';

interface FieldRule {
  readonly code: FindingCode;
  readonly mend: string;
  /** What is wrong, in words; empty where nothing is. */
  find(field: Field): readonly string[];
}

function says(isWrong: boolean, reason: string): readonly string[] {
  return isWrong ? [reason] : [];
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isDate(shape: Shape): boolean {
  return shape.some(({ format }) => format === 'date-time');
}

function isOpenText(shape: Shape): boolean {
  return takes(shape, 'string') && !isFreeForm(shape) && !isListed(shape) && !isDate(shape);
}

function isUnboundedText(shape: Shape): boolean {
  const bounds = ({ maxLength, pattern }: Shape[number]) =>
    maxLength !== undefined || (typeof pattern === 'string' && boundsLength(pattern));
  return isOpenText(shape) && !shape.some(bounds);
}

function lists(value: JsonValue | undefined, wanted: JsonValue): boolean {
  return Array.isArray(value) && value.includes(wanted);
}

function takesEmptyText(shape: Shape): boolean {
  if (!takes(shape, 'string') || isFreeForm(shape)) return false;
  return shape.every(
    (node) =>
      !(Number(node.minLength ?? 0) >= 1) &&
      !(typeof node.pattern === 'string' && !matchesEmpty(node.pattern)) &&
      (node.enum === undefined || lists(node.enum, '')) &&
      (node.const === undefined || node.const === '') &&
      !(isSchema(node.not) && lists(node.not.enum, '')),
  );
}

/** Tells whether any of a DTO's rules refuses a value, also one that the schema cannot express. */
function isRefused(uses: readonly RuleUse[], value: JsonValue, property: string): boolean {
  return uses.some((use) => {
    try {
      return applyRule(use, { value, whole: value, holder: {}, property }) === false;
    } catch {
      return true;
    }
  });
}

function refusesEmptyText({ model, name }: Field): boolean {
  return model !== undefined && isRefused(model.list ? model.elementRules : model.rules, '', name);
}

function isUnboundedArray(shape: Shape): boolean {
  if (!takes(shape, 'array') || isFreeForm(shape) || isListed(shape)) return false;
  const isSet = shape.some((node) => node.uniqueItems === true) && isListed(itemsOf(shape));
  return !isSet && !shape.some((node) => node.maxItems !== undefined);
}

/** An integer is always bounded by what JSON carries exactly, which is no bound of the field's own. */
function isBound(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function isOpenNumber(shape: Shape): boolean {
  return takes(shape, 'number') && !isFreeForm(shape) && !isListed(shape);
}

function missingBounds(shapes: readonly Shape[]): readonly string[] {
  const open = shapes.filter(isOpenNumber);
  const lacks = (...keywords: readonly string[]) =>
    open.some((shape) => !shape.some((node) => keywords.some((keyword) => isBound(node[keyword]))));
  return [
    ...(lacks('minimum', 'exclusiveMinimum') ? ['minimum'] : []),
    ...(lacks('maximum', 'exclusiveMaximum') ? ['maximum'] : []),
  ];
}

function hasExample({ node, holder, name }: Field): boolean {
  const ofHolder: readonly JsonValue[] = Array.isArray(holder.node.examples) ? holder.node.examples : [];
  return (
    (Array.isArray(node.examples) && node.examples.length > 0) ||
    ofHolder.some((example) => isSchema(example) && name in example)
  );
}

/** Tells whether a pattern of the author's own says what the text looks like; those of known rules have names. */
function hasPattern({ model, shapes }: Field): boolean {
  if (model !== undefined)
    return [...model.rules, ...model.elementRules].some(({ name }) => name === MATCHES);
  return shapes.some((shape) => isOpenText(shape) && shape.some(({ pattern }) => pattern !== undefined));
}

/** Rules on dates and nested DTOs are for instances, which an example is not. */
function isBadExample({ document, pointer, model, name }: Field, example: JsonValue): boolean {
  if (!document.accepts(pointer, example)) return true;
  const isNull = example === null && model?.optional === true;
  return model?.value.kind === 'json' && !isNull && isRefused(model.rules, example, name);
}

const FIELD_RULES: readonly FieldRule[] = [
  {
    code: 'missing_description',
    mend: "Add @JSONSchema({ description: '…' }).",
    // The schema's own description may consist of rules in words alone.
    find: ({ model, node }) =>
      says(!isText((model?.text ?? node).description), 'there is no description for the model'),
  },
  {
    code: 'missing_example',
    mend: "Add @JSONSchema({ examples: ['…'] }) with a text that fits the pattern.",
    find: (field) => says(hasPattern(field) && !hasExample(field), 'there is a pattern and no example of it'),
  },
  {
    code: 'missing_unit',
    mend: 'Put the unit at the end of the name.',
    find: ({ name, shapes }) => {
      const suggestion = missingUnit(name);
      return suggestion === undefined || !shapes.some((shape) => takes(shape, 'number') && !isFreeForm(shape))
        ? []
        : [`the name does not say in what unit, as an ending such as ${suggestion} would`];
    },
  },
  {
    code: 'unbounded_string',
    mend: 'Add @MaxLength or @Length, or list the values with @IsIn or @IsEnum.',
    find: ({ shapes }) => says(shapes.some(isUnboundedText), 'the text may be of any length'),
  },
  {
    code: 'possibly_empty_string',
    mend: 'Add @MinLength(1) or @Length; what may be missing has @IsOptional().',
    find: (field) =>
      says(field.shapes.some(takesEmptyText) && !refusesEmptyText(field), 'the text may be empty'),
  },
  {
    code: 'unbounded_array',
    mend: 'Add @ArrayMaxSize.',
    find: ({ shapes }) => says(shapes.some(isUnboundedArray), 'the array may have any number of elements'),
  },
  {
    code: 'unbounded_number',
    mend: 'Add @Min and @Max.',
    find: ({ shapes }) => {
      const missing = missingBounds(shapes);
      return says(missing.length > 0, `the number has no ${missing.join(' and no ')}`);
    },
  },
  {
    code: 'free_form_value',
    mend: 'Declare a DTO with @ValidateNested() and @Type, or a rule that bounds the value.',
    find: ({ shapes }) => says(shapes.some(isFreeForm), 'any JSON is taken, of any size'),
  },
  {
    code: 'validator_only_rule',
    mend: 'Write a rule that JSON Schema can express, such as @Matches, or waive this with the reason why words are enough.',
    find: ({ validatorOnlyRules }) =>
      validatorOnlyRules.map(({ rule, text }) => `the schema cannot express ${rule}: ${text}`),
  },
  {
    code: 'invalid_example',
    mend: 'Give a list of examples that the field takes.',
    find: (field) => {
      const { examples } = field.node;
      if (!Array.isArray(examples)) return says(examples !== undefined, 'examples is not a list');
      const values: readonly JsonValue[] = examples;
      const wrong = values.findIndex((example) => isBadExample(field, example));
      return says(wrong >= 0, `the example at ${wrong} breaks the rules of the field`);
    },
  },
  {
    code: 'invalid_default',
    mend: 'Give a default that the field takes.',
    find: ({ document, pointer, node }) =>
      says(
        node.default !== undefined && !document.accepts(pointer, node.default),
        'the default breaks the rules of the field',
      ),
  },
];

/** Finds what is wrong with a field. */
export function faultsOfField(field: Field): readonly Fault[] {
  return FIELD_RULES.flatMap(({ code, mend, find }) => find(field).map((reason) => ({ code, reason, mend })));
}

/** Finds what is wrong with the examples of a DTO as a whole. */
export function faultsOfObject({ document, pointer, node: { examples } }: ObjectNode): readonly Fault[] {
  const mend = 'Give a list of examples that the class takes.';
  const fault = (reason: string): readonly Fault[] => [{ code: 'invalid_example', reason, mend }];
  if (!Array.isArray(examples)) return examples === undefined ? [] : fault('examples is not a list');
  const values: readonly JsonValue[] = examples;
  const wrong = values.findIndex((example) => !document.accepts(pointer, example));
  return wrong < 0 ? [] : fault(`the example at ${wrong} breaks the rules of the class`);
}
