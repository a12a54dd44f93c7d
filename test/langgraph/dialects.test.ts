/**
 * Tools bound in the dialect of a provider, through the provider's own package and over the wire.
 * Invariant: the model is sent the projected schema to the letter, and what it answers reaches the handler as
 * the gate's own schema has it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { createToolkit, type DialectName, NoInput, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { problemsOf } from '../fixtures/declaration-problems';
import { CARRIED, RECURSIVE } from '../fixtures/dialect-schemas';
import { describeIn, specOf } from '../fixtures/in-dialect';
import { silent } from '../fixtures/langgraph-tools';
import { type ModelServer, startModelServer } from '../fixtures/model-server';

class SearchInput {
  @IsString() text!: string;
  @IsInt() @Min(1) @Max(9) page = 1;
  @IsOptional() @IsBoolean() strict?: boolean;
}

@Tool({ name: 'orders.search', version: '1.0.0', description: 'Search orders', input: SearchInput })
@Scopes('orders:read')
@SideEffect('none')
class SearchOrders {
  execute(input: SearchInput): object {
    return { ...input, isDto: input instanceof SearchInput };
  }
}

@Tool({ name: 'clock.now', version: '1.0.0', description: 'Tell the time', input: NoInput })
@Scopes()
@SideEffect('none')
class TellTime {
  execute(): string {
    return 'noon';
  }
}

interface Sent {
  readonly name: unknown;
  readonly schema?: unknown;
}

interface Provider {
  readonly name: string;
  readonly dialect: DialectName;
  /** What the model writes. */
  readonly args: object;
  model(url: string): BaseChatModel;
  sentIn(tools: unknown): Sent[];
}

function listIn(value: unknown): { readonly [key: string]: unknown }[] {
  return JSON.parse(JSON.stringify(value));
}

function declarationsIn(tools: unknown): Sent[] {
  const [{ functionDeclarations } = {}] = listIn(tools);
  return listIn(functionDeclarations).map(({ name, parameters }) => ({ name, schema: parameters }));
}

const providers: readonly Provider[] = [
  {
    name: 'ChatOpenAI',
    dialect: 'openai-strict',
    args: { text: 'a', page: null, strict: true },
    model: (url) =>
      new ChatOpenAI({
        apiKey: 'test',
        model: 'gpt-test',
        maxRetries: 0,
        configuration: { baseURL: `${url}/v1` },
      }),
    sentIn: (tools) =>
      listIn(tools).map(({ function: held }) => {
        const { name, parameters }: { name?: unknown; parameters?: unknown } = Object(held);
        return { name, schema: parameters };
      }),
  },
  {
    name: 'ChatAnthropic',
    dialect: 'anthropic',
    args: { text: 'a', strict: true },
    model: (url) =>
      new ChatAnthropic({ apiKey: 'test', model: 'claude-test', maxRetries: 0, anthropicApiUrl: url }),
    sentIn: (tools) => listIn(tools).map(({ name, input_schema }) => ({ name, schema: input_schema })),
  },
  {
    name: 'ChatGoogleGenerativeAI',
    dialect: 'gemini',
    args: { text: 'a', strict_: true },
    model: (url) =>
      new ChatGoogleGenerativeAI({ apiKey: 'test', model: 'gemini-test', maxRetries: 0, baseUrl: url }),
    sentIn: declarationsIn,
  },
];

let server: ModelServer;
let toolkit: Toolkit;

afterEach(() => server.close());

describe.each(providers)('$name', ({ name, dialect, args, model, sentIn }) => {
  beforeEach(async () => {
    server = await startModelServer([{ calls: [{ id: 'call_1', name: 'orders_search', args }] }]);
    toolkit = await createToolkit({ discover: { classes: [SearchOrders, TellTime] }, logger: silent });
  });

  it('SCH-15: is sent the projected schema, and its call reaches the handler as the gate has it', async () => {
    const tools = toLangChainTools(toolkit, { dialect });
    const answer = await model(server.url)
      .bindTools?.(tools)
      .invoke([new HumanMessage('hi')]);
    const sent = sentIn(server.requests[0]?.body.tools);
    const expected: Sent[] = ['clock.now', 'orders.search'].map((tool) => {
      const { definition } = toolkit.describe(tool, { dialect });
      return { name: definition.name, schema: definition.inputSchema };
    });
    // The package leaves the parameters of a tool without arguments out.
    if (name === 'ChatGoogleGenerativeAI') expected.splice(0, 1, { name: 'clock_now' });
    expect(sent).toEqual(expected);
    const context = { principal: { id: 'ann', scopes: ['orders:read'] } };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('tools', new ToolNode(tools))
      .addEdge('__start__', 'tools')
      .compile();
    const { messages } = await graph.invoke({ messages: answer ?? [] }, { context });
    expect(messages.slice(-1)).toMatchObject([
      { artifact: { isError: false, result: { text: 'a', page: 1, strict: true, isDto: true } } },
    ]);
  });

  it('is sent every schema that the dialect carries, to the letter', async () => {
    const specs = Object.entries(CARRIED)
      .filter(([kind]) => kind !== 'none')
      .map(([kind, schema]) => specOf(schema, `forms.${kind}`));
    toolkit.registry.update((draft) => {
      for (const spec of specs) draft.register(spec);
      for (const key of ['clock.now@1.0.0', 'orders.search@1.0.0']) draft.remove(key);
    });
    const tools = toLangChainTools(toolkit, { dialect });
    await model(server.url)
      .bindTools?.(tools)
      .invoke([new HumanMessage('hi')]);
    const expected = specs.map(({ key, modelName }) => ({
      name: modelName,
      schema: toolkit.describe(key, { dialect }).definition.inputSchema,
    }));
    const byName = (one: Sent, other: Sent) => (String(one.name) < String(other.name) ? -1 : 1);
    expect(sentIn(server.requests[0]?.body.tools).sort(byName)).toEqual(expected.sort(byName));
  });
});

