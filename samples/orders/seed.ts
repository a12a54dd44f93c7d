/**
 * The sample's data: forty customers and three hundred orders, ORD-1000 to ORD-1299.
 * Invariant: every value follows from a row's number, so the rows are the same on every machine; a row that is
 * there already stays as it is.
 */
import type { Kysely } from 'kysely';
import { CURRENCIES, ORDER_STATUSES, OrderStatus } from './order';
import type { CustomerRow, OrderRow, OrderTables } from './tables';

const GIVEN_NAMES = ['Ada', 'Bruno', 'Chen', 'Dalia', 'Emre', 'Fatou', 'Greta', 'Hugo'] as const;
const FAMILY_NAMES = ['Adler', 'Brandt', 'Costa', 'Dubois', 'Eklund'] as const;
const CARRIERS = ['Northpost', 'Parcelline'] as const;
const CUSTOMERS = 40;
const ORDERS = 300;
const FIRST_ORDER_MS = Date.UTC(2026, 0, 1, 8);
const HOUR_MS = 3_600_000;

/** Picks round and round. */
function pick<T>(items: readonly [T, ...T[]], number: number): T {
  return items[number % items.length] ?? items[0];
}

function customer(number: number): CustomerRow {
  const given = pick(GIVEN_NAMES, number);
  const family = pick(FAMILY_NAMES, Math.floor(number / GIVEN_NAMES.length));
  return {
    customer_id: `CUS-${1000 + number}`,
    name: `${given} ${family}`,
    email: `${given}.${family}@example.com`.toLowerCase(),
  };
}

function order(number: number): OrderRow {
  const status = pick(ORDER_STATUSES, number * 3);
  const isSent = status === OrderStatus.Shipped || status === OrderStatus.Delivered;
  return {
    order_id: `ORD-${1000 + number}`,
    customer_id: `CUS-${1000 + ((number * 7) % CUSTOMERS)}`,
    status,
    placed_at: new Date(FIRST_ORDER_MS + number * 19 * HOUR_MS).toISOString(),
    total_minor: 500 + ((number * 7_919) % 45_000),
    refunded_minor: 0,
    currency: pick(CURRENCIES, number),
    carrier: isSent ? pick(CARRIERS, number) : null,
    tracking_number: isSent ? `RR${100_000_000 + number}DE` : null,
  };
}

function rows<T>(count: number, row: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => row(number));
}

/** Fills the tables with what is missing of the sample's data. */
export async function seed(database: Kysely<OrderTables>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('customers')
      .values(rows(CUSTOMERS, customer))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .insertInto('orders')
      .values(rows(ORDERS, order))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
