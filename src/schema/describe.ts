/**
 * Describes a tool to a model: a spec becomes a definition, as it is or in the dialect of a provider.
 * Invariant: the definition is pure JSON; its schemas are the very ones that the contracts enforce, but for the
 * input's in a dialect, whose differences are all listed.
 */
import { type DescribeOptions, DIALECT_NAMES, type DialectDescription } from '../contract/dialect';
import { oncePer } from '../contract/once';
import type { ToolAnnotations, ToolDefinition, ToolDefinitionMeta, ToolSpec } from '../contract/tool';
import {
  DeclarationError,
  type DeclarationProblem,
  isDeclarationError,
  throwProblems,
} from '../errors/declaration-error';
import { projectSchema } from './dialects/project';
import { DIALECT_RULES, type DialectRules } from './dialects/rules';

function annotationsOf({ sideEffect, title }: ToolSpec): ToolAnnotations {
  return {
    ...(title === undefined ? {} : { title }),
    readOnlyHint: sideEffect.kind === 'none',
    destructiveHint: sideEffect.kind === 'destructive',
    idempotentHint: sideEffect.kind === 'none' || sideEffect.idempotent,
    openWorldHint: sideEffect.openWorld,
  };
}

function metaOf(spec: ToolSpec): ToolDefinitionMeta {
  const rules = spec.input.validatorOnlyRules;
  return {
    key: spec.key,
    version: spec.version,
    ...(spec.owner === undefined ? {} : { owner: spec.owner }),
    scopes: spec.scopes ?? null,
    ...(spec.deprecated === false ? {} : { deprecated: spec.deprecated }),
    ...(rules.length === 0 ? {} : { validatorOnlyRules: rules }),
  };
}

function descriptionOf({ description, deprecated }: ToolSpec): string {
  if (deprecated === false) return description;
  return `${description} (Deprecated${typeof deprecated === 'string' ? `: ${deprecated}` : ''}.)`;
}

function makeDefinition(spec: ToolSpec): ToolDefinition {
  return Object.freeze({
    name: spec.modelName,
    ...(spec.title === undefined ? {} : { title: spec.title }),
    description: descriptionOf(spec),
    inputSchema: spec.input.schema,
    ...(spec.output.schema === undefined ? {} : { outputSchema: spec.output.schema }),
    annotations: Object.freeze(annotationsOf(spec)),
    _meta: Object.freeze(metaOf(spec)),
  });
}

const definitionOf = oncePer(makeDefinition);

function makeDescription(spec: ToolSpec, rules: DialectRules): DialectDescription {
  const { schema, changes, refusals, restore } = projectSchema(spec.input.schema, rules);
  if (refusals.length > 0) {
    throw new DeclarationError(
      refusals.map(({ pointer, reason }) => ({
        code: 'outside_dialect',
        place: { tool: spec.key },
        message: `the dialect ${rules.name} cannot carry #${pointer} of the input schema: ${reason}`,
        mend: 'Declare it in a narrower way, or describe the tool in another dialect.',
      })),
    );
  }
  const definition = Object.freeze({ ...definitionOf(spec), inputSchema: schema });
  return Object.freeze({ definition, changes, restore });
}

const inJsonSchema = oncePer(
  (spec: ToolSpec): DialectDescription =>
    Object.freeze({
      definition: definitionOf(spec),
      changes: Object.freeze([]),
      restore: (args: unknown) => args,
    }),
);
const inDialect = {
  'json-schema': inJsonSchema,
  'openai-strict': oncePer((spec: ToolSpec) => makeDescription(spec, DIALECT_RULES['openai-strict'])),
  anthropic: oncePer((spec: ToolSpec) => makeDescription(spec, DIALECT_RULES.anthropic)),
  gemini: oncePer((spec: ToolSpec) => makeDescription(spec, DIALECT_RULES.gemini)),
};

/**
 * Describes a tool in a dialect, once for each spec: the definition, every difference from what the gate
 * enforces, and the function that turns the model's arguments into those that the gate takes.
 *
 * @throws DeclarationError `outside_dialect` with everything that the dialect cannot carry.
 * @throws TypeError when there is no such dialect.
 */
export function describe(spec: ToolSpec, options: DescribeOptions): DialectDescription;
/** Makes the definition of a tool, once for each spec. */
export function describe(spec: ToolSpec): ToolDefinition;
/** Both at once. */
export function describe(spec: ToolSpec, options?: DescribeOptions): ToolDefinition | DialectDescription {
  // `specs.map(describe)` hands over an index.
  if (typeof options !== 'object') return definitionOf(spec);
  const dialect = DIALECT_NAMES.find((name) => name === options?.dialect);
  if (dialect !== undefined) return inDialect[dialect](spec);
  const given: unknown = options?.dialect;
  const what = typeof given === 'string' ? given : `of type ${typeof given}`;
  throw new TypeError(`describe: there is no dialect ${what}; name one of ${DIALECT_NAMES.join(', ')}.`);
}

/**
 * Describes tools in a dialect, in their order.
 *
 * @throws DeclarationError `outside_dialect` with everything that the dialect cannot carry, of all tools.
 */
export function describeAll(
  specs: readonly ToolSpec[],
  options: DescribeOptions,
): readonly DialectDescription[] {
  const problems: DeclarationProblem[] = [];
  const described = specs.flatMap((spec) => {
    try {
      return describe(spec, options);
    } catch (error) {
      if (!isDeclarationError(error)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  throwProblems(problems);
  return described;
}
