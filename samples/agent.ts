/**
 * A LangGraph agent over every tool of the sample, and a conversation with it: `npm start`.
 * Invariant: who is asking comes from the run's context; neither the user nor the model can change it.
 */
import { randomUUID } from 'node:crypto';
import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import type { Principal, Toolkit } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { openApp } from './app';
import { chooseModel, type ToolCallingModel } from './models';
import { run } from './run';
import { formatLine, type TranscriptLine, toTranscript } from './transcript';

const INSTRUCTIONS = new SystemMessage(
  'You work at the service desk of a shop. Use the tools, and answer in one or two sentences. ' +
    'When a tool rejects your arguments, correct them. Never repeat a call whose failure is final.',
);

/** Someone at the service desk, who may look things up but not pay money back. */
const DESK: Principal = { id: 'desk-7', scopes: ['customers:read', 'orders:read', 'shipments:read'] };

const QUESTIONS = [
  'Where is ORD-1234?',
  'And where is order 1042?',
  'What about ORD-9999?',
  'Where exactly is parcel RR100000234DE?',
  'Please refund 12.50 EUR of ORD-1234.',
];

/**
 * The agent: a model and the tools, in turns, until the model asks for no tool. With `visibleTo`, the model is
 * offered only what that principal may call; the tools check every call all the same.
 */
export function createOrderAgent(toolkit: Toolkit, model: ToolCallingModel, visibleTo?: Principal) {
  const tools = toLangChainTools(toolkit);
  const offered = visibleTo === undefined ? tools : toLangChainTools(toolkit, { visibleTo });
  const modelWithTools = model.bindTools(offered);
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }, config) => ({
      messages: [await modelWithTools.invoke([INSTRUCTIONS, ...messages], config)],
    }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent')
    .compile();
}

/** Asks the sample's questions, one after the other in one conversation. */
export async function converse(toolkit: Toolkit, model: ToolCallingModel): Promise<TranscriptLine[]> {
  // All tools are offered, so that a call without the scope for it is seen to be refused.
  const agent = createOrderAgent(toolkit, model);
  const config = { context: { principal: DESK }, configurable: { thread_id: randomUUID() } };
  let messages: BaseMessage[] = [];
  for (const question of QUESTIONS) {
    ({ messages } = await agent.invoke({ messages: [...messages, new HumanMessage(question)] }, config));
  }
  return toTranscript(messages);
}

async function main(): Promise<void> {
  const app = await openApp();
  try {
    for (const line of await converse(app.toolkit, await chooseModel())) console.log(formatLine(line));
  } finally {
    await app.close();
  }
}

if (require.main === module) void run(main);