// The package loads an ES module, which jest does not.
const ASK = `
  const { ChatGoogle } = require('@langchain/google');
  const { tool } = require('@langchain/core/tools');
  const { url, schemas } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const tools = schemas.map((schema, index) =>
    tool(() => '', { name: 'tool_' + index, description: 'A tool', schema }));
  new ChatGoogle({ apiKey: 'test', model: 'gemini-test', maxRetries: 0, endpoint: url })
    .bindTools(tools).invoke('hi').catch((error) => { console.error(error); process.exit(1); });
`;

it('ChatGoogle sends every schema that the dialect carries, to the letter', async () => {
  server = await startModelServer([{ text: 'hello' }]);
  const schemas = Object.values(CARRIED).map((schema) => describeIn('gemini', schema).definition.inputSchema);
  const child = spawn(process.execPath, ['-e', ASK], {
    cwd: __dirname,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ url: server.url, schemas }));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(declarationsIn(server.requests[0]?.body.tools).map(({ schema }) => schema)).toEqual(schemas);
});

it('SCH-16: ChatOpenAI asks for strict mode where it is told to, with the same schemas', async () => {
  server = await startModelServer([{ text: 'hello' }]);
  toolkit = await createToolkit({ discover: { classes: [SearchOrders] }, logger: silent });
  const model = new ChatOpenAI({
    apiKey: 'test',
    model: 'gpt-test',
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  });
  const tools = toLangChainTools(toolkit, { dialect: 'openai-strict' });
  await model.bindTools(tools, { strict: true }).invoke([new HumanMessage('hi')]);
  const { definition } = toolkit.describe(SearchOrders, { dialect: 'openai-strict' });
  expect(server.requests[0]?.body.tools).toMatchObject([
    { function: { name: 'orders_search', strict: true, parameters: definition.inputSchema } },
  ]);
});

describe('toLangChainTools', () => {
  beforeEach(async () => {
    server = await startModelServer([]);
    toolkit = await createToolkit({ discover: { classes: [SearchOrders, TellTime] }, logger: silent });
  });

  it('names everything that the dialect cannot carry, of all tools', () => {
    const recursive = Object.entries(RECURSIVE).map(([kind, schema]) => specOf(schema, `forms.${kind}`));
    toolkit.registry.update((draft) => {
      for (const spec of recursive) draft.register(spec);
    });
    const problems = problemsOf(() => toLangChainTools(toolkit, { dialect: 'gemini' }));
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['outside_dialect']));
    expect(new Set(problems.map(({ place }) => place.tool))).toEqual(
      new Set(recursive.map(({ key }) => key)),
    );
    expect(toLangChainTools(toolkit, { dialect: 'openai-strict' })).toHaveLength(2 + recursive.length);
  });

  it('judges only the tools that it binds', () => {
    const hidden = { ...specOf(RECURSIVE.folder ?? {}, 'forms.folder'), scopes: ['forms:read'] };
    toolkit.registry.update((draft) => draft.register(hidden));
    const visibleTo = { id: 'ann', scopes: [] };
    const tools = toLangChainTools(toolkit, { dialect: 'gemini', visibleTo });
    expect(tools.map(({ name }) => name)).toEqual(['clock_now']);
  });

  it('tells an answer of the gate by the names of the gate', async () => {
    const [, search] = toLangChainTools(toolkit, { dialect: 'openai-strict' });
    const context = { principal: { id: 'ann', scopes: ['orders:read'] } };
    const answer = await search?.invoke({ text: null, page: null, strict: null }, { context });
    expect(JSON.parse(String(answer))).toMatchObject({
      error: { code: 'invalid_input', detail: { violations: [{ path: '/text' }] } },
    });
  });
});
