/**
 * The base class of class tools: name, description, input model and `execute`.
 * Invariant: an instance that lacks one of the four cannot be made, and a call of it takes the same path as
 * any other.
 */
import type { InvokeOptions } from './contract/call';
import type { Class } from './contract/class';
import type { Content, StructuredResult } from './contract/content';
import type { ToolContext } from './contract/context';
import { toModelName, toToolKey } from './contract/names';
import type { ToolResult } from './contract/result';
import type { JsonSchema } from './contract/schema';
import type { Serialized } from './contract/serialized';
import { ownerOf } from './invocation/owners';
import { memberOf } from './metadata/members';
import { type DeclaredTool, toolFact } from './metadata/tool-facts';
import { assemble, type Toolkit } from './toolkit';
import { inputContract } from './validation/contracts';

/** A tool as function-calling APIs take it. */
export interface FunctionSchema {
  /** The model name. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments. */
  readonly parameters: JsonSchema;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Extended by class tools that want to be called on their own, without a toolkit.
 *
 * @throws TypeError on construction, when name, description, input or `execute` is missing; it names which.
 */
export abstract class BaseTool<In extends object, Out> {
  private alone: Promise<Toolkit> | undefined;

  constructor() {
    const declared: DeclaredTool = toolFact.read({ holder: new.target }) ?? {};
    const lacks = [
      ...(isText(declared.name) ? [] : ['name']),
      ...(isText(declared.description) ? [] : ['description']),
      ...(typeof declared.input === 'function' ? [] : ['input']),
      ...(typeof memberOf(new.target.prototype, 'execute') === 'function' ? [] : ['execute']),
    ];
    if (lacks.length > 0) {
      throw new TypeError(
        `${new.target.name} lacks ${lacks.join(', ')}: give name, description and input (NoInput for none) in @Tool on this very class, and write execute(input, context).`,
      );
    }
  }

  /** Does the work. Returns the output, with `content(…)` where there is more than JSON, or throws a ToolError. */
  abstract execute(input: In, context: ToolContext): Out | Content<Out> | Promise<Out | Content<Out>>;

  /** Says what a call would do, for the person who is asked to approve it; it must do nothing itself. */
  preview?(input: In, context: ToolContext): unknown;

  /** The declared name, `domain.action`. */
  get name(): string {
    return String(this.declared.name);
  }

  /** The declared description. */
  get description(): string {
    return String(this.declared.description);
  }

  /** The declared DTO class of the arguments. */
  get inputModel(): Class<In> {
    // The constructor has seen that it is a class, and @Tool's types that it makes what execute takes.
    return this.declared.input as Class<In>;
  }

  /** The tool as function-calling APIs take it. */
  getSchema(): FunctionSchema {
    return {
      name: toModelName(this.name),
      description: this.description,
      parameters: inputContract(this.inputModel).schema,
    };
  }

  /**
   * Calls the tool through the toolkit that discovered this instance, or else through a private one with the
   * defaults. Always settles with a result.
   *
   * @throws DeclarationError when the declaration is not sound and no toolkit has discovered the instance.
   */
  async invoke(
    args: unknown,
    options?: InvokeOptions,
  ): Promise<ToolResult<Serialized<StructuredResult<Out>>>> {
    const invoker = ownerOf(this) ?? (await this.privately());
    const key = toToolKey(this.name, String(this.declared.version));
    // The output contract has turned what execute returned into JSON.
    return (await invoker.invoke(key, args, options)) as ToolResult<Serialized<StructuredResult<Out>>>;
  }

  private get declared(): DeclaredTool {
    return toolFact.read({ holder: this.constructor }) ?? {};
  }

  /** A toolkit of this one instance, which does not keep another from discovering it. */
  private privately(): Promise<Toolkit> {
    this.alone ??= assemble({ discover: { instances: [this] } }, { alone: true }).then(
      ({ toolkit }) => toolkit,
    );
    return this.alone;
  }
}
