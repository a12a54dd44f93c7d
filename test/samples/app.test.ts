/**
 * The sample's composition: its catalog, its database on disk, and how it fails to open.
 * Invariant: nothing here calls the network.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toLangChainTools } from 'toolcrib/langgraph';
import { type App, openApp, SCOPES } from '../../samples/app';
import { openDatabase } from '../../samples/orders/database';
import { CancelOrderTool } from '../../samples/tools/cancel-order';
import { LookupOrderTool } from '../../samples/tools/lookup-order';
import { RefundOrderTool } from '../../samples/tools/refund-order';
import {
  errorOf,
  everything,
  holding,
  makeDatabase,
  openSampleApp,
  outputOf,
  type TestDatabase,
} from '../fixtures/sample-app';

const NAMES = [
  'customers_find',
  'customers_orders',
  'math_calculator',
  'orders_cancel',
  'orders_lookup',
  'orders_refund',
  'orders_search',
  'shipments_status',
];

describe('its tools', () => {
  let app: App;
  beforeAll(async () => {
    app = await openSampleApp();
  });
  afterAll(() => app.close());

  it('are found by their folder, for the catalog and for LangChain', () => {
    const names = app.toolkit.catalog(everything.principal).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(NAMES));
    expect(toLangChainTools(app.toolkit).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['orders:read', ['math_calculator', 'orders_lookup', 'orders_search'], 'orders_refund'],
    ['orders:refund', ['math_calculator', 'orders_refund'], 'orders_lookup'],
    ['customers:read', ['customers_find', 'math_calculator'], 'customers_orders'],
  ])('are shown to a holder of %s as far as they may be called', (scope, shown, hidden) => {
    const names = app.toolkit.catalog(holding(scope).principal).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(shown));
    expect(names).not.toContain(hidden);
  });

  it('each have an owner, a declared side effect and words for every argument', () => {
    for (const { name, owner, scopes, sideEffect, input } of app.toolkit.registry.list()) {
      expect([name, typeof owner, sideEffect.declared, scopes !== undefined]).toEqual([
        name,
        'string',
        true,
        true,
      ]);
      for (const field of Object.values(Object(input.schema.properties))) {
        expect([name, field]).toEqual([name, expect.objectContaining({ description: expect.any(String) })]);
      }
    }
  });

  it('ask for every scope of the taxonomy', () => {
    const asked = app.toolkit.registry.list().flatMap(({ scopes }) => scopes ?? []);
    expect([...new Set(asked)].sort()).toEqual([...SCOPES].sort());
  });
});

describe('its database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await makeDatabase();
  });
  afterEach(() => database.remove());

  it('keeps what was changed when it is opened again', async () => {
    const first = await openApp(database.options, () => ({ type: 'approve' }));
    outputOf(await first.toolkit.invoke(CancelOrderTool, { order_id: 'ORD-1000' }, everything));
    await first.close();
    const second = await openApp(database.options);
    const order = await second.toolkit.invoke(LookupOrderTool, { order_id: 'ORD-1000' }, everything);
    await second.close();
    expect(outputOf(order).status).toBe('cancelled');
  });

  it('keeps requests for approval, and what was decided on them', async () => {
    const args = { order_id: 'ORD-1000' };
    const first = await openApp(database.options);
    const asked = errorOf(await first.toolkit.invoke(CancelOrderTool, args, everything));
    await first.close();
    const second = await openApp(database.options);
    const [waiting] = await second.toolkit.approvals.list();
    const id = waiting?.request.id ?? '';
    expect(asked).toMatchObject({ code: 'approval_required', detail: { approvalId: id } });
    expect(await second.toolkit.approvals.approve(id, { by: 'ada' })).toBe(true);
    await second.close();
    const third = await openApp(database.options);
    const result = await third.toolkit.invoke(CancelOrderTool, args, everything);
    await third.close();
    expect(outputOf(result).status).toBe('cancelled');
  });

  it('pays a refund once, whichever process is asked', async () => {
    const refund = { order_id: 'ORD-1234', amount_minor: 1_250, refund_id: 'REF-2026' };
    const results = [];
    for (const _ of [1, 2]) {
      const app = await openApp(database.options, () => ({ type: 'approve' }));
      results.push(outputOf(await app.toolkit.invoke(RefundOrderTool, refund, everything)));
      await app.close();
    }
    expect(results[0]?.refunded_minor).toBe(1_250);
    expect(results[1]).toEqual(results[0]);
  });

  it('holds the same rows wherever it is made', async () => {
    const other = await makeDatabase();
    const rows = [];
    for (const { options } of [database, other]) {
      const opened = await openDatabase(options);
      rows.push(await opened.selectFrom('orders').selectAll().orderBy('order_id').execute());
      await opened.destroy();
    }
    await other.remove();
    expect(rows[0]).toHaveLength(300);
    expect(rows[1]).toEqual(rows[0]);
  });

  it('is closed with the app, after which calls are refused', async () => {
    const app = await openApp(database.options);
    await app.close();
    const result = await app.toolkit.invoke(LookupOrderTool, { order_id: 'ORD-1234' }, everything);
    expect(result).toMatchObject({ success: false, error: { code: 'unavailable' } });
  });
});

it('does not open on a file that is no database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-'));
  writeFileSync(join(folder, 'orders.db'), 'no database '.repeat(100));
  await expect(openApp({ folder })).rejects.toThrow();
  rmSync(folder, { recursive: true });
});
