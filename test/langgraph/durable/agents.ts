/**
 * Agents over a checkpointer of any kind, in which runs are told apart by their threads.
 * Invariant: the model holds no state, so that any process can go on with the run of another.
 */
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import type { StructuredTool } from '@langchain/core/tools';
import {
  type BaseCheckpointSaver,
  Command,
  MessagesAnnotation,
  type RetryPolicy,
  StateGraph,
} from '@langchain/langgraph';
import { createReactAgent, ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { type AgentMiddleware, createAgent, createMiddleware, fakeModel } from 'langchain';
import { asking, type RequestedCall, type RunState } from '../../fixtures/langgraph-runtimes';

/** What an agent is made with. */
export interface AgentSetup {
  readonly tools: StructuredTool[];
  /** What the model asks for, in one message, after each message of the user. */
  readonly calls: readonly RequestedCall[];
  readonly checkpointer: BaseCheckpointSaver;
  /** Whether a tool that throws ends the run; ours do not throw. */
  readonly isStrict?: boolean;
  /** For createAgent only. */
  readonly middleware?: AgentMiddleware[];
  /** For StateGraph only. */
  readonly retryPolicy?: RetryPolicy;
}

/** One checkpoint of a run, and what would run next from it. */
interface PastState {
  readonly id: string;
  readonly next: readonly string[];
}

/** The runs of an agent. */
export interface AgentRuns {
  begin(thread: string): Promise<RunState>;
  resume(thread: string, answer: unknown): Promise<RunState>;
  /** Goes on with no input: after a crash, or from an old checkpoint. */
  goOn(thread: string, checkpointId?: string): Promise<RunState>;
  /** The newest first. */
  history(thread: string): Promise<readonly PastState[]>;
}

/** One way to make an agent. */
export interface Agent {
  readonly name: string;
  /** Whether all calls of a message run as one task, whose interrupts come one at a time. */
  readonly isOneTask: boolean;
  prepare(setup: AgentSetup): AgentRuns;
}

interface Config {
  readonly configurable: { readonly thread_id: string; readonly checkpoint_id?: string };
  readonly durability: 'sync';
}

/** A command that goes to no node. */
type Resume = Command<unknown, Record<string, unknown>, never>;

/** What all graphs have in common. */
interface Graph {
  invoke(input: { messages: HumanMessage[] } | Resume | null, config: Config): Promise<RunState>;
  getStateHistory(config: Config): AsyncIterable<{
    readonly next: readonly string[];
    readonly config: { readonly configurable?: { readonly [name: string]: unknown } };
  }>;
}

function runsOf(graph: Graph): AgentRuns {
  // Only what is written before a step begins is there after a crash in it.
  const on = (thread: string, checkpoint: { readonly checkpoint_id?: string } = {}): Config => ({
    configurable: { thread_id: thread, ...checkpoint },
    durability: 'sync',
  });
  return {
    begin: (thread) =>
      graph.invoke({ messages: [new HumanMessage({ id: 'turn-1', content: 'go' })] }, on(thread)),
    resume: (thread, answer) => {
      const resume: Resume = new Command({ resume: answer });
      return graph.invoke(resume, on(thread));
    },
    goOn: (thread, id) => graph.invoke(null, on(thread, id === undefined ? {} : { checkpoint_id: id })),
    history: async (thread) => {
      const past: PastState[] = [];
      for await (const { next, config } of graph.getStateHistory(on(thread))) {
        past.push({ id: String(config.configurable?.checkpoint_id), next });
      }
      return past;
    },
  };
}

/** How often the model of one agent can answer. */
const ANSWERS = 20;

function modelFor(calls: readonly RequestedCall[]) {
  const model = fakeModel();
  for (let answer = 0; answer < ANSWERS; answer += 1) {
    model.respond((messages) =>
      messages.at(-1)?.getType() === 'human' ? asking(calls) : new AIMessage('done'),
    );
  }
  return model;
}

const stateGraph: Agent = {
  name: 'StateGraph with ToolNode',
  isOneTask: true,
  prepare({ tools, calls, checkpointer, isStrict = false, retryPolicy }) {
    const model = modelFor(calls).bindTools(tools);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode('tools', new ToolNode(tools, { handleToolErrors: !isStrict }), {
        ...(retryPolicy === undefined ? {} : { retryPolicy }),
      })
      .addEdge('__start__', 'agent')
      .addConditionalEdges('agent', toolsCondition)
      .addEdge('tools', 'agent')
      .compile({ checkpointer });
    return runsOf(graph);
  },
};

function reactAgent(version: 'v1' | 'v2'): Agent {
  return {
    name: `createReactAgent ${version}`,
    isOneTask: version === 'v1',
    prepare({ tools, calls, checkpointer, isStrict = false }) {
      const node = new ToolNode(tools, { handleToolErrors: !isStrict });
      return runsOf(createReactAgent({ llm: modelFor(calls), tools: node, version, checkpointer }));
    },
  };
}

/** With a middleware around its tools, whatever they throw ends the run. */
const passThrough = createMiddleware({
  name: 'passThrough',
  wrapToolCall: (request, handler) => handler(request),
});

/** Whether every agent is tried over every store. */
export const isWhole = process.env.TOOLCRIB_DURABLE === 'whole';

/** langchain's agent. */
export const langchainAgent: Agent = {
  name: 'createAgent',
  isOneTask: false,
  prepare({ tools, calls, checkpointer, isStrict = false, middleware = [] }) {
    const around = isStrict ? [passThrough, ...middleware] : middleware;
    const agent = createAgent({ model: modelFor(calls), tools, checkpointer, middleware: around });
    return runsOf(agent.graph);
  },
};

/** LangGraph's own node, in a graph. */
export const nodeAgent = stateGraph;

export const agents: readonly Agent[] = [stateGraph, reactAgent('v1'), reactAgent('v2'), langchainAgent];
