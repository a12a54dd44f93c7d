/**
 * The tool `orders.search`: orders that fit a filter, page by page.
 * Invariant: a page holds at most fifty orders, so an answer stays small enough for a model.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDate,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxDate,
  Min,
  MinDate,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Scopes, SideEffect, Tool, Waive } from 'toolcrib';
import { injectable } from 'tsyringe';
import { CUSTOMER_ID, OrderOutput, OrderStatus } from '../orders/order';
import { OrderService } from '../orders/order-service';

const MAX_PAGE = 10_000;
const MAX_PAGE_SIZE = 50;
const MAX_ORDERS = 1_000_000_000;
const FIRST_DAY = new Date('2000-01-01T00:00:00Z');
const LAST_DAY = new Date('2100-01-01T00:00:00Z');

@JSONSchema({ description: 'A span of time; an end that is left out is open' })
@Waive({
  validator_only_rule: 'JSON Schema cannot bound a date; the description of each end says its bounds.',
})
export class PlacedBetween {
  @JSONSchema({ description: 'Placed at this time or later', examples: ['2026-03-01T00:00:00Z'] })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  @MinDate(FIRST_DAY)
  @MaxDate(LAST_DAY)
  from?: Date;

  @JSONSchema({ description: 'Placed before this time', examples: ['2026-04-01T00:00:00Z'] })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  @MinDate(FIRST_DAY)
  @MaxDate(LAST_DAY)
  before?: Date;
}

@JSONSchema({ description: 'What all found orders have in common' })
export class OrderFilter {
  @JSONSchema({ description: 'How far the order has come', examples: ['shipped'] })
  @IsOptional()
  @IsEnum(OrderStatus)
  status?: OrderStatus;

  @JSONSchema({ description: 'Reference of the customer who placed the order', examples: ['CUS-1018'] })
  @IsOptional()
  @IsString()
  @Length(8, 8)
  @Matches(CUSTOMER_ID)
  customer_id?: string;

  @JSONSchema({ description: 'When the order was placed' })
  @IsOptional()
  @ValidateNested()
  @Type(() => PlacedBetween)
  placed?: PlacedBetween;
}

export class SearchOrdersInput {
  @JSONSchema({ description: 'Left out, all orders are found' })
  @IsOptional()
  @ValidateNested()
  @Type(() => OrderFilter)
  filter?: OrderFilter;

  @JSONSchema({ description: 'Number of the page, from 1', examples: [1] })
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  page = 1;

  @JSONSchema({ description: 'Orders on a page', examples: [10] })
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE_SIZE)
  page_size = 10;
}

export class OrderPage {
  @JSONSchema({ description: 'The orders of this page, newest first' })
  @IsArray()
  @ArrayMaxSize(MAX_PAGE_SIZE)
  @ValidateNested({ each: true })
  @Type(() => OrderOutput)
  items!: OrderOutput[];

  @JSONSchema({ description: 'Number of this page', examples: [1] })
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  page!: number;

  @JSONSchema({ description: 'How many orders fit, on all pages', examples: [120] })
  @IsInt()
  @Min(0)
  @Max(MAX_ORDERS)
  total_count!: number;
}

@injectable()
@Tool({
  name: 'orders.search',
  version: '1.0.0',
  owner: 'OrderPlatformTeam',
  description: 'Find orders by status, customer and time, newest first, one page at a time',
  input: SearchOrdersInput,
  output: OrderPage,
})
@Scopes('orders:read')
@SideEffect('none')
export class SearchOrdersTool extends BaseTool<SearchOrdersInput, OrderPage> {
  constructor(private readonly orders: OrderService) {
    super();
  }

  async execute({ filter, page, page_size }: SearchOrdersInput): Promise<OrderPage> {
    const { items, total } = await this.orders.search({
      status: filter?.status,
      customer_id: filter?.customer_id,
      placed_from: filter?.placed?.from,
      placed_before: filter?.placed?.before,
      page,
      page_size,
    });
    return { items, page, total_count: total };
  }
}
