/**
 * A tool as its author declared it (`ToolSpec`) and as the model sees it (`ToolDefinition`).
 * Invariant: a definition is pure JSON made from a spec; a spec is frozen and made once.
 */
import type { Class } from './class';
import type { ToolContext } from './context';
import type { ErrorMapping } from './mapping';
import type { InputContract, JsonSchema, OutputContract, ValidatorOnlyRule } from './schema';

/** What a tool does to the world: nothing, a change, or a change that cannot be taken back. */
export type SideEffectKind = 'none' | 'write' | 'destructive';

/** The author's word on what the tool does to the world. */
export interface SideEffectDeclaration {
  readonly kind: SideEffectKind;
  /** Calling again with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** The tool reaches systems outside the application's own. */
  readonly openWorld: boolean;
  /** False when `@SideEffect` was left out and `destructive` was assumed. */
  readonly declared: boolean;
}

/** Runs a tool on parsed input; whatever it returns or throws is turned into a result elsewhere. */
export type ToolHandler = (input: unknown, context: ToolContext) => unknown;

/** Everything that the author declared about one version of one tool. */
export interface ToolSpec {
  /** `domain.action`. */
  readonly name: string;
  /** A full semantic version. */
  readonly version: string;
  /** `name@version`, the identity in the registry. */
  readonly key: string;
  /** The name that model APIs see. */
  readonly modelName: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly owner: string | undefined;
  /** All are required; empty: anyone may call; undefined: nobody decided, so nobody may call. */
  readonly scopes: readonly string[] | undefined;
  readonly sideEffect: SideEffectDeclaration;
  readonly input: InputContract;
  readonly output: OutputContract;
  readonly handler: ToolHandler;
  /** Says what a call would do, for the person who is asked to approve it; left out: nothing is said. */
  readonly preview?: ToolHandler | undefined;
  /** Deadline of one call in milliseconds; undefined: the toolkit's. */
  readonly timeoutMs: number | undefined;
  /** Bound of the output's JSON in bytes, content included; undefined: the toolkit's. */
  readonly maxResultBytes: number | undefined;
  /** The author's business key of one call, made from parsed input. */
  readonly idempotencyKey: ((input: unknown) => string) | undefined;
  /** The name of the tool that takes the action back; left out: none. */
  readonly compensation?: string | undefined;
  /** What the author says of errors; left out: nothing. */
  readonly mapError?: ErrorMapping | undefined;
  /** True, or what to use instead. */
  readonly deprecated: boolean | string;
  /** The class that carries the declaration; left out where no class does. */
  readonly declaredBy?: Class;
  /** Where it was declared. */
  readonly source: { readonly class: string; readonly member: string; readonly file?: string };
}

/** MCP's tool annotations (2026-07-28, Tools › Tool). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a definition says beside what MCP defines. */
export interface ToolDefinitionMeta {
  /** The registry's key, `name@version`. */
  readonly key: string;
  readonly version: string;
  readonly owner?: string;
  /** All are required; null: nobody may call. */
  readonly scopes: readonly string[] | null;
  readonly deprecated?: boolean | string;
  readonly validatorOnlyRules?: readonly ValidatorOnlyRule[];
}

/** What the model sees of a tool, as pure JSON. */
export interface ToolDefinition {
  /** The model name. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly _meta: ToolDefinitionMeta;
}
