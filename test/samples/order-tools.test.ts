/**
 * The sample's `orders.search`, `orders.cancel` and `orders.refund`, through the toolkit.
 * Invariant: each test has a database of its own, since two of the tools change it.
 */
import type { Approver } from 'toolcrib';
import type { App } from '../../samples/app';
import { CancelOrderTool } from '../../samples/tools/cancel-order';
import { LookupOrderTool } from '../../samples/tools/lookup-order';
import { RefundOrderTool } from '../../samples/tools/refund-order';
import { SearchOrdersTool } from '../../samples/tools/search-orders';
import { errorOf, everything, holding, openSampleApp, outputOf } from '../fixtures/sample-app';

let app: App;
beforeEach(async () => {
  app = await openSampleApp();
});
afterEach(() => app.close());

async function search(args: unknown) {
  return outputOf(await app.toolkit.invoke(SearchOrdersTool, args, holding('orders:read')));
}

async function lookUp(order_id: string) {
  return outputOf(await app.toolkit.invoke(LookupOrderTool, { order_id }, everything));
}

function refund(args: unknown, options: Parameters<App['toolkit']['invoke']>[2] = holding('orders:refund')) {
  return app.toolkit.invoke(RefundOrderTool, args, options);
}

describe('orders.search', () => {
  it('finds every order once, page by page, newest first', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => search({ page, page_size: 50 })));
    const orders = pages.flatMap(({ items }) => items);
    expect(pages.map(({ page, total_count }) => [page, total_count])).toEqual(
      [1, 2, 3, 4, 5, 6].map((page) => [page, 300]),
    );
    expect(new Set(orders.map(({ order_id }) => order_id)).size).toBe(300);
    const times = orders.map(({ placed_at }) => placed_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('gives the first ten where nothing is asked for, and nothing past the last page', async () => {
    expect((await search({})).items).toHaveLength(10);
    expect(await search({ page: 10_000 })).toEqual({ items: [], page: 10_000, total_count: 300 });
  });

  it('narrows by status, customer and time together', async () => {
    const placed = { from: '2026-03-01T00:00:00Z', before: '2026-06-01T02:00:00+02:00' };
    const { items, total_count } = await search({
      filter: { status: 'shipped', customer_id: 'CUS-1038', placed },
      page_size: 50,
    });
    const all = (
      await Promise.all([1, 2, 3, 4, 5, 6].map((page) => search({ page, page_size: 50 })))
    ).flatMap((page) => page.items);
    const expected = all.filter(
      (order) =>
        order.status === 'shipped' &&
        order.customer_id === 'CUS-1038' &&
        order.placed_at >= '2026-03-01T00:00:00.000Z' &&
        order.placed_at < '2026-06-01T00:00:00.000Z',
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(items).toEqual(expected);
    expect(total_count).toBe(expected.length);
  });

  it('includes the first moment of a span and excludes its end', async () => {
    const [from, before] = await Promise.all(
      ['ORD-1234', 'ORD-1236'].map(async (id) => (await lookUp(id)).placed_at),
    );
    const { items } = await search({ filter: { placed: { from, before } } });
    expect(items.map(({ order_id }) => order_id)).toEqual(['ORD-1235', 'ORD-1234']);
  });

  it.each([
    ['a status that there is not', { filter: { status: 'lost' } }, '/filter/status'],
    ['a date without a time', { filter: { placed: { from: '2026-03-01' } } }, '/filter/placed/from'],
    [
      'a date before all bounds',
      { filter: { placed: { from: '1999-12-31T23:59:59Z' } } },
      '/filter/placed/from',
    ],
    ['an unknown filter', { filter: { carrier: 'Northpost' } }, '/filter/carrier'],
    ['a page below the first', { page: 0 }, '/page'],
    ['too large a page', { page_size: 51 }, '/page_size'],
    ['a list for a filter', { filter: [] }, '/filter'],
  ])('refuses %s', async (_, args, path) => {
    const error = errorOf(await app.toolkit.invoke('orders.search', args, everything));
    expect(error).toMatchObject({
      code: 'invalid_input',
      detail: { violations: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
  });
});

describe('orders.cancel', () => {
  const writer = holding('orders:write');

  it('cancels an order that was not shipped, and again without harm', async () => {
    expect((await lookUp('ORD-1000')).status).toBe('placed');
    const first = await app.toolkit.invoke(CancelOrderTool, { order_id: 'ORD-1000' }, writer);
    const second = await app.toolkit.invoke(CancelOrderTool, { order_id: 'ORD-1000' }, writer);
    expect(outputOf(first).status).toBe('cancelled');
    expect(second).toEqual(first);
    expect((await lookUp('ORD-1000')).status).toBe('cancelled');
  });

  it('shows a reviewer what would be cancelled', async () => {
    const previews: unknown[] = [];
    const approver: Approver = ({ preview }) => {
      previews.push(preview);
      return { type: 'reject' };
    };
    for (const order_id of ['ORD-1000', 'ORD-1234', 'ORD-9999']) {
      await app.toolkit.invoke(CancelOrderTool, { order_id }, { ...writer, approver });
    }
    const nothing = { cancels: 'nothing', note: expect.any(String) };
    expect(previews).toEqual([{ cancels: 'an order of 5.00 EUR, which is placed' }, nothing, nothing]);
  });

  it('leaves an order that was shipped', async () => {
    const result = await app.toolkit.invoke(CancelOrderTool, { order_id: 'ORD-1234' }, writer);
    expect(errorOf(result)).toMatchObject({
      code: 'order_not_cancellable',
      retryable: false,
      detail: { status: 'shipped' },
    });
    expect((await lookUp('ORD-1234')).status).toBe('shipped');
  });

  it('says that an order is missing', async () => {
    const result = await app.toolkit.invoke(CancelOrderTool, { order_id: 'ORD-9999' }, writer);
    expect(errorOf(result)).toMatchObject({ code: 'order_not_found', retryable: false });
  });

  it('takes more than the right to read', async () => {
    const result = await app.toolkit.invoke(
      CancelOrderTool,
      { order_id: 'ORD-1000' },
      holding('orders:read'),
    );
    expect(errorOf(result)).toMatchObject({
      code: 'insufficient_scope',
      detail: { missing: ['orders:write'] },
    });
    expect((await lookUp('ORD-1000')).status).toBe('placed');
  });

  it('is declared destructive, and idempotent', () => {
    expect(app.toolkit.describe(CancelOrderTool).annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
  });
});

describe('orders.refund', () => {
  const decided = { order_id: 'ORD-1234', amount_minor: 1_250, refund_id: 'REF-2026' };

  it('pays a part back, and the rest', async () => {
    expect(outputOf(await refund(decided)).refunded_minor).toBe(1_250);
    const rest = { ...decided, amount_minor: 8_546 - 1_250, refund_id: 'REF-2027' };
    expect(outputOf(await refund(rest)).refunded_minor).toBe(8_546);
  });

  it('pays one decision once, however often and by whomever it is repeated', async () => {
    const other = { principal: { id: 'other', scopes: ['orders:refund'] }, callId: 'another-call' };
    await Promise.all([refund(decided), refund(decided), refund(decided, other)]);
    expect(outputOf(await refund(decided)).refunded_minor).toBe(1_250);
  });

  it('refuses a reference that was used for another amount or order', async () => {
    await refund(decided);
    for (const changed of [{ amount_minor: 1_251 }, { order_id: 'ORD-1235' }]) {
      const error = errorOf(await refund({ ...decided, ...changed }));
      expect(error).toMatchObject({ code: 'duplicate_call', retryable: false });
    }
    expect((await lookUp('ORD-1235')).refunded_minor).toBe(0);
  });

  it('never pays more than was paid, and leaves no trace of the attempt', async () => {
    const error = errorOf(await refund({ ...decided, amount_minor: 8_547 }));
    expect(error).toMatchObject({ code: 'refund_exceeds_total', retryable: false });
    expect((await lookUp('ORD-1234')).refunded_minor).toBe(0);
    expect(outputOf(await refund(decided)).refunded_minor).toBe(1_250);
  });

  it('never pays more than was paid by refunds at once', async () => {
    const halves = ['REF-0001', 'REF-0002', 'REF-0003'].map((refund_id) =>
      refund({ ...decided, amount_minor: 4_273, refund_id }),
    );
    const results = await Promise.all(halves);
    expect(results.filter(({ success }) => success)).toHaveLength(2);
    expect((await lookUp('ORD-1234')).refunded_minor).toBe(8_546);
  });

  it('shows a reviewer what would be paid back, and what remains', async () => {
    const previews: unknown[] = [];
    const approver: Approver = ({ preview }) => {
      previews.push(preview);
      return { type: 'approve' };
    };
    const options = { ...holding('orders:refund'), approver };
    await refund({ ...decided, amount_minor: 8_547, refund_id: 'REF-0001' }, options);
    await refund(decided, options);
    await refund(decided, options);
    await refund({ ...decided, order_id: 'ORD-9999', refund_id: 'REF-0002' }, options);
    const nothing = { pays: 'nothing', note: expect.any(String) };
    expect(previews).toEqual([
      { ...nothing, refunded: '0.00 EUR', remains: '85.46 EUR' },
      { pays: '12.50 EUR', refunded: '0.00 EUR', remains: '72.96 EUR' },
      { ...nothing, refunded: '12.50 EUR', remains: '72.96 EUR' },
      { ...nothing, refunded: 'nothing', remains: 'nothing' },
    ]);
  });

  it('says that an order is missing', async () => {
    expect(errorOf(await refund({ ...decided, order_id: 'ORD-9999' }))).toMatchObject({
      code: 'order_not_found',
      retryable: false,
    });
  });

  it.each([
    ['a fraction of a cent', { amount_minor: 0.5 }, '/amount_minor'],
    ['nothing', { amount_minor: 0 }, '/amount_minor'],
    ['a negative amount', { amount_minor: -1 }, '/amount_minor'],
    ['an amount in text', { amount_minor: '1250' }, '/amount_minor'],
    ['a reference of another form', { refund_id: 'refund 2026' }, '/refund_id'],
    ['an amount in another unit', { amount: 12.5 }, '/amount'],
  ])('refuses %s', async (_, changed, path) => {
    const error = errorOf(await refund({ ...decided, ...changed }));
    expect(error).toMatchObject({
      code: 'invalid_input',
      detail: { violations: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
    expect((await lookUp('ORD-1234')).refunded_minor).toBe(0);
  });

  it('takes the right to refund, and is declared destructive', async () => {
    const result = await refund(decided, holding('orders:read', 'orders:write'));
    expect(errorOf(result)).toMatchObject({
      code: 'insufficient_scope',
      detail: { missing: ['orders:refund'] },
    });
    expect(app.toolkit.describe(RefundOrderTool).annotations.destructiveHint).toBe(true);
  });
});
