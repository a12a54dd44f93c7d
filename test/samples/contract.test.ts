/**
 * The contract of every sample tool.
 * Invariant: each test has a new app with a database of its own, and leaves none behind.
 */
import { join } from 'node:path';
import { createToolkit, type Toolkit } from 'toolcrib';
import { type ContractCases, contractTests } from 'toolcrib/testing';
import type { App } from '../../samples/app';
import { CarrierClient, CarrierUnavailable, type ParcelState } from '../../samples/orders/carrier-client';
import { CarrierStatusTool } from '../../samples/tools/carrier-status';
import { everything, openSampleApp } from '../fixtures/sample-app';

const opened: App[] = [];

async function open(): Promise<Toolkit> {
  const app = await openSampleApp();
  opened.push(app);
  return app.toolkit;
}

/** A carrier that answers for all parcels but one, where the sample's own fails in a rhythm. */
class SteadyCarrier extends CarrierClient {
  override async track(trackingNumber: string): Promise<ParcelState> {
    if (trackingNumber === 'RR100000235DE') throw new CarrierUnavailable('503 Service Unavailable');
    return 'in_transit';
  }
}

function openShipments(): Promise<Toolkit> {
  return createToolkit({ discover: { instances: [new CarrierStatusTool(new SteadyCarrier())] } });
}

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

const lost = { args: { order_id: 'ORD-9999' }, code: 'order_not_found', retryable: false };
const refund = { order_id: 'ORD-1234', amount_minor: 1_250, refund_id: 'REF-2026' };

const CONTRACTS: Readonly<Record<string, ContractCases>> = {
  'customers.find@1.0.0': {
    valid: [{ email: 'Ada.Adler@Example.com' }],
    invalid: [
      { args: { email: 'ada' }, path: '/email', rule: 'isEmail' },
      { args: { email: `${'a'.repeat(250)}@b.co` }, path: '/email', rule: 'maxLength' },
    ],
    failures: [{ args: { email: 'nobody@example.com' }, code: 'customer_not_found', retryable: false }],
  },
  'customers.orders@1.0.0': {
    valid: [{ customer_id: 'CUS-1038' }, { customer_id: 'CUS-9999', limit: 20 }],
    invalid: [
      { args: { customer_id: 'CUS-1' }, path: '/customer_id', rule: 'matches' },
      { args: { customer_id: 'CUS-1038', limit: 21 }, path: '/limit', rule: 'max' },
      { args: { customer_id: 'CUS-1038', limit: 0 }, path: '/limit', rule: 'min' },
    ],
    failures: [],
  },
  'math.calculator@1.0.0': {
    valid: [{ operation: 'divide', a: 3, b: 4 }],
    invalid: [
      { args: { operation: 'pow', a: 3, b: 4 }, path: '/operation', rule: 'isIn' },
      { args: { operation: 'add', a: '3', b: 4 }, path: '/a' },
      { args: { operation: 'add', a: 3 }, path: '/b', rule: 'isDefined' },
    ],
    failures: [{ args: { operation: 'divide', a: 3, b: 0 }, code: 'division_by_zero', retryable: false }],
  },
  'orders.cancel@1.0.0': {
    valid: [{ order_id: 'ORD-1000' }],
    invalid: [{ args: { order_id: 'bad-id' }, path: '/order_id', rule: 'matches' }],
    failures: [lost, { args: { order_id: 'ORD-1234' }, code: 'order_not_cancellable', retryable: false }],
  },
  'orders.lookup@1.0.0': {
    valid: [{ order_id: 'ORD-1234' }, { args: { order_id: 'ORD-1000' }, principal: everything.principal }],
    invalid: [
      { args: { order_id: 'bad-id' }, path: '/order_id', rule: 'matches' },
      { args: { order_id: 'ORD-1' }, path: '/order_id', rule: 'isLength' },
      { args: {}, path: '/order_id', rule: 'isDefined' },
      { args: { order_id: 'ORD-1234', verbose: true }, path: '/verbose', rule: 'whitelistValidation' },
    ],
    failures: [lost],
  },
  'orders.refund@1.0.0': {
    valid: [refund],
    invalid: [
      { args: { ...refund, order_id: 'bad-id' }, path: '/order_id', rule: 'matches' },
      { args: { ...refund, amount_minor: 0.5 }, path: '/amount_minor', rule: 'isInt' },
      { args: { ...refund, amount_minor: 0 }, path: '/amount_minor', rule: 'min' },
      { args: { ...refund, refund_id: 'refund-2026' }, path: '/refund_id', rule: 'matches' },
    ],
    failures: [
      { ...lost, args: { ...refund, ...lost.args } },
      { args: { ...refund, amount_minor: 8_547 }, code: 'refund_exceeds_total', retryable: false },
    ],
  },
  'orders.search@1.0.0': {
    valid: [{}, { filter: { status: 'shipped', placed: { from: '2026-03-01T00:00:00Z' } }, page_size: 50 }],
    invalid: [
      { args: { filter: { status: 'lost' } }, path: '/filter/status', rule: 'isEnum' },
      {
        args: { filter: { placed: { from: '1999-12-31T23:59:59Z' } } },
        path: '/filter/placed/from',
        rule: 'minDate',
      },
      { args: { filter: { placed: { before: '2026-03-01' } } }, path: '/filter/placed/before' },
      { args: { page: 0 }, path: '/page', rule: 'min' },
      { args: { page_size: 51 }, path: '/page_size', rule: 'max' },
    ],
    failures: [],
  },
  'shipments.status@1.0.0': {
    valid: [{ tracking_number: 'RR100000234DE' }],
    invalid: [
      { args: { tracking_number: 'rr100000234de' }, path: '/tracking_number', rule: 'matches' },
      { args: { tracking_number: 'RR10000023DE' }, path: '/tracking_number', rule: 'isLength' },
    ],
    failures: [{ args: { tracking_number: 'RR100000235DE' }, code: 'carrier_unavailable', retryable: true }],
  },
};

for (const [key, cases] of Object.entries(CONTRACTS)) {
  const exportedSchema = join(__dirname, '../../samples/schemas', `${key}.json`);
  const opener = key.startsWith('shipments.') ? openShipments : open;
  contractTests({ describe, it }, opener, key, { ...cases, exportedSchema });
}
