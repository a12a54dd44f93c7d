/**
 * What becomes of content in LangChain's messages, and on their way to the models of three providers.
 * Invariant: the first text is the wire envelope without data, the artifact is the whole envelope, and no
 * provider's package throws at what stands beside them.
 */
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { type ContentBlock, type ContentData, content } from 'toolcrib';
import { type LangChainToolsOptions, toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, bareToolNode } from '../fixtures/langgraph-runtimes';
import { toolkitOf } from '../fixtures/langgraph-tools';
import { type ModelServer, startModelServer } from '../fixtures/model-server';

const PNG = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const data = PNG.toString('base64');
const call = { id: 'call-1', name: 'a_b', args: {} };
const png = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

async function toolsAnswering(blocks: readonly ContentBlock<ContentData>[], options?: LangChainToolsOptions) {
  return toLangChainTools(await toolkitOf({ 'a.b': () => content(blocks, { width: 7 }) }), options);
}

async function answerOf(blocks: readonly ContentBlock<ContentData>[], options?: LangChainToolsOptions) {
  const [message] = await answersOf(bareToolNode, await toolsAnswering(blocks, options), [call]);
  return message;
}

/** The texts and the blocks of a message's content. */
function partsOf(given: unknown): { readonly envelope: unknown; readonly media: readonly unknown[] } {
  if (typeof given === 'string') return { envelope: JSON.parse(given), media: [] };
  const [first, ...media]: readonly unknown[] = Array.isArray(given) ? given : [];
  expect(first).toEqual({ type: 'text', text: expect.any(String) });
  return { envelope: JSON.parse(Object(first).text), media };
}

describe.each(allRuntimes)('$name', (runtime) => {
  it('gives the envelope, the media, and everything as the artifact', async () => {
    const [message, ...others] = await answersOf(runtime, await toolsAnswering([png], { media: true }), [
      call,
    ]);
    expect(others).toEqual([]);
    expect(partsOf(message?.content)).toEqual({
      envelope: {
        isError: false,
        result: { width: 7 },
        content: [{ type: 'image', mimeType: 'image/png', size: PNG.length }],
      },
      media: [{ type: 'image', mimeType: 'image/png', data }],
    });
    expect(message).toMatchObject({
      status: 'success',
      artifact: { isError: false, result: { width: 7 }, content: [{ ...png, data }] },
    });
  });
});

describe('the media of a message', () => {
  const blob = (mimeType?: string): ContentBlock<ContentData> => ({
    type: 'resource',
    resource: { uri: 'a:b', blob: PNG, ...(mimeType === undefined ? {} : { mimeType }) },
  });

  it.each<[string, ContentBlock<ContentData>, readonly object[]]>([
    ['an image', png, [{ type: 'image', mimeType: 'image/png', data }]],
    ['a drawing, which providers refuse', { ...png, mimeType: 'image/svg+xml' }, []],
    [
      'a sound',
      { type: 'audio', data: PNG, mimeType: 'audio/wav' },
      [{ type: 'audio', mimeType: 'audio/wav', data }],
    ],
    ['an image in a resource', blob('image/webp'), [{ type: 'image', mimeType: 'image/webp', data }]],
    ['a PDF', blob('application/pdf'), [{ type: 'file', mimeType: 'application/pdf', data }]],
    ['an archive, which providers refuse', blob('application/zip'), []],
    ['data of no type', blob(), []],
    [
      'no data, which providers refuse',
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: '' } },
      [],
    ],
    ['text', { type: 'text', text: 'x' }, []],
    ['a link', { type: 'resource_link', uri: 'https://a/b.png', name: 'b', mimeType: 'image/png' }, []],
    ['text in a resource', { type: 'resource', resource: { uri: 'a:b', text: 'x' } }, []],
  ])('is made of what models take: %s', async (_, block, wanted) => {
    const { envelope, media } = partsOf((await answerOf([block], { media: true }))?.content);
    expect(media).toEqual(wanted);
    expect(envelope).toMatchObject({ isError: false, content: [{ type: block.type }] });
    expect(JSON.stringify(envelope)).not.toContain(data);
  });

  it.each<[LangChainToolsOptions, number]>([
    [{}, 0],
    [{ media: true }, 1],
    [{ dialect: 'anthropic' }, 1],
    [{ dialect: 'anthropic', media: false }, 0],
    [{ dialect: 'openai-strict' }, 0],
    [{ dialect: 'gemini' }, 0],
    [{ dialect: 'gemini', media: true }, 1],
  ])('is there where it is asked for, or the dialect has a place for it: %j', async (options, count) => {
    expect(partsOf((await answerOf([png], options))?.content).media).toHaveLength(count);
  });

  it('does not answer bare arguments, which get the envelope', async () => {
    const [tool] = await toolsAnswering([png], { media: true });
    expect(partsOf(await tool?.invoke({}))).toMatchObject({
      envelope: { result: { width: 7 }, content: [{ size: PNG.length }] },
      media: [],
    });
  });
});

describe('a model behind HTTP', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer([{ calls: [call] }, { text: 'seen' }]);
  });
  afterEach(() => server.close());

  const all: readonly ContentBlock<ContentData>[] = [
    png,
    { type: 'audio', data: PNG, mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'a:b.pdf', mimeType: 'application/pdf', blob: PNG } },
    { type: 'text', text: 'note' },
  ];

  /** Runs an agent to its end and gives the request that told the model the tool's answer. */
  async function told(model: ChatOpenAI | ChatAnthropic | ChatGoogleGenerativeAI, options = {}) {
    const tools = await toolsAnswering(all, options);
    const { messages } = await createAgent({ model, tools }).invoke({ messages: [new HumanMessage('look')] });
    expect(messages.at(-1)?.text).toBe('seen');
    return server.requests[1]?.body;
  }

  it('is told by ChatAnthropic what is seen', async () => {
    const model = new ChatAnthropic({
      apiKey: 'test',
      model: 'claude-test',
      maxRetries: 0,
      anthropicApiUrl: server.url,
    });
    const body = JSON.stringify(await told(model, { media: true }));
    const source = (media_type: string) => JSON.stringify({ type: 'base64', media_type, data });
    expect(body).toContain(`{"type":"image","source":${source('image/png')}}`);
    expect(body).toContain(`{"type":"document","source":${source('application/pdf')}}`);
  });

  it('is told by ChatGoogleGenerativeAI what is seen and heard', async () => {
    const model = new ChatGoogleGenerativeAI({
      apiKey: 'test',
      model: 'gemini-test',
      maxRetries: 0,
      baseUrl: server.url,
    });
    const body = JSON.stringify(await told(model, { media: true }));
    for (const mimeType of ['image/png', 'audio/wav', 'application/pdf']) {
      expect(body).toContain(`{"inlineData":${JSON.stringify({ mimeType, data })}}`);
    }
  });

  it('is told by ChatOpenAI the envelope alone', async () => {
    const configuration = { baseURL: `${server.url}/v1` };
    const model = new ChatOpenAI({ apiKey: 'test', model: 'gpt-test', maxRetries: 0, configuration });
    const body = await told(model);
    const message: { readonly [member: string]: unknown } = Object(body?.messages?.at(-1));
    expect(message.role).toBe('tool');
    expect(partsOf(message.content).envelope).toMatchObject({ isError: false, result: { width: 7 } });
    expect(JSON.stringify(body)).not.toContain(data);
  });
});
