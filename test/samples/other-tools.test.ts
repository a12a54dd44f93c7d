/**
 * The sample's `shipments.status`, and its service `CustomerService`, through the toolkit.
 * Invariant: each test has a new app, since the carrier's client counts its requests.
 */
import type { App } from '../../samples/app';
import { CarrierStatusTool } from '../../samples/tools/carrier-status';
import { CustomerService } from '../../samples/tools/customer-service';
import { errorOf, everything, holding, openSampleApp, outputOf } from '../fixtures/sample-app';

let app: App;
beforeEach(async () => {
  app = await openSampleApp();
});
afterEach(() => app.close());

describe('shipments.status', () => {
  const shipper = holding('shipments:read');
  const parcel = { tracking_number: 'RR100000235DE' };

  it('fails in a way that may pass, and then passes', async () => {
    const calls = [];
    for (let count = 0; count < 4; count += 1) {
      calls.push(await app.toolkit.invoke(CarrierStatusTool, parcel, shipper));
    }
    const [first, second, third, fourth] = calls;
    for (const failed of [first, fourth]) {
      expect(failed).toMatchObject({
        success: false,
        error: { code: 'carrier_unavailable', retryable: true, retryAfterMs: 1_000 },
      });
    }
    expect(second).toEqual({ success: true, result: { ...parcel, state: 'in_transit' } });
    expect(third).toEqual(second);
  });

  it('keeps what the carrier said to itself', async () => {
    const error = errorOf(await app.toolkit.invoke(CarrierStatusTool, parcel, shipper));
    expect(JSON.stringify(error)).not.toContain('503');
  });

  it('ends with the call that is cancelled', async () => {
    const signal = AbortSignal.abort();
    const error = errorOf(await app.toolkit.invoke(CarrierStatusTool, parcel, { ...shipper, signal }));
    expect(error.code).toBe('cancelled');
  });

  it.each(['', 'RR10000023DE', 'rr100000235de', 'RR100000235DE1'])(
    'refuses the number "%s"',
    async (number) => {
      const error = errorOf(
        await app.toolkit.invoke('shipments.status', { tracking_number: number }, shipper),
      );
      expect(error).toMatchObject({
        code: 'invalid_input',
        detail: {
          violations: expect.arrayContaining([expect.objectContaining({ path: '/tracking_number' })]),
        },
      });
    },
  );

  it('is declared to reach other systems, and to change nothing', () => {
    expect(app.toolkit.describe(CarrierStatusTool).annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: true,
    });
  });
});

describe('customers.find', () => {
  const care = holding('customers:read');

  it.each(['ada.adler@example.com', 'Ada.Adler@Example.com'])('finds %s', async (email) => {
    const result = await app.toolkit.invoke([CustomerService, 'find'], { email }, care);
    expect(result).toEqual({ success: true, result: { customer_id: 'CUS-1000', name: 'Ada Adler' } });
  });

  it('says that a customer is missing, without the address', async () => {
    const email = 'nobody@example.com';
    const error = errorOf(await app.toolkit.invoke([CustomerService, 'find'], { email }, care));
    expect(error).toMatchObject({ code: 'customer_not_found', retryable: false });
    expect(JSON.stringify(error)).not.toContain(email);
  });

  it('refuses what is no address, and does not repeat it', async () => {
    const error = errorOf(await app.toolkit.invoke('customers.find', { email: 'ada adler' }, care));
    expect(error).toMatchObject({ code: 'invalid_input', detail: { violations: [{ path: '/email' }] } });
    expect(JSON.stringify(error)).not.toContain('ada adler');
  });
});

describe('customers.orders', () => {
  it('lists the newest orders of one customer', async () => {
    const args = { customer_id: 'CUS-1038', limit: 3 };
    const orders = outputOf(await app.toolkit.invoke([CustomerService, 'orders'], args, everything));
    expect(orders).toHaveLength(3);
    expect(new Set(orders.map(({ customer_id }) => customer_id))).toEqual(new Set(['CUS-1038']));
    const times = orders.map(({ placed_at }) => placed_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('gives five where no number is asked for, and none for a customer that there is not', async () => {
    const known = await app.toolkit.invoke(
      [CustomerService, 'orders'],
      { customer_id: 'CUS-1000' },
      everything,
    );
    const unknown = await app.toolkit.invoke(
      [CustomerService, 'orders'],
      { customer_id: 'CUS-9999' },
      everything,
    );
    expect(outputOf(known)).toHaveLength(5);
    expect(outputOf(unknown)).toEqual([]);
  });

  it('takes a scope more than the class asks for', async () => {
    const args = { customer_id: 'CUS-1000' };
    const error = errorOf(await app.toolkit.invoke('customers.orders', args, holding('customers:read')));
    expect(error).toMatchObject({ code: 'insufficient_scope', detail: { missing: ['orders:read'] } });
  });

  it('takes the owner and the side effect of the class', () => {
    expect(app.toolkit.describe([CustomerService, 'orders'])).toMatchObject({
      annotations: { readOnlyHint: true },
      _meta: { key: 'customers.orders@1.0.0', owner: 'CustomerCareTeam' },
    });
  });
});
