/**
 * What the shop does with orders.
 * Invariant: a change is one conditional statement or one transaction, so two callers at once do not undo or
 * double each other's work; a failure that was foreseen is a ToolError, which reaches the model as it stands.
 */
import { ToolError } from 'toolcrib';
import { injectable } from 'tsyringe';
import { OrderDatabase } from './database';
import { type OrderOutput, OrderStatus } from './order';
import type { OrderRow } from './tables';

const CANCELLABLE = [OrderStatus.Placed, OrderStatus.Packed];

/** Which orders to find; what is left out does not narrow. */
export interface OrderQuery {
  readonly status?: OrderStatus | undefined;
  readonly customer_id?: string | undefined;
  readonly placed_from?: Date | undefined;
  readonly placed_before?: Date | undefined;
  /** The first page is 1. */
  readonly page: number;
  readonly page_size: number;
}

/** A refund that was decided on. */
export interface Refund {
  readonly refund_id: string;
  readonly order_id: string;
  readonly amount_minor: number;
  /** Equal for every attempt of the same refund. */
  readonly idempotency_key: string;
  readonly refunded_by: string | null;
}

/** What a refund would do, in words for people. */
export interface RefundPreview {
  readonly pays: string;
  /** What was paid back before. */
  readonly refunded: string;
  /** What could still be paid back afterwards. */
  readonly remains: string;
  readonly note?: string;
}

/** What a cancellation would do, in words for people. */
export interface CancelPreview {
  readonly cancels: string;
  readonly note?: string;
}

function toMoney(minor: number, currency: string): string {
  return `${(minor / 100).toFixed(2)} ${currency}`;
}

function toOrder({ carrier, tracking_number, placed_at, ...rest }: OrderRow): OrderOutput {
  const order = { ...rest, placed_at: new Date(placed_at) };
  return carrier === null || tracking_number === null
    ? order
    : { ...order, shipping: { carrier, tracking_number } };
}

/** Reads and changes orders. */
@injectable()
export class OrderService {
  constructor(private readonly database: OrderDatabase) {}

  /** The order of a reference. */
  async get(orderId: string): Promise<OrderOutput> {
    const row = await this.find(orderId);
    if (row !== undefined) return toOrder(row);
    throw new ToolError({
      code: 'order_not_found',
      message: `There is no order ${orderId}. Ask the customer for the reference.`,
      retryable: false,
    });
  }

  private find(orderId: string): Promise<OrderRow | undefined> {
    return this.database.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  }

  /** One page of the orders that fit, newest first, and how many fit in all. */
  async search(query: OrderQuery): Promise<{ items: OrderOutput[]; total: number }> {
    let fitting = this.database.selectFrom('orders');
    if (query.status) fitting = fitting.where('status', '=', query.status);
    if (query.customer_id) fitting = fitting.where('customer_id', '=', query.customer_id);
    if (query.placed_from) fitting = fitting.where('placed_at', '>=', query.placed_from.toISOString());
    if (query.placed_before) fitting = fitting.where('placed_at', '<', query.placed_before.toISOString());
    const { total } = await fitting
      .select((all) => all.fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await fitting
      .selectAll()
      .orderBy('placed_at', 'desc')
      .orderBy('order_id', 'desc')
      .limit(query.page_size)
      .offset((query.page - 1) * query.page_size)
      .execute();
    // Postgres counts in 64 bits, which its driver hands over as text.
    return { items: rows.map(toOrder), total: Number(total) };
  }

  /** Cancels an order that has not been shipped; cancelling it again changes nothing. */
  async cancel(orderId: string): Promise<OrderOutput> {
    await this.database
      .updateTable('orders')
      .set({ status: OrderStatus.Cancelled })
      .where('order_id', '=', orderId)
      .where('status', 'in', CANCELLABLE)
      .execute();
    const order = await this.get(orderId);
    if (order.status === OrderStatus.Cancelled) return order;
    throw new ToolError({
      code: 'order_not_cancellable',
      message: `${orderId} is ${order.status} and can no longer be cancelled.`,
      retryable: false,
      detail: { status: order.status },
    });
  }

  /** What a refund would do; it changes nothing. */
  async previewRefund(orderId: string, amountMinor: number, key: string): Promise<RefundPreview> {
    const order = await this.find(orderId);
    if (order === undefined) {
      return { pays: 'nothing', refunded: 'nothing', remains: 'nothing', note: 'There is no such order.' };
    }
    const paid = await this.database
      .selectFrom('refunds')
      .select('refund_id')
      .where('idempotency_key', '=', key)
      .executeTakeFirst();
    const money = (minor: number) => toMoney(minor, order.currency);
    const before = order.total_minor - order.refunded_minor;
    const told = { refunded: money(order.refunded_minor), remains: money(before) };
    if (paid !== undefined) return { pays: 'nothing', ...told, note: `${paid.refund_id} was paid before.` };
    if (amountMinor > before) return { pays: 'nothing', ...told, note: 'It is more than what remains.' };
    return { pays: money(amountMinor), ...told, remains: money(before - amountMinor) };
  }

  /** What a cancellation would do; it changes nothing. */
  async previewCancel(orderId: string): Promise<CancelPreview> {
    const order = await this.find(orderId);
    if (order === undefined) return { cancels: 'nothing', note: 'There is no such order.' };
    const { status, total_minor, currency } = order;
    if (!CANCELLABLE.includes(status)) return { cancels: 'nothing', note: `It is ${status}.` };
    return { cancels: `an order of ${toMoney(total_minor, currency)}, which is ${status}` };
  }

  /** Pays money back, once for each key, and never more than was paid. */
  async refund(refund: Refund): Promise<OrderOutput> {
    await this.get(refund.order_id);
    await this.database.transaction().execute(async (transaction) => {
      const { numInsertedOrUpdatedRows: inserted } = await transaction
        .insertInto('refunds')
        .values(refund)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (inserted === 0n) {
        const paid = await transaction
          .selectFrom('refunds')
          .selectAll()
          .where('idempotency_key', '=', refund.idempotency_key)
          .executeTakeFirstOrThrow();
        if (paid.order_id === refund.order_id && paid.amount_minor === refund.amount_minor) return;
        throw new ToolError({
          code: 'refund_conflict',
          message: `${refund.refund_id} was already paid for another order or amount. Use a new reference.`,
          retryable: false,
        });
      }
      const { numUpdatedRows: updated } = await transaction
        .updateTable('orders')
        .set((order) => ({ refunded_minor: order('refunded_minor', '+', refund.amount_minor) }))
        .where('order_id', '=', refund.order_id)
        .where((order) =>
          order(order('refunded_minor', '+', refund.amount_minor), '<=', order.ref('total_minor')),
        )
        .executeTakeFirstOrThrow();
      if (updated > 0n) return;
      throw new ToolError({
        code: 'refund_exceeds_total',
        message: `The refunds of ${refund.order_id} would exceed what was paid.`,
        retryable: false,
      });
    });
    return this.get(refund.order_id);
  }
}
