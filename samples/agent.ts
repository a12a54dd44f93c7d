/**
 * A LangGraph agent over every tool of the sample, and a conversation with it: `npm start`.
 * Invariant: who is asking comes from the run's context; neither the user nor the model can change it.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  INTERRUPT,
  isInterrupted,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { trace } from '@opentelemetry/api';
import type { Principal, Toolkit } from 'toolcrib';
import { type ApprovalInterrupt, toLangChainTools } from 'toolcrib/langgraph';
import { openApp } from './app';
import { referenceOf, type Turn, turnsOf } from './conversation';
import { chooseModel, type ToolCallingModel } from './models';
import { type DatabaseOptions, databaseFromEnvironment } from './orders/database';
import { type Reviewer, scriptedReviewer } from './reviewer';
import { run } from './run';
import { openConversations } from './state';
import { openTerminal } from './terminal-reviewer';
import { formatLine, type TranscriptLine, toTranscript } from './transcript';

const INSTRUCTIONS = new SystemMessage(
  'You work at the service desk of a shop. Use the tools, and answer in one or two sentences. ' +
    'When a tool rejects your arguments, correct them. Never repeat a call whose failure is final.',
);

/** What is kept of a conversation. */
const OrderState = Annotation.Root({
  ...MessagesAnnotation.spec,
  /** Its requests are decided by a person: it has been held on a terminal at least once. */
  isForPerson: Annotation<boolean>,
});

/** What an agent may be given. */
export interface AgentOptions {
  /** The model is offered only what this principal may call; the tools check every call all the same. */
  readonly visibleTo?: Principal;
  /** Where runs pause, and are continued from. */
  readonly checkpointer?: BaseCheckpointSaver;
}

/** The agent: a model and the tools, in turns, until the model asks for no tool. */
export function createOrderAgent(toolkit: Toolkit, model: ToolCallingModel, options: AgentOptions = {}) {
  const { visibleTo, checkpointer } = options;
  const tools = toLangChainTools(toolkit);
  const offered = visibleTo === undefined ? tools : toLangChainTools(toolkit, { visibleTo });
  const modelWithTools = model.bindTools(offered);
  return new StateGraph(OrderState)
    .addNode('agent', async ({ messages }, config) => ({
      messages: [await modelWithTools.invoke([INSTRUCTIONS, ...messages], config)],
    }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent')
    .compile(checkpointer === undefined ? {} : { checkpointer });
}

/** A conversation, which is begun or continued. */
export interface Conversation {
  readonly toolkit: Toolkit;
  readonly model: ToolCallingModel;
  readonly checkpointer: BaseCheckpointSaver;
  /** Names the conversation. */
  readonly thread: string;
  readonly turns: readonly Turn[];
  readonly reviewer: Reviewer;
  /** Whether the reviewer is a person; what waits for one, nobody else decides. */
  readonly isInteractive: boolean;
}

type Agent = ReturnType<typeof createOrderAgent>;
type Answer = Awaited<ReturnType<Agent['invoke']>>;

/** Runs a part of a turn under a span of its own, which the calls of tools hang below. */
function withSpan<T>(run: () => Promise<T>): Promise<T> {
  return trace.getTracer('toolcrib-sample').startActiveSpan('invoke_agent service-desk', async (span) => {
    try {
      return await run();
    } finally {
      span.end();
    }
  });
}

/** The request of a run that waits for a decision. */
function requestOf(answer: Answer): ApprovalInterrupt | undefined {
  if (!isInterrupted<ApprovalInterrupt>(answer)) return undefined;
  return answer[INTERRUPT].find(({ value }) => value?.type === 'tool_approval')?.value;
}

/**
 * Takes the turns that have not been taken yet, one after the other, and gives what is said. A run that waits for
 * a decision, or was killed in its midst, is continued first. Ends early where nobody decides.
 */
export async function* converse(conversation: Conversation): AsyncGenerator<TranscriptLine, void> {
  const { toolkit, model, checkpointer, thread, turns, reviewer, isInteractive } = conversation;
  // All tools are offered, so that a call without the scope for it is seen to be refused.
  const agent = createOrderAgent(toolkit, model, { checkpointer });
  const configurable = { thread_id: thread };
  const { values, next } = await agent.getState({ configurable });
  const before: readonly BaseMessage[] = values.messages ?? [];
  const taken = before.filter((message) => HumanMessage.isInstance(message)).length;
  const isOpen = next.length > 0;
  const isForPerson = isInteractive || values.isForPerson === true;
  let said = isOpen ? before.findLastIndex((message) => HumanMessage.isInstance(message)) : before.length;

  for (const [index, { speaker, text }] of turns.entries()) {
    if (index < (isOpen ? taken - 1 : taken)) continue;
    const config = { context: { principal: speaker }, configurable };
    const isContinued = isOpen && index === taken - 1;
    const update = { isForPerson, messages: isContinued ? [] : [new HumanMessage(text)] };
    let answer = await withSpan(() => agent.invoke(isContinued ? new Command({ update }) : update, config));
    for (;;) {
      yield* toTranscript(answer.messages.slice(said));
      said = answer.messages.length;
      const request = requestOf(answer);
      if (request === undefined) break;
      const decision = isForPerson && !isInteractive ? undefined : await reviewer(request);
      yield { from: 'reviewer', request, decision };
      if (decision === undefined) return;
      const decisions = { [request.callId]: { ...decision, argumentHash: request.argumentHash } };
      answer = await withSpan(() => agent.invoke(new Command({ resume: { decisions } }), config));
    }
  }
}

/** What the command line asks for. */
interface Flags {
  readonly isInteractive: boolean;
  readonly thread: string | undefined;
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: { interactive: { type: 'boolean', default: false }, thread: { type: 'string' } },
  });
  const { interactive: isInteractive, thread } = values;
  if (thread === undefined || /^[\w-]{1,64}$/.test(thread)) return { isInteractive, thread };
  throw new TypeError('--thread takes a name of letters, digits, - and _.');
}

/** Holds a conversation on what is kept there. */
async function hold(
  options: DatabaseOptions,
  isInteractive: boolean,
  about: Pick<Conversation, 'thread' | 'turns'>,
): Promise<void> {
  const app = await openApp(options);
  try {
    const { checkpointer, close } = await openConversations(options);
    const terminal = isInteractive ? openTerminal() : undefined;
    try {
      const reviewer = terminal?.reviewer ?? scriptedReviewer;
      const model = await chooseModel();
      const conversation = { ...about, toolkit: app.toolkit, model, checkpointer, reviewer, isInteractive };
      for await (const line of converse(conversation)) console.log(formatLine(line));
    } finally {
      terminal?.close();
      await close();
    }
  } finally {
    await app.close();
  }
}

async function main(): Promise<void> {
  const { isInteractive, thread: given } = readFlags();
  const options = databaseFromEnvironment();
  const thread = given ?? randomUUID().slice(0, 8);
  if (isInteractive || given !== undefined) {
    const flags = `${isInteractive ? '--interactive ' : ''}--thread ${thread}`;
    console.log(`Conversation ${thread}; to continue it: npm start -- ${flags}`);
    await hold(options, isInteractive, { thread, turns: turnsOf(referenceOf(thread)) });
    return;
  }
  // What nobody can continue has a shop of its own, so that it goes alike every time.
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-'));
  try {
    await hold({ ...options, folder }, false, { thread, turns: turnsOf() });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (require.main === module) void run(main);
