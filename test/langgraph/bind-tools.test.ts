/**
 * What LangChain's packages for OpenAI and Anthropic send of bound tools, read off the wire.
 * Invariant: the schema that the model gets is the toolkit's, to the letter, and binding changes nothing.
 */
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { createToolkit, NoInput, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { LookupOrder, silent } from '../fixtures/langgraph-tools';
import { type ModelServer, startModelServer } from '../fixtures/model-server';

class Period {
  @Type(() => Date)
  @IsDate()
  from!: Date;
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  until?: Date;
}

class SearchInput {
  @IsIn(['open', 'shipped'])
  status!: string;
  @IsInt()
  @Min(1)
  @Max(50)
  limit!: number;
  /** Removed by some model packages when a schema has a keyword of this name. */
  @IsOptional()
  @IsBoolean()
  strict?: boolean;
  @IsOptional()
  @ValidateNested()
  @Type(() => Period)
  placed?: Period;
  @IsArray()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  @Length(2, 8, { each: true })
  tags!: string[];
}

@Tool({ name: 'orders.search', version: '2.0.0', description: 'Search orders', input: SearchInput })
@Scopes('orders:read')
@SideEffect('none')
class SearchOrders {
  execute(_input: SearchInput): string[] {
    return [];
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

interface Offer {
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
}

const text = { text: 'hello' };
let server: ModelServer;
let toolkit: Toolkit;

beforeEach(async () => {
  server = await startModelServer([text, text]);
  toolkit = await createToolkit({
    discover: { classes: [LookupOrder, SearchOrders, TellTime] },
    logger: silent,
  });
});

afterEach(() => server.close());

/** Binds the tools twice, as an application does for each run, and gives what the last request offered. */
async function offeredBy(
  bind: () => { invoke(messages: HumanMessage[]): Promise<unknown> },
): Promise<unknown> {
  await bind().invoke([new HumanMessage('hi')]);
  await bind().invoke([new HumanMessage('hi')]);
  const [first, second] = server.requests.map(({ body }) => body.tools);
  expect(second).toStrictEqual(first);
  return second;
}

function expected(): Offer[] {
  return ['clock.now', 'orders.lookup', 'orders.search'].map((tool) => {
    const { name, description, inputSchema: schema } = toolkit.describe(tool);
    return { name, description, schema };
  });
}

it('ChatOpenAI sends the schemas of the toolkit', async () => {
  const before = structuredClone(expected());
  const tools = toLangChainTools(toolkit);
  const configuration = { baseURL: `${server.url}/v1` };
  const model = new ChatOpenAI({ apiKey: 'test', model: 'gpt-test', maxRetries: 0, configuration });
  expect(await offeredBy(() => model.bindTools(tools))).toStrictEqual(
    before.map(({ name, description, schema: parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  );
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
  expect(expected()).toStrictEqual(before);
  expect(tools.map(({ name, description, schema }) => ({ name, description, schema }))).toStrictEqual(before);
});

it('ChatAnthropic sends the schemas of the toolkit', async () => {
  const before = structuredClone(expected());
  const tools = toLangChainTools(toolkit);
  const model = new ChatAnthropic({
    apiKey: 'test',
    model: 'claude-test',
    maxRetries: 0,
    anthropicApiUrl: server.url,
  });
  expect(await offeredBy(() => model.bindTools(tools))).toStrictEqual(
    before.map(({ name, description, schema: input_schema }) => ({ name, description, input_schema })),
  );
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages']);
  expect(expected()).toStrictEqual(before);
  expect(tools.map(({ name, description, schema }) => ({ name, description, schema }))).toStrictEqual(before);
});
