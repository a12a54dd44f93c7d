/**
 * The tool `orders.cancel`: stops an order that has not been shipped.
 * Invariant: it cannot be taken back, so it is declared destructive; repeating it changes nothing more.
 */
import { IsString, Length, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Scopes, SideEffect, Tool } from 'toolcrib';
import { injectable } from 'tsyringe';
import { ORDER_ID, OrderOutput } from '../orders/order';
import { type CancelPreview, OrderService } from '../orders/order-service';

export class CancelOrderInput {
  @JSONSchema({ description: 'Reference of the order to cancel', examples: ['ORD-1000'] })
  @IsString()
  @Length(6, 20)
  @Matches(ORDER_ID)
  order_id!: string;
}

@injectable()
@Tool({
  name: 'orders.cancel',
  version: '1.0.0',
  owner: 'OrderPlatformTeam',
  description: 'Cancel an order that has not been shipped yet; this cannot be taken back',
  input: CancelOrderInput,
  output: OrderOutput,
})
@Scopes('orders:write')
@SideEffect('destructive', { idempotent: true })
export class CancelOrderTool extends BaseTool<CancelOrderInput, OrderOutput> {
  constructor(private readonly orders: OrderService) {
    super();
  }

  /** What a reviewer is shown before the order is cancelled. */
  override preview({ order_id }: CancelOrderInput): Promise<CancelPreview> {
    return this.orders.previewCancel(order_id);
  }

  execute({ order_id }: CancelOrderInput): Promise<OrderOutput> {
    return this.orders.cancel(order_id);
  }
}
