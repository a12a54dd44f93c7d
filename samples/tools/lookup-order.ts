/**
 * The tool `orders.lookup`: one order by its reference.
 * Invariant: it only reads.
 */
import { IsString, Length, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Scopes, SideEffect, Tool } from 'toolcrib';
import { injectable } from 'tsyringe';
import { ORDER_ID, OrderOutput } from '../orders/order';
import { OrderService } from '../orders/order-service';

export class LookupOrderInput {
  @JSONSchema({ description: 'Reference of the order to look up', examples: ['ORD-1234'] })
  @IsString()
  @Length(6, 20)
  @Matches(ORDER_ID)
  order_id!: string;
}

@injectable()
@Tool({
  name: 'orders.lookup',
  version: '1.0.0',
  owner: 'OrderPlatformTeam',
  description: 'Look up order status and shipping details by order reference',
  input: LookupOrderInput,
  output: OrderOutput,
})
@Scopes('orders:read')
@SideEffect('none')
export class LookupOrderTool extends BaseTool<LookupOrderInput, OrderOutput> {
  constructor(private readonly orders: OrderService) {
    super();
  }

  execute({ order_id }: LookupOrderInput): Promise<OrderOutput> {
    return this.orders.get(order_id);
  }
}
