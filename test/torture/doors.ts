/**
 * Every door through which a tool is called, each giving the envelope that its caller gets.
 * Invariant: all doors call the same tool, with a logger that keeps quiet.
 */
import type { ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { type BaseTool, type Class, createToolkit, type Toolkit, toWire } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { createMcpHandler } from 'toolcrib/mcp';
import { makeWorkspace } from '../cli/workspace';
import { allRuntimes, type Runtime, toolMessages } from '../fixtures/langgraph-runtimes';
import { silent } from '../fixtures/langgraph-tools';
import { rpc } from '../fixtures/mcp-rpc';

type ToolClass = Class<BaseTool<object, unknown>>;

/** One door. */
export interface Door {
  readonly name: string;
  /** Whether it also stands in the short form. */
  readonly isShort: boolean;
  /** Runs the door without a tool of a toolkit, where it leads through a system that is not ours. */
  idle?(signal: AbortSignal): Promise<void>;
  /** Calls the tool once. */
  call(tool: ToolClass, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

function openToolkit(tool: ToolClass): Promise<Toolkit> {
  return createToolkit({ discover: { classes: [tool] }, logger: silent, approval: false });
}

const invoking: Door = {
  name: 'toolkit.invoke',
  isShort: true,
  async call(tool, signal) {
    const toolkit = await openToolkit(tool);
    const answer = await toolkit.invoke('torture.run', {}, { signal, onProgress: deaf });
    await toolkit.close();
    return toWire(answer);
  },
  close() {},
};

const guarded: Door = {
  name: 'toolkit.invoke with interceptors',
  isShort: false,
  async call(tool, signal) {
    const toolkit = await createToolkit({
      discover: { classes: [tool] },
      logger: silent,
      approval: false,
      interceptors: [{ stage: 'resolve', run: (_call, next) => next() }],
    });
    const call = { signal, conversationId: 'talk', principal: { id: 'ann', scopes: [] } };
    const answer = await toolkit.invoke('torture.run', {}, call);
    await toolkit.close();
    return toWire(answer);
  },
  close() {},
};

const calling: Door = {
  name: 'BaseTool.invoke',
  isShort: true,
  async call(tool, signal) {
    const instance: BaseTool<object, unknown> = Reflect.construct(tool, []);
    const toolkit = await createToolkit({
      discover: { instances: [instance] },
      logger: silent,
      approval: false,
    });
    const answer = await instance.invoke({}, { signal });
    await toolkit.close();
    if (!answer.success) return toWire(answer);
    const { result, content } = answer;
    return { isError: false, result, ...(content === undefined ? {} : { content }) };
  },
  close() {},
};

/** A listener that fails whatever it hears. */
function deaf(): never {
  throw new Error('deaf');
}

/** What the model is told: the envelope as text, which other blocks may follow. */
function toldOf(message: ToolMessage | undefined): unknown {
  const content: unknown = message?.content;
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return JSON.parse(String(Object(first).text));
}

/** An envelope as it is told: with the size of data instead of the data. */
function withoutData(envelope: unknown): unknown {
  const { content, ...others }: { [member: string]: unknown } = Object(envelope);
  if (!Array.isArray(content)) return envelope;
  const told = content.map(({ data, ...block }) =>
    data === undefined ? block : { ...block, size: Buffer.from(data, 'base64').length },
  );
  return { ...others, content: told };
}

const calls = [{ id: 'call-1', name: 'torture_run', args: {} }];
const idleTool = tool(() => 'idle', { name: 'torture_run', description: 'Does nothing', schema: {} });
const SHORT_RUNTIMES = ['ToolNode alone', 'createAgent'];

function running(runtime: Runtime): Door {
  return {
    name: runtime.name,
    isShort: SHORT_RUNTIMES.includes(runtime.name),
    async idle(signal) {
      await runtime.prepare([idleTool], calls).begin({ signal });
    },
    async call(tortured, signal) {
      const toolkit = await openToolkit(tortured);
      const state = await runtime.prepare(toLangChainTools(toolkit), calls).begin({ signal });
      const [message, ...others] = toolMessages(state);
      const envelope: unknown = message?.artifact;
      expect(others).toEqual([]);
      expect(message).toMatchObject({ tool_call_id: 'call-1', name: 'torture_run' });
      expect(toldOf(message)).toEqual(withoutData(envelope));
      expect(envelope).toMatchObject({ isError: message?.status === 'error' });
      return envelope;
    },
    close() {},
  };
}

/** The command `toolcrib call`; it takes no signal. */
function commanding(): Door {
  let tool: ToolClass | undefined;
  const workspace = makeWorkspace(() => (tool === undefined ? undefined : openToolkit(tool)));
  return {
    name: 'toolcrib call',
    isShort: true,
    async call(given) {
      tool = given;
      const { exitCode, stdout, stderr } = await workspace.run(['call', 'torture.run', '--json']);
      const envelope: unknown = JSON.parse(stdout);
      expect(stderr).toBe('');
      expect(envelope).toMatchObject({ isError: exitCode === 1 });
      return envelope;
    },
    close: workspace.remove,
  };
}

/** The envelope that a result of `tools/call` stands for. */
function envelopeOf(answer: unknown): unknown {
  const { isError, content, structuredContent }: { [member: string]: unknown } = Object(
    Object(answer).result,
  );
  const [first, ...others]: readonly unknown[] = Array.isArray(content) ? content : [];
  if (isError === true) {
    expect([others, structuredContent]).toEqual([[], undefined]);
    return JSON.parse(Object(first).text);
  }
  if (structuredContent === undefined) return { isError: false, result: null, content };
  const result: unknown = JSON.parse(Object(first).text);
  // Clients of 2025 get an object around whatever is none.
  expect([structuredContent, Object(structuredContent).result]).toContainEqual(result);
  return { isError: false, result, ...(others.length === 0 ? {} : { content: others }) };
}

/** Over MCP; a request would follow the signal for longer than a call lasts, so that it gets none. */
function serving(revision: string, legacy: boolean): Door {
  return {
    name: `MCP ${revision}`,
    isShort: !legacy,
    async call(tool) {
      const toolkit = await openToolkit(tool);
      const handler = createMcpHandler(toolkit);
      const params = { name: 'torture_run', arguments: {} };
      const { body } = await rpc(handler, 'tools/call', params, { legacy, meta: { progressToken: 7 } });
      await handler.close();
      await toolkit.close();
      return envelopeOf(body);
    },
    close() {},
  };
}

/** All doors, those of the short form first. */
export const DOORS: readonly Door[] = [
  invoking,
  calling,
  ...allRuntimes.map(running),
  commanding(),
  serving('2026-07-28', false),
  serving('2025-11-25', true),
  guarded,
];
