/**
 * One tool of a toolkit as a LangChain StructuredTool.
 * Invariant: whatever happens in a call, the model gets a message with the wire envelope; only pauses of the
 * graph are thrown. LangChain's own validation never runs before ours, since it hides what is wrong.
 */
import { ToolMessage } from '@langchain/core/messages';
import { StructuredTool, type ToolRunnableConfig, type ToolRuntime, tool } from '@langchain/core/tools';
import { isGraphBubbleUp } from '@langchain/langgraph';
import { toWire, type WireResult } from '../contract/result';
import type { ToolDefinition } from '../contract/tool';
import type { ToolErrorBody } from '../errors/body';
import type { Toolkit } from '../toolkit';
import { type PrincipalSource, toInvokeOptions } from './run-context';

/** Carries a failed result through LangChain's callbacks, so that tracing sees an error. */
class CallFailed extends Error {
  constructor(readonly body: ToolErrorBody) {
    super(`${body.code}: ${body.message}`);
    this.name = 'CallFailed';
  }
}

interface RequestedCall {
  readonly args: unknown;
  readonly id: string | undefined;
}

function isToolCall(
  input: unknown,
): input is { readonly type: 'tool_call'; readonly args?: unknown; readonly id?: string } {
  return typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call';
}

/** Tells what failed without a word of what LangChain itself threw. */
function bodyOf(thrown: unknown, isAborted: boolean): ToolErrorBody {
  if (thrown instanceof CallFailed) return thrown.body;
  return isAborted
    ? { code: 'cancelled', message: 'The run was cancelled.', retryable: false }
    : { code: 'internal_error', message: 'The call failed before it reached the tool.', retryable: false };
}

/** A tool whose schema is the toolkit's, and whose calls take the toolkit's path. */
export class ToolkitTool extends StructuredTool {
  override name: string;
  override description: string;
  override schema: Record<string, unknown>;
  // LangChain validates against this schema, which takes anything, and runs callbacks and context around it.
  private readonly inner;

  constructor(definition: ToolDefinition, toolkit: Toolkit, principalOf: PrincipalSource) {
    const metadata = { toolcrib: { ...definition._meta } };
    super({ metadata });
    this.name = definition.name;
    this.description = definition.description;
    // A copy, since model packages change what they are given.
    this.schema = structuredClone(definition.inputSchema);
    const { key } = definition._meta;
    const run = async (args: unknown, runtime: ToolRuntime): Promise<[string, WireResult]> => {
      const options = { ...toInvokeOptions(runtime, principalOf), isPause: isGraphBubbleUp };
      const result = await toolkit.invoke(key, args, options);
      if (!result.success) throw new CallFailed(result.error);
      const wire = toWire(result);
      return [JSON.stringify(wire), wire];
    };
    this.inner = tool(run, {
      name: this.name,
      description: this.description,
      schema: {},
      responseFormat: 'content_and_artifact',
      metadata,
    });
  }

  override async invoke(input: unknown, config?: ToolRunnableConfig): Promise<ToolMessage | string> {
    const call: RequestedCall = isToolCall(input)
      ? { args: input.args, id: input.id ?? config?.toolCall?.id }
      : { args: input, id: config?.toolCall?.id };
    try {
      const output: unknown = await this.inner.invoke(this.toInner(input, call), config);
      return ToolMessage.isInstance(output) ? output : String(output);
    } catch (thrown) {
      if (isGraphBubbleUp(thrown)) throw thrown;
      return this.answer(
        toWire({ success: false, error: bodyOf(thrown, config?.signal?.aborted === true) }),
        call,
      );
    }
  }

  override call(arg: unknown, config?: ToolRunnableConfig): Promise<ToolMessage | string> {
    return this.invoke(arg, config);
  }

  protected override _call(): Promise<string> {
    throw new TypeError('ToolkitTool answers in invoke');
  }

  /** LangChain cannot hand on undefined, and null means no arguments to the toolkit. */
  private toInner(input: unknown, { args }: RequestedCall): unknown {
    return isToolCall(input) ? { ...input, args: args ?? null } : (args ?? null);
  }

  private answer(wire: WireResult, { id }: RequestedCall): ToolMessage | string {
    const content = JSON.stringify(wire);
    if (id === undefined) return content;
    return new ToolMessage({
      status: wire.isError ? 'error' : 'success',
      tool_call_id: id,
      name: this.name,
      content,
      artifact: wire,
    });
  }
}
