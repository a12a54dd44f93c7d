/**
 * One tool of a toolkit as a LangChain StructuredTool.
 * Invariant: whatever happens in a call, the model gets a message with the wire envelope; only pauses of the
 * graph are thrown. LangChain's own validation never runs before ours, since it hides what is wrong.
 */
import { ToolMessage } from '@langchain/core/messages';
import { ensureConfig } from '@langchain/core/runnables';
import { StructuredTool, type ToolRunnableConfig, type ToolRuntime, tool } from '@langchain/core/tools';
import { isGraphBubbleUp } from '@langchain/langgraph';
import { toWire, type WireResult } from '../contract/result';
import type { ToolDefinition } from '../contract/tool';
import type { ToolErrorBody } from '../errors/body';
import type { Toolkit } from '../toolkit';
import { interruptingApprover } from './approval';
import { interruptingRequester } from './input';
import { toEnvelopeText, toMessageContent } from './message-content';
import { type PrincipalSource, toInvokeOptions } from './run-context';

/** Carries a failed result through LangChain's callbacks, so that tracing sees an error. */
class CallFailed extends Error {
  constructor(readonly body: ToolErrorBody) {
    super(`${body.code}: ${body.message}`);
    this.name = 'CallFailed';
  }
}

/** Arguments that look like a call themselves: LangChain would unpack them, and take their id for the call's. */
class CallLike {
  constructor(readonly args: unknown) {}
}

interface RequestedCall {
  readonly id?: string | undefined;
}

function isToolCall(
  input: unknown,
): input is { readonly type: 'tool_call'; readonly args?: unknown; readonly id?: string } {
  return typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call';
}

/** LangChain cannot hand on undefined, and null means no arguments to the toolkit. */
function toInnerArgs(args: unknown): unknown {
  return isToolCall(args) ? new CallLike(args) : (args ?? null);
}

function isPause(thrown: unknown): boolean {
  // LangGraph's own test reads a property of whatever was thrown.
  return thrown !== null && isGraphBubbleUp(thrown);
}

/** A tool whose schema is the toolkit's, and whose calls take the toolkit's path. */
export class ToolkitTool extends StructuredTool {
  override name: string;
  override description: string;
  override schema: Record<string, unknown>;
  // LangChain validates against this schema, which takes anything, and runs callbacks and context around it.
  private readonly inner;
  private readonly isReadOnly: boolean;

  /**
   * @param restore turns the arguments of the model into those that the toolkit takes.
   * @param carriesMedia whether messages hold images, audio and PDFs beside the envelope.
   */
  constructor(
    definition: ToolDefinition,
    toolkit: Toolkit,
    principalOf: PrincipalSource,
    restore: (args: unknown) => unknown = (args) => args,
    private readonly carriesMedia = true,
  ) {
    const metadata = { toolcrib: { ...definition._meta } };
    super({ metadata });
    this.name = definition.name;
    this.description = definition.description;
    // A copy, since model packages change what they are given.
    this.schema = structuredClone(definition.inputSchema);
    this.isReadOnly = definition.annotations.readOnlyHint;
    const { key } = definition._meta;
    const approver = interruptingApprover(() => toolkit.registry.get(key)?.input.schema);
    const run = async (given: unknown, runtime: ToolRuntime): Promise<ToolMessage | string> => {
      const args = given instanceof CallLike ? given.args : given;
      const options = toInvokeOptions(runtime, principalOf);
      // Without an id of the call no decision and no answer could name it after the run has paused.
      const door =
        options.callId === undefined
          ? { isPause }
          : { isPause, approver, inputRequester: interruptingRequester };
      const result = await toolkit.invoke(key, restore(args), { ...options, ...door });
      if (!result.success) throw new CallFailed(result.error);
      return this.answer(toWire(result), runtime.toolCall);
    };
    this.inner = tool(run, { name: this.name, description: this.description, schema: {}, metadata });
  }

  override async invoke(input: unknown, config?: ToolRunnableConfig): Promise<ToolMessage | string> {
    // Turns a timeout of the run into a part of its signal.
    const run = ensureConfig(config);
    const args = toInnerArgs(isToolCall(input) ? input.args : input);
    try {
      const output: unknown = await this.inner.invoke(isToolCall(input) ? { ...input, args } : args, run);
      return ToolMessage.isInstance(output) ? output : String(output);
    } catch (thrown) {
      if (isPause(thrown)) throw thrown;
      const error = this.bodyOf(thrown, run.signal?.aborted === true);
      return this.answer(toWire({ success: false, error }), isToolCall(input) ? input : run.toolCall);
    }
  }

  override call(arg: unknown, config?: ToolRunnableConfig): Promise<ToolMessage | string> {
    return this.invoke(arg, config);
  }

  protected override _call(): Promise<string> {
    throw new TypeError('ToolkitTool answers in invoke');
  }

  /** Tells what failed without a word of what LangChain itself threw. */
  private bodyOf(thrown: unknown, isAborted: boolean): ToolErrorBody {
    if (thrown instanceof CallFailed) return thrown.body;
    if (!isAborted) {
      const message = 'The call failed before it reached the tool.';
      return { code: 'internal_error', message, retryable: false };
    }
    const effect = this.isReadOnly ? '' : ' Whether the action of the tool took effect is not known.';
    return { code: 'cancelled', message: `The run was cancelled.${effect}`, retryable: false };
  }

  /** Calls that come as such are answered with a message, even without an id; bare arguments with its content. */
  private answer(wire: WireResult, call: RequestedCall | undefined): ToolMessage | string {
    if (call === undefined) return toEnvelopeText(wire);
    return new ToolMessage({
      status: wire.isError ? 'error' : 'success',
      tool_call_id: call.id ?? '',
      name: this.name,
      content: toMessageContent(wire, this.carriesMedia),
      artifact: wire,
      ...(this.metadata === undefined ? {} : { metadata: this.metadata }),
    });
  }
}
