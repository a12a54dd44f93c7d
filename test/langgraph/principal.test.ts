/**
 * Where the principal of a call comes from.
 * Invariant: from the run's context alone, which the application sets; whatever else names a principal
 * counts for nothing, and nobody known holds no scopes.
 */
import { ToolNode } from '@langchain/langgraph/prebuilt';
import type { Principal } from 'toolcrib';
import { type PrincipalSource, toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, asking, bareToolNode, type RunConfig } from '../fixtures/langgraph-runtimes';
import { orderToolkit, reader, toolkitOf } from '../fixtures/langgraph-tools';

const call = { id: 'call-1', name: 'a_b', args: {} };
const refused = { status: 'error', artifact: { isError: true, error: { code: 'insufficient_scope' } } };

/** A tool that needs scopes, and the principals that it was run for. */
async function guarded(scopes: readonly string[] = ['orders:read']) {
  const principals: (Principal | undefined)[] = [];
  const run = (_input: unknown, context: { principal: Principal | undefined }) => {
    principals.push(context.principal);
    return 'ran';
  };
  return { toolkit: await toolkitOf({ 'a.b': run }, { scopes }), principals };
}

describe.each(allRuntimes)('$name', (runtime) => {
  it('hands the principal of the context to the handler', async () => {
    const { toolkit, principals } = await guarded();
    const config = { context: { principal: reader } };
    expect(await answersOf(runtime, toLangChainTools(toolkit), [call], config)).toMatchObject([
      { status: 'success' },
    ]);
    expect(principals).toEqual([reader]);
  });

  it.each<{ place: string; config: RunConfig; args?: object }>([
    { place: 'nothing', config: {} },
    { place: 'an empty context', config: { context: {} } },
    {
      place: 'configurable',
      config: { configurable: { principal: reader, context: { principal: reader } } },
    },
    { place: 'metadata', config: { metadata: { principal: reader } } },
    { place: 'the context itself', config: { context: reader } },
    { place: 'the arguments', config: {}, args: { principal: reader, context: { principal: reader } } },
  ])('refuses a call of which only $place names the principal', async ({ config, args = {} }) => {
    const { toolkit, principals } = await guarded();
    const answers = await answersOf(runtime, toLangChainTools(toolkit), [{ ...call, args }], config);
    expect(answers).toMatchObject([refused]);
    expect(principals).toEqual([]);
  });
});

it('refuses a call of which only the state names the principal', async () => {
  const { toolkit, principals } = await guarded();
  const node = new ToolNode(toLangChainTools(toolkit));
  const state = { messages: [asking([call])], principal: reader, context: { principal: reader } };
  expect(await node.invoke(state)).toMatchObject({ messages: [refused] });
  expect(principals).toEqual([]);
});

const throwing = {
  id: 'reader-1',
  get scopes(): never {
    throw null;
  },
};

it.each([
  'reader-1',
  7,
  true,
  null,
  [],
  ['orders:read'],
  {},
  { id: 'reader-1' },
  { scopes: ['orders:read'] },
  { id: 7, scopes: ['orders:read'] },
  { id: 'reader-1', scopes: 'orders:read' },
  { id: 'reader-1', scopes: { 0: 'orders:read', length: 1 } },
  { id: 'reader-1', scopes: [['orders:read'], { toString: () => 'orders:read' }, null] },
])('takes the garbage principal %j for nobody', async (principal) => {
  const config = { context: { principal } };
  const { toolkit, principals } = await guarded();
  expect(await answersOf(bareToolNode, toLangChainTools(toolkit), [call], config)).toMatchObject([refused]);
  expect(principals).toEqual([]);
  const open = await guarded([]);
  expect(await answersOf(bareToolNode, toLangChainTools(open.toolkit), [call], config)).toMatchObject([
    { status: 'success' },
  ]);
  expect(open.principals).toEqual([undefined]);
});

it.each(allRuntimes)('$name: answers a principal that cannot be read with an error', async (runtime) => {
  const { toolkit, principals } = await guarded();
  const config = { context: { principal: throwing } };
  expect(await answersOf(runtime, toLangChainTools(toolkit), [call], config)).toMatchObject([
    {
      status: 'error',
      tool_call_id: 'call-1',
      artifact: { isError: true, error: { code: 'internal_error' } },
    },
  ]);
  expect(principals).toEqual([]);
});

describe('a principal source of the application', () => {
  const source: PrincipalSource = ({ configurable }) =>
    configurable?.user === 'reader' ? reader : undefined;

  it.each(allRuntimes)('$name: takes the place of the context', async (runtime) => {
    const { toolkit, principals } = await guarded();
    const tools = toLangChainTools(toolkit, { principal: source });
    const known = await answersOf(runtime, tools, [call], { configurable: { user: 'reader' } });
    expect(known).toMatchObject([{ status: 'success' }]);
    const unknown = await answersOf(runtime, tools, [call], { context: { principal: reader } });
    expect(unknown).toMatchObject([refused]);
    expect(principals).toEqual([reader]);
  });

  it.each([new Error('postgres://admin:hunter2@db'), 'a text', undefined, null])(
    'that throws %p is answered with an error that does not say why, and nothing runs',
    async (thrown) => {
      const { toolkit, principals } = await guarded();
      const fails: PrincipalSource = () => {
        throw thrown;
      };
      const tools = toLangChainTools(toolkit, { principal: fails });
      const [message] = await answersOf(bareToolNode, tools, [call]);
      expect(message).toMatchObject({
        status: 'error',
        artifact: { isError: true, error: { code: 'internal_error', retryable: false } },
      });
      expect(message?.content).not.toContain('hunter2');
      expect(principals).toEqual([]);
    },
  );
});

it('being visible to a principal authorises no call', async () => {
  const tools = toLangChainTools(await orderToolkit(), { visibleTo: reader });
  const lookup = { id: 'call-1', name: 'orders_lookup', args: { order_id: 'ORD-1234' } };
  expect(await answersOf(bareToolNode, tools, [lookup])).toMatchObject([refused]);
});
