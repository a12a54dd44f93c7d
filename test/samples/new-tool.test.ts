/**
 * A new tool needs one file in the sample's folder `tools`, and no other edit.
 * Invariant: the copy of the sample lies in the repository, so that its imports resolve, and is removed.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import { toLangChainTools } from 'toolcrib/langgraph';
import type { ToolCallingModel } from '../../samples/models';
import { ScriptedModel } from '../../samples/scripted-model';
import { openSampleApp } from '../fixtures/sample-app';

const ROOT = resolve(__dirname, '../..');

const NEW_TOOL = `
import { IsString, Length } from 'class-validator';
import { BaseTool, Scopes, SideEffect, Tool } from 'toolcrib';
import { injectable } from 'tsyringe';
import { OrderService } from '../orders/order-service';

export class CountOrdersInput {
  @IsString() @Length(8, 8)
  customer_id!: string;
}

@injectable()
@Tool({ name: 'orders.count', version: '1.0.0', description: 'Count orders', input: CountOrdersInput, output: Number })
@Scopes('orders:read')
@SideEffect('none')
export class CountOrdersTool extends BaseTool<CountOrdersInput, number> {
  constructor(private readonly orders: OrderService) { super(); }
  async execute({ customer_id }: CountOrdersInput): Promise<number> {
    return (await this.orders.search({ customer_id, page: 1, page_size: 1 })).total;
  }
}
`;

let copy: string;
beforeAll(() => {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  copy = mkdtempSync(join(ROOT, 'build', 'copied-samples-'));
  cpSync(join(ROOT, 'samples'), copy, { recursive: true });
  writeFileSync(join(copy, 'tools', 'count-orders.ts'), NEW_TOOL);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it('appears in the catalog, in the tools for LangChain and in what the agent is offered', async () => {
  const { openApp } = jest.requireActual<typeof import('../../samples/app')>(join(copy, 'app.ts'));
  const { converse } = jest.requireActual<typeof import('../../samples/agent')>(join(copy, 'agent.ts'));
  const app = await openSampleApp(openApp);
  const principal = { id: 'tester', scopes: ['orders:read'] };
  const offered: string[] = [];
  const model: ToolCallingModel = {
    bindTools(tools) {
      offered.push(...tools.map(({ name }) => name));
      return new ScriptedModel().bindTools(tools);
    },
  };
  const checkpointer = new MemorySaver();
  const reviewer = async () => undefined;
  const about = { thread: 'thread-1', turns: [], isInteractive: false };
  const conversation = { ...about, toolkit: app.toolkit, model, checkpointer, reviewer };
  for await (const line of converse(conversation)) throw new Error(`nobody spoke, yet: ${line.from}`);
  const result = await app.toolkit.invoke('orders.count', { customer_id: 'CUS-1000' }, { principal });
  const catalog = app.toolkit.catalog(principal).map(({ name }) => name);
  const tools = toLangChainTools(app.toolkit).map(({ name }) => name);
  await app.close();
  expect(catalog).toEqual(expect.arrayContaining(['math_calculator', 'orders_count', 'orders_lookup']));
  expect(tools).toContain('orders_count');
  expect(offered).toEqual(tools);
  expect(result).toEqual({ success: true, result: 8 });
});
