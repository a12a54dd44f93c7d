/**
 * An order, as tools answer it.
 * Invariant: money is an integer in the currency's minor unit, and every field is bounded.
 */
import { Type } from 'class-transformer';
import {
  IsDate,
  IsEnum,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** How far an order has come. */
export enum OrderStatus {
  Placed = 'placed',
  Packed = 'packed',
  Shipped = 'shipped',
  Delivered = 'delivered',
  Cancelled = 'cancelled',
}

/** Every status, in the order of an order's life. */
export const ORDER_STATUSES = [
  OrderStatus.Placed,
  OrderStatus.Packed,
  OrderStatus.Shipped,
  OrderStatus.Delivered,
  OrderStatus.Cancelled,
] as const;

/** The currencies that orders are paid in. */
export const CURRENCIES = ['EUR', 'GBP', 'USD'] as const;

/** One of {@link CURRENCIES}. */
export type Currency = (typeof CURRENCIES)[number];

/** The form of an order reference. */
export const ORDER_ID = /^ORD-[0-9]{4,8}$/;
/** The form of a customer reference. */
export const CUSTOMER_ID = /^CUS-[0-9]{4}$/;
/** The form of a tracking number, which is the Universal Postal Union's S10. */
export const TRACKING_NUMBER = /^[A-Z]{2}[0-9]{9}[A-Z]{2}$/;
/** The highest sum of one order, in the minor unit of its currency. */
export const MAX_TOTAL_MINOR = 100_000_000;

/** Who carries an order, and under which number. */
export class Shipping {
  @JSONSchema({ description: 'Name of the carrier', examples: ['Northpost'] })
  @IsString()
  @Length(1, 60)
  carrier!: string;

  @JSONSchema({ description: "The carrier's tracking number", examples: ['RR100000234DE'] })
  @IsString()
  @Length(13, 13)
  @Matches(TRACKING_NUMBER)
  tracking_number!: string;
}

/** One order. */
export class OrderOutput {
  @JSONSchema({ description: 'Order reference', examples: ['ORD-1234'] })
  @IsString()
  @Length(6, 20)
  @Matches(ORDER_ID)
  order_id!: string;

  @JSONSchema({ description: 'Reference of the customer who placed the order', examples: ['CUS-1018'] })
  @IsString()
  @Length(8, 8)
  @Matches(CUSTOMER_ID)
  customer_id!: string;

  @JSONSchema({ description: 'How far the order has come', examples: ['shipped'] })
  @IsEnum(OrderStatus)
  status!: OrderStatus;

  @JSONSchema({ description: 'When the order was placed, in UTC', examples: ['2026-07-05T14:00:00.000Z'] })
  @Type(() => Date)
  @IsDate()
  placed_at!: Date;

  @JSONSchema({ description: 'Sum of the order, in the minor unit of its currency', examples: [9_546] })
  @IsInt()
  @Min(0)
  @Max(MAX_TOTAL_MINOR)
  total_minor!: number;

  @JSONSchema({ description: 'What was refunded so far, in the minor unit of the currency', examples: [0] })
  @IsInt()
  @Min(0)
  @Max(MAX_TOTAL_MINOR)
  refunded_minor!: number;

  @JSONSchema({ description: 'Currency, as ISO 4217 has it', examples: ['EUR'] })
  @IsIn(CURRENCIES)
  currency!: Currency;

  @JSONSchema({ description: 'Left out until the order is shipped' })
  @IsOptional()
  @ValidateNested()
  @Type(() => Shipping)
  shipping?: Shipping;
}
