/**
 * The tables of the order database.
 * Invariant: money is an integer in the currency's minor unit, and a time is ISO 8601 text in UTC, so that
 * both sort and compare alike in SQLite and Postgres.
 */
import type { Kysely } from 'kysely';
import type { Currency, OrderStatus } from './order';

interface CustomerTable {
  customer_id: string;
  name: string;
  email: string;
}

interface OrderTable {
  order_id: string;
  customer_id: string;
  status: OrderStatus;
  placed_at: string;
  total_minor: number;
  refunded_minor: number;
  currency: Currency;
  carrier: string | null;
  tracking_number: string | null;
}

interface RefundTable {
  idempotency_key: string;
  refund_id: string;
  order_id: string;
  amount_minor: number;
  refunded_by: string | null;
}

/** All tables. */
export interface OrderTables {
  customers: CustomerTable;
  orders: OrderTable;
  refunds: RefundTable;
}

/** A row of `customers`. */
export type CustomerRow = Readonly<CustomerTable>;

/** A row of `orders`. */
export type OrderRow = Readonly<OrderTable>;

/** Makes the tables that are missing. */
export async function createTables(database: Kysely<OrderTables>): Promise<void> {
  await database.schema
    .createTable('customers')
    .ifNotExists()
    .addColumn('customer_id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .execute();
  await database.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('order_id', 'text', (column) => column.primaryKey())
    .addColumn('customer_id', 'text', (column) => column.notNull().references('customers.customer_id'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('placed_at', 'text', (column) => column.notNull())
    .addColumn('total_minor', 'integer', (column) => column.notNull())
    .addColumn('refunded_minor', 'integer', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('carrier', 'text')
    .addColumn('tracking_number', 'text')
    .execute();
  await database.schema
    .createTable('refunds')
    .ifNotExists()
    .addColumn('idempotency_key', 'text', (column) => column.primaryKey())
    .addColumn('refund_id', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.order_id'))
    .addColumn('amount_minor', 'integer', (column) => column.notNull())
    .addColumn('refunded_by', 'text')
    .execute();
}
