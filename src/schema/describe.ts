/**
 * Describes a tool to a model: a spec becomes a definition.
 * Invariant: the definition is pure JSON, and its schemas are the very ones that the contracts enforce.
 */
import { oncePer } from '../contract/once';
import type { ToolAnnotations, ToolDefinition, ToolDefinitionMeta, ToolSpec } from '../contract/tool';

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

/** Makes the definition of a tool, once for each spec. */
export const describe: (spec: ToolSpec) => ToolDefinition = oncePer(makeDefinition);
