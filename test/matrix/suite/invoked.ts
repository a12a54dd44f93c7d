/**
 * What calls do: by hand, and through LangGraph's ToolNode.
 * Invariant: what one cell accepts and refuses every cell accepts and refuses.
 */
import assert from 'node:assert/strict';
import { AIMessage } from '@langchain/core/messages';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import type { ApprovalDecision, Toolkit } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import type { Check } from './checks.js';
import { OrderService, PlaceOrderTool } from './orders.js';
import { ANN, ORDER } from './sample-call.js';

/** The paths of an answer's violations, or its error code. */
async function refusalOf(toolkit: Toolkit, tool: string, args: unknown): Promise<unknown> {
  const answer = await toolkit.invoke(tool, args, { principal: ANN });
  if (answer.success) return 'accepted';
  assert.equal(answer.error.code, 'invalid_input');
  assert.equal(answer.error.retryable, false);
  return answer.error.message;
}

/** Calls, good and bad. */
export function invoking(toolkit: Toolkit): Check[] {
  const place = (args: unknown) => toolkit.invoke('orders.place', args, { principal: ANN });
  return [
    [
      'a good call runs, with defaults, a Date, and instances of the DTOs',
      async () => {
        assert.deepEqual(await place(ORDER), {
          success: true,
          result: {
            order_id: 'ORD-0001',
            due: '2026-02-28T14:00:00.000Z',
            quantity: 5,
            instances: ['input', 'address', 'line', 'due'],
          },
        });
      },
    ],
    [
      'calls by class and by method find their tool',
      async () => {
        const byClass = await toolkit.invoke(PlaceOrderTool, ORDER, { principal: ANN });
        const args = { order_id: 'ORD-1234' };
        const byMethod = await toolkit.invoke([OrderService, 'statusOf'], args, { principal: ANN });
        assert.equal(byClass.success, true);
        assert.deepEqual(byMethod, { success: true, result: { status: 'shipped' } });
      },
    ],
    [
      'a destructive call needs approval, and then its handler gets its context',
      async () => {
        const args = { ...ORDER, hours: 3 };
        const asked = await toolkit.invoke('orders.rush', args, { principal: ANN });
        assert.equal(asked.success ? 'ran' : asked.error.code, 'approval_required');
        const approver = (): ApprovalDecision => ({ type: 'approve' });
        const answer = await toolkit.invoke('orders.rush', args, { principal: ANN, approver });
        assert.deepEqual(answer, { success: true, result: { hours: 3, caller: 'ann' } });
      },
    ],
    [
      'a missing field is refused by its name',
      async () => {
        assert.match(String(await refusalOf(toolkit, 'orders.status', {})), /order_id/);
      },
    ],
    [
      'a value that breaks a pattern is refused',
      async () => {
        assert.match(String(await refusalOf(toolkit, 'orders.status', { order_id: 'x' })), /order_id/);
      },
    ],
    [
      'an inherited rule is enforced',
      async () => {
        const args = { ...ORDER, hours: 3, customer_id: 'x' };
        assert.match(String(await refusalOf(toolkit, 'orders.rush', args)), /customer_id/);
      },
    ],
    [
      'a rule of a nested DTO is enforced',
      async () => {
        const args = { ...ORDER, address: { street: 'Main 1', postcode: 'x' } };
        assert.match(String(await refusalOf(toolkit, 'orders.place', args)), /address\/postcode/);
      },
    ],
    [
      'a nested DTO takes no undeclared field',
      async () => {
        const args = { ...ORDER, address: { ...ORDER.address, floor: 1 } };
        assert.match(String(await refusalOf(toolkit, 'orders.place', args)), /floor/);
      },
    ],
    [
      'a rule of a DTO in an array is enforced',
      async () => {
        const args = { ...ORDER, lines: [{ sku: 'A', quantity: 0 }] };
        assert.match(String(await refusalOf(toolkit, 'orders.place', args)), /lines\/0\/quantity/);
      },
    ],
    [
      'an empty array is refused where one element is required',
      async () => {
        assert.match(String(await refusalOf(toolkit, 'orders.place', { ...ORDER, lines: [] })), /lines/);
      },
    ],
    [
      'a text that is no date is refused',
      async () => {
        assert.match(
          String(await refusalOf(toolkit, 'orders.place', { ...ORDER, due: '2026-02-30' })),
          /due/,
        );
      },
    ],
    [
      'enums, of texts and of numbers, take their values and no others',
      async () => {
        assert.equal(
          await refusalOf(toolkit, 'orders.place', { ...ORDER, priority: 'high', floor: 1 }),
          'accepted',
        );
        assert.match(
          String(await refusalOf(toolkit, 'orders.place', { ...ORDER, priority: 'odd' })),
          /priority/,
        );
        assert.match(
          String(await refusalOf(toolkit, 'orders.place', { ...ORDER, floor: 'Ground' })),
          /floor/,
        );
      },
    ],
    [
      'an optional field takes null and its value',
      async () => {
        const other = { ...ORDER, customer_id: 'CUS-0002' };
        assert.equal(await refusalOf(toolkit, 'orders.place', { ...other, gift: null }), 'accepted');
        assert.match(String(await refusalOf(toolkit, 'orders.place', { ...ORDER, gift: 'yes' })), /gift/);
      },
    ],
    [
      'a rule that the schema cannot express is enforced',
      async () => {
        assert.match(String(await refusalOf(toolkit, 'orders.place', { ...ORDER, email: 'ann' })), /email/);
      },
    ],
    [
      'an error that a handler throws keeps its code',
      async () => {
        const answer = await toolkit.invoke('orders.status', { order_id: 'ORD-9999' }, { principal: ANN });
        assert.deepEqual(answer, {
          success: false,
          error: { code: 'order_not_found', message: 'No such order.', retryable: false },
        });
      },
    ],
    [
      'a caller without the scope is refused',
      async () => {
        const answer = await toolkit.invoke('orders.place', ORDER, { principal: { id: 'bob', scopes: [] } });
        assert.equal(!answer.success && answer.error.code, 'insufficient_scope');
      },
    ],
    [
      'a list and a scalar are answered',
      async () => {
        const list = await toolkit.invoke('orders.list', {}, { principal: ANN });
        const count = await toolkit.invoke('orders.count', {}, { principal: ANN });
        assert.deepEqual(list, { success: true, result: [{ order_id: 'ORD-1234' }] });
        assert.deepEqual(count, { success: true, result: 7 });
      },
    ],
  ];
}

/** Calls that a model asks for. */
export function binding(toolkit: Toolkit): Check[] {
  return [
    [
      'toLangChainTools: a ToolNode runs a requested call',
      async () => {
        const tools = toLangChainTools(toolkit, { principal: () => ANN });
        const call = {
          id: '1',
          name: 'orders_status',
          args: { order_id: 'ORD-1234' },
          type: 'tool_call' as const,
        };
        const message = new AIMessage({ content: '', tool_calls: [call] });
        const answer: { messages: { content: unknown }[] } = await new ToolNode(tools).invoke({
          messages: [message],
        });
        const content = answer.messages[0]?.content;
        assert.deepEqual(JSON.parse(String(content)), { isError: false, result: { status: 'shipped' } });
      },
    ],
  ];
}
