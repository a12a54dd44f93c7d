/**
 * The tool `orders.refund`: pays back a part of an order, or all of it.
 * Invariant: one refund reference is paid once, however often the call is repeated.
 */
import { IsInt, IsString, Length, Matches, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Scopes, SideEffect, Tool, type ToolContext } from 'toolcrib';
import { injectable } from 'tsyringe';
import { MAX_TOTAL_MINOR, ORDER_ID, OrderOutput } from '../orders/order';
import { OrderService, type RefundPreview } from '../orders/order-service';

export class RefundOrderInput {
  @JSONSchema({ description: 'Reference of the order to refund', examples: ['ORD-1234'] })
  @IsString()
  @Length(6, 20)
  @Matches(ORDER_ID)
  order_id!: string;

  @JSONSchema({
    description: "What to pay back, in the minor unit of the order's currency: 1250 is 12.50 EUR",
    examples: [1_250],
  })
  @IsInt()
  @Min(1)
  @Max(MAX_TOTAL_MINOR)
  amount_minor!: number;

  @JSONSchema({
    description: 'Reference of the decision to refund; calls with the same one pay once',
    examples: ['REF-20260705'],
  })
  @IsString()
  @Length(8, 20)
  @Matches(/^REF-[0-9]{4,16}$/)
  refund_id!: string;
}

@injectable()
@Tool({
  name: 'orders.refund',
  version: '1.0.0',
  owner: 'PaymentsTeam',
  description: 'Pay back a part of an order or all of it, at most what was paid; this cannot be taken back',
  input: RefundOrderInput,
  output: OrderOutput,
  idempotencyKey: ({ refund_id }) => refund_id,
  timeoutMs: 5_000,
})
@Scopes('orders:refund')
@SideEffect('destructive', { idempotent: true })
export class RefundOrderTool extends BaseTool<RefundOrderInput, OrderOutput> {
  constructor(private readonly orders: OrderService) {
    super();
  }

  /** What a reviewer is shown before the money goes. */
  override preview(
    { order_id, amount_minor }: RefundOrderInput,
    context: ToolContext,
  ): Promise<RefundPreview> {
    return this.orders.previewRefund(order_id, amount_minor, context.idempotencyKey);
  }

  execute(input: RefundOrderInput, context: ToolContext): Promise<OrderOutput> {
    return this.orders.refund({
      ...input,
      idempotency_key: context.idempotencyKey,
      refunded_by: context.principal?.id ?? null,
    });
  }
}
