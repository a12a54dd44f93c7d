/**
 * The tools `customers.find` and `customers.orders`: two methods of one service.
 * Invariant: what is decorated on the class holds for both methods unless a method says otherwise, and the
 * input of each is the class of its parameter.
 */
import { IsEmail, IsInt, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Owner, Scopes, SideEffect, Tool, ToolError, Waive } from 'toolcrib';
import { injectable } from 'tsyringe';
import { OrderDatabase } from '../orders/database';
import { CUSTOMER_ID, OrderOutput } from '../orders/order';
import { OrderService } from '../orders/order-service';

export class FindCustomerInput {
  @JSONSchema({ description: "The customer's e-mail address", examples: ['ada.adler@example.com'] })
  @Waive({
    validator_only_rule: 'The description says what an address is, and a wrong one is named at /email.',
  })
  @IsEmail()
  @MaxLength(254)
  email!: string;
}

export class CustomerOutput {
  @JSONSchema({ description: 'Reference of the customer', examples: ['CUS-1000'] })
  @IsString()
  @Length(8, 8)
  @Matches(CUSTOMER_ID)
  customer_id!: string;

  @JSONSchema({ description: 'Name of the customer', examples: ['Ada Adler'] })
  @IsString()
  @Length(1, 200)
  name!: string;
}

export class CustomerOrdersInput {
  @JSONSchema({ description: 'Reference of the customer', examples: ['CUS-1000'] })
  @IsString()
  @Length(8, 8)
  @Matches(CUSTOMER_ID)
  customer_id!: string;

  @JSONSchema({ description: 'How many of the newest orders to give', examples: [5] })
  @IsInt()
  @Min(1)
  @Max(20)
  limit = 5;
}

@injectable()
@Owner('CustomerCareTeam')
@Scopes('customers:read')
@SideEffect('none')
export class CustomerService {
  constructor(
    private readonly database: OrderDatabase,
    private readonly orderService: OrderService,
  ) {}

  @Tool({
    name: 'customers.find',
    version: '1.0.0',
    description: 'Find a customer by e-mail address',
    output: CustomerOutput,
  })
  async find({ email }: FindCustomerInput): Promise<CustomerOutput> {
    const customer = await this.database
      .selectFrom('customers')
      .select(['customer_id', 'name'])
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    if (customer !== undefined) return customer;
    throw new ToolError({
      code: 'customer_not_found',
      message: 'No customer has this e-mail address.',
      retryable: false,
    });
  }

  @Tool({
    name: 'customers.orders',
    version: '1.0.0',
    description: 'List the newest orders of a customer',
    output: [OrderOutput],
    maxResultBytes: 16_384,
  })
  @Scopes('customers:read', 'orders:read')
  async orders({ customer_id, limit }: CustomerOrdersInput): Promise<OrderOutput[]> {
    const { items } = await this.orderService.search({ customer_id, page: 1, page_size: limit });
    return items;
  }
}
