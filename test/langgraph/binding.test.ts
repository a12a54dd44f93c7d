/**
 * What `toLangChainTools` makes of a toolkit.
 * Invariant: one tool a name, with the definition of exactly the version that its calls go to.
 */
import { StructuredTool } from '@langchain/core/tools';
import { createToolkit, NoInput, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { ToolkitTool, toLangChainTools } from 'toolcrib/langgraph';
import { answersOf, bareToolNode } from '../fixtures/langgraph-runtimes';
import { orderToolkit, reader, silent } from '../fixtures/langgraph-tools';

function shipTool(version: string, scopes: readonly string[] = []) {
  @Tool({ name: 'orders.ship', version, description: `Ship an order, ${version}`, input: NoInput })
  @Scopes(...scopes)
  @SideEffect('write', { idempotent: true })
  class ShipOrder {
    execute(): string {
      return version;
    }
  }
  return ShipOrder;
}

function shipToolkit(...versions: readonly string[]): Promise<Toolkit> {
  return createToolkit({ discover: { classes: versions.map((one) => shipTool(one)) }, logger: silent });
}

let calls = 0;

/** Which version answers each tool's call, which is none that was made before. */
async function answering(tools: ToolkitTool[]): Promise<unknown[]> {
  const made = tools.map(({ name }) => {
    calls += 1;
    return { id: `call-${calls}`, name, args: {} };
  });
  return (await answersOf(bareToolNode, tools, made)).map(({ artifact }) => artifact.result);
}

describe('the tools', () => {
  it("are LangChain's StructuredTools with the toolkit's definitions", async () => {
    const toolkit = await orderToolkit();
    const tools = toLangChainTools(toolkit);
    const { name, description, inputSchema, _meta } = toolkit.describe('orders.lookup');
    expect(tools).toHaveLength(1);
    expect(tools[0]).toBeInstanceOf(StructuredTool);
    expect(tools[0]).toBeInstanceOf(ToolkitTool);
    expect(tools[0]).toMatchObject({ name, description, metadata: { toolcrib: _meta } });
    expect(tools[0]?.schema).toStrictEqual(inputSchema);
    expect(tools[0]?.metadata).toMatchObject({
      toolcrib: { key: 'orders.lookup@1.0.0', version: '1.0.0', owner: 'OrderTeam', scopes: ['orders:read'] },
    });
    // ChatOpenAI takes a tool with another type than "function" for one of its own.
    expect(tools[0]).not.toHaveProperty('type');
  });

  it('share no schema with the toolkit, nor with each other', async () => {
    const toolkit = await orderToolkit();
    const before = structuredClone(toolkit.describe('orders.lookup'));
    const [first] = toLangChainTools(toolkit);
    const [second] = toLangChainTools(toolkit);
    if (first === undefined || second === undefined) throw new TypeError('nothing was bound');
    Object.assign(Object(first.schema.properties), { more: { type: 'string' } });
    first.schema.additionalProperties = true;
    expect(toolkit.describe('orders.lookup')).toStrictEqual(before);
    expect(second.schema).toStrictEqual(before.inputSchema);
    const call = { id: 'call-1', name: first.name, args: { order_id: 'ORD-1234', more: 'x' } };
    const answers = await answersOf(bareToolNode, [first], [call], { context: { principal: reader } });
    expect(answers).toMatchObject([{ artifact: { error: { code: 'invalid_input' } } }]);
  });

  it('carry their metadata to the messages of success and failure', async () => {
    const tools = toLangChainTools(await orderToolkit());
    const call = { id: 'call-1', name: 'orders_lookup', args: { order_id: 'ORD-1234' } };
    for (const principal of [reader, undefined]) {
      const [message] = await answersOf(bareToolNode, tools, [call], { context: { principal } });
      expect(message?.metadata).toMatchObject({ toolcrib: { key: 'orders.lookup@1.0.0' } });
    }
  });
});

describe('versions', () => {
  it.each([
    { versions: {}, bound: '2.1.0' },
    { versions: { 'orders.ship': '^1' }, bound: '1.4.0' },
    { versions: { 'orders.ship': '1.0.0' }, bound: '1.0.0' },
    { versions: { 'orders.ship': '3.0.0-beta.1' }, bound: '3.0.0-beta.1' },
  ])('binds $bound for $versions, and calls it', async ({ versions, bound }) => {
    const toolkit = await shipToolkit('1.0.0', '1.4.0', '2.1.0', '3.0.0-beta.1');
    for (const options of [{ versions }, { versions, visibleTo: reader }]) {
      const tools = toLangChainTools(toolkit, options);
      expect(tools.map(({ name, metadata }) => [name, metadata?.toolcrib])).toEqual([
        ['orders_ship', expect.objectContaining({ key: `orders.ship@${bound}` })],
      ]);
      expect(await answering(tools)).toEqual([bound]);
    }
  });

  it('keeps calling the version that was bound when a higher one arrives', async () => {
    const toolkit = await shipToolkit('1.0.0');
    const later = await shipToolkit('1.1.0');
    const tools = toLangChainTools(toolkit);
    toolkit.registry.update((draft) => {
      for (const spec of later.registry.list()) draft.register(spec);
    });
    expect(await answering(tools)).toEqual(['1.0.0']);
    expect(await answering(toLangChainTools(toolkit))).toEqual(['1.1.0']);
  });

  it('answers unknown_tool when the version that was bound is gone', async () => {
    const toolkit = await shipToolkit('1.0.0', '1.1.0');
    const tools = toLangChainTools(toolkit, { versions: { 'orders.ship': '1.0.0' } });
    toolkit.registry.update((draft) => draft.remove('orders.ship@1.0.0'));
    const answers = await answersOf(bareToolNode, tools, [{ id: 'call-1', name: 'orders_ship', args: {} }]);
    expect(answers).toMatchObject([{ status: 'error', artifact: { error: { code: 'unknown_tool' } } }]);
  });

  it.each([
    { versions: { 'orders.ship': '^9' }, code: 'unknown_version' },
    { versions: { 'orders.chip': '^1' }, code: 'unknown_tool' },
  ])('refuses $versions', async ({ versions, code }) => {
    const toolkit = await shipToolkit('1.0.0');
    for (const options of [{ versions }, { versions, visibleTo: reader }]) {
      expect(() => toLangChainTools(toolkit, options)).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ code })] }),
      );
    }
  });
});

describe('visibleTo', () => {
  const names = (tools: ToolkitTool[]) => tools.map(({ name }) => name);

  it('leaves out what the principal may not call; left out itself it leaves out nothing', async () => {
    const toolkit = await orderToolkit();
    expect(names(toLangChainTools(toolkit))).toEqual(['orders_lookup']);
    expect(names(toLangChainTools(toolkit, { visibleTo: reader }))).toEqual(['orders_lookup']);
    expect(names(toLangChainTools(toolkit, { visibleTo: { id: 'x', scopes: ['orders:write'] } }))).toEqual(
      [],
    );
  });

  it('lets no lower version stand in for one that the principal may not call', async () => {
    const classes = [shipTool('1.0.0'), shipTool('2.0.0', ['orders:ship'])];
    const toolkit = await createToolkit({ discover: { classes }, logger: silent });
    expect(names(toLangChainTools(toolkit, { visibleTo: reader }))).toEqual([]);
    const versions = { 'orders.ship': '^1' };
    expect(names(toLangChainTools(toolkit, { visibleTo: reader, versions }))).toEqual(['orders_ship']);
  });
});
