/**
 * The DTOs and tools that every cell declares: each decorator of the package, on classes and on methods.
 * Invariant: every tool names its input, so that compilers without decorator metadata make the same tools.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Owner, Scopes, SideEffect, Tool, type ToolContext, ToolError } from 'toolcrib';

export enum Priority {
  Low = 'low',
  High = 'high',
}

export enum Floor {
  Ground = 0,
  First = 1,
}

@JSONSchema({ title: 'Address', description: 'Where the order goes' })
export class Address {
  @JSONSchema({ description: 'Street and number' })
  @Length(1, 80)
  street!: string;

  @JSONSchema({ description: 'Postal code', examples: ['10115'] })
  @Matches(/^[0-9]{5}$/)
  postcode!: string;
}

export class Line {
  @Length(1, 20) sku!: string;
  @IsInt() @Min(1) @Max(99) quantity: number = 1;
}

@JSONSchema({ description: 'An order as it is placed' })
export class PlaceOrderInput {
  @JSONSchema({ description: 'Customer reference' })
  @Matches(/^CUS-[0-9]{4}$/)
  customer_id!: string;

  @IsEnum(Priority) priority: Priority = Priority.Low;
  @IsOptional() @IsEnum(Floor) floor?: Floor;
  @IsDate() @Type(() => Date) due!: Date;
  @ValidateNested() @Type(() => Address) address!: Address;

  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  @ArrayMaxSize(3) @IsString({ each: true }) tags: string[] = ['new'];
  @IsOptional() @IsBoolean() gift?: boolean;
  @IsOptional() @IsEmail() email?: string;
}

export class RushOrderInput extends PlaceOrderInput {
  @JSONSchema({ description: 'Hours until it must leave' })
  @IsInt()
  @Min(1)
  @Max(72)
  hours!: number;
}

export class OrderOutput {
  @IsString() order_id!: string;
  @IsDate() @Type(() => Date) due!: Date;
  @IsNumber() quantity!: number;
  @IsString({ each: true }) instances!: string[];
}

export class OrderReference {
  @Matches(/^ORD-[0-9]{4}$/) order_id!: string;
}

export class StatusOutput {
  @IsIn(['open', 'shipped']) status!: string;
}

/** The classes that a handler's input and its parts are instances of, for the suite to see. */
function instancesIn(input: PlaceOrderInput): string[] {
  const [line] = input.lines;
  return [
    input instanceof PlaceOrderInput ? 'input' : '',
    input.address instanceof Address ? 'address' : '',
    line instanceof Line ? 'line' : '',
    input.due instanceof Date ? 'due' : '',
  ];
}

@Tool({
  name: 'orders.place',
  version: '1.2.0',
  title: 'Place an order',
  description: 'Place an order for a customer',
  owner: 'Sales',
  input: PlaceOrderInput,
  output: OrderOutput,
  timeoutMs: 5_000,
  maxResultBytes: 10_000,
  idempotencyKey: (input) => `${input.customer_id} ${JSON.stringify(input)}`,
})
@Scopes('orders:write')
@SideEffect('write', { idempotent: true, openWorld: true })
export class PlaceOrderTool extends BaseTool<PlaceOrderInput, OrderOutput> {
  execute(input: PlaceOrderInput): OrderOutput {
    const quantity = input.lines.reduce((sum, line) => sum + line.quantity, 0);
    return { order_id: 'ORD-0001', due: input.due, quantity, instances: instancesIn(input) };
  }
}

@Owner('Logistics')
@Scopes('orders:read')
@SideEffect('none')
export class OrderService {
  private readonly status = 'shipped';

  @Tool({
    name: 'orders.status',
    version: '1.0.0',
    description: 'Tell how an order stands',
    input: OrderReference,
    output: StatusOutput,
  })
  async statusOf(input: OrderReference): Promise<StatusOutput> {
    if (input.order_id === 'ORD-1234') return { status: this.status };
    throw new ToolError({ code: 'order_not_found', message: 'No such order.', retryable: false });
  }

  @Tool({
    name: 'orders.rush',
    version: '2.0.0',
    description: 'Place an order that leaves within hours',
    input: RushOrderInput,
    deprecated: 'orders.place',
  })
  @Scopes('orders:write', 'orders:rush')
  @SideEffect('destructive')
  rush(input: RushOrderInput, context: ToolContext): { hours: number; caller: string } {
    return { hours: input.hours, caller: context.principal?.id ?? '' };
  }

  @Tool({ name: 'orders.list', version: '1.0.0', description: 'List open orders', output: [OrderReference] })
  list(): OrderReference[] {
    return [{ order_id: 'ORD-1234' }];
  }
}

/** Inherits its scopes and has a tool of its own; what it inherits from OrderService is no tool of it. */
@SideEffect('none')
export class ArchiveService extends OrderService {
  @Tool({ name: 'orders.count', version: '1.0.0', description: 'Count archived orders', output: Number })
  @Scopes()
  count(): number {
    return 7;
  }

  override list(): OrderReference[] {
    return [];
  }
}
