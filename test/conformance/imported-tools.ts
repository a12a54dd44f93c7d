/**
 * The tools of the conformance suite that come and go, or whose schema is no DTO's.
 * Invariant: they are registered as any tool that an application imports, by `registry.update`.
 */
import {
  content,
  NoInput,
  outputContract,
  type RegistryDraft,
  Scopes,
  SideEffect,
  schemaInputContract,
  Tool,
  type ToolHandler,
  type ToolRegistry,
  type ToolSpec,
  toModelName,
  toToolKey,
} from 'toolcrib';

const version = '1.0.0';

/** The schema that the scenario json-schema-2020-12 wants to find again. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Arguments that clients mirror in headers (MCP 2026-07-28, Streamable HTTP › Custom Headers). */
const MIRRORED = {
  type: 'object',
  properties: {
    region: { type: 'string', description: 'Where it is done', 'x-mcp-header': 'Region' },
    query: { type: 'string', description: 'What is done' },
  },
  additionalProperties: false,
};

function importedSpec(name: string, description: string, schema: object, handler: ToolHandler): ToolSpec {
  return {
    name,
    version,
    key: toToolKey(name, version),
    modelName: toModelName(name),
    title: undefined,
    description,
    owner: undefined,
    scopes: [],
    sideEffect: { kind: 'none', idempotent: true, openWorld: false, declared: true },
    input: schemaInputContract(schema),
    output: outputContract(undefined),
    handler,
    timeoutMs: undefined,
    maxResultBytes: undefined,
    idempotencyKey: undefined,
    deprecated: false,
    source: { class: 'imported', member: name },
  };
}

/** Registers the tools whose schemas a DTO could not say. */
export function registerImported(draft: RegistryDraft): void {
  const answer = () => content([{ type: 'text', text: 'ok' }]);
  draft.register(importedSpec('json_schema_2020_12_tool', 'Uses all of JSON Schema', SCHEMA, answer));
  draft.register(importedSpec('test_custom_header', 'Takes an argument in a header', MIRRORED, answer));
}

/** Changes the list of tools while it is served. */
@Scopes()
@SideEffect('none')
export class ChangingTools {
  constructor(private readonly registry: () => ToolRegistry) {}

  @Tool({ name: 'test_trigger_tool_change', version, description: 'Adds or removes a tool', input: NoInput })
  change() {
    const late = importedSpec('test_late_tool', 'Comes and goes', { type: 'object' }, () => 'here');
    const registry = this.registry();
    const isThere = registry.get(late.key) !== undefined;
    registry.update((draft) => (isThere ? draft.remove(late.key) : draft.register(late)));
    return content([{ type: 'text', text: isThere ? 'removed' : 'added' }]);
  }
}
