/**
 * The tools that tests of the command line work on.
 * Invariant: between them they have each kind of side effect, of scope decision and of answer.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsEmail,
  IsInt,
  IsOptional,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { NoInput, Owner, Scopes, SideEffect, Tool, type ToolContext, ToolError } from 'toolcrib';

export class Parcel {
  @JSONSchema({ description: 'What it weighs, in grams', examples: [500] })
  @IsInt()
  @Min(1)
  @Max(30_000)
  weight_g!: number;
}

export class LookupInput {
  @JSONSchema({ description: 'Reference of the order', examples: ['ORD-1234'] })
  @Length(6, 20)
  @Matches(/^ORD-[0-9]{4}$/)
  order_id!: string;
}

export class OrderOutput extends LookupInput {
  @JSONSchema({ description: 'The parcels of the order' })
  @IsOptional()
  @ArrayMaxSize(5)
  @ValidateNested({ each: true })
  @Type(() => Parcel)
  parcels?: Parcel[];
}

export class RemindInput extends LookupInput {
  @JSONSchema({ description: 'Where to send the reminder', examples: ['ann@example.com'] })
  @IsEmail()
  @Length(3, 254)
  email!: string;

  @JSONSchema({ description: 'How often to remind', examples: [2] })
  @IsInt()
  @Min(1)
  @Max(3)
  times = 1;
}

@Owner('OrderDesk')
export class OrderDesk {
  @Tool({ name: 'orders.lookup', version: '1.0.0', description: 'Look up an order', output: OrderOutput })
  @Scopes('orders:read')
  @SideEffect('none')
  lookup({ order_id }: LookupInput): OrderOutput {
    if (order_id === 'ORD-1234') return { order_id, parcels: [{ weight_g: 500 }] };
    throw new ToolError({ code: 'order_not_found', message: 'No such order.', retryable: false });
  }

  @Tool({
    name: 'orders.remind',
    version: '2.1.0',
    title: 'Remind a customer',
    description: 'Send a reminder by e-mail',
    timeoutMs: 2_000,
    deprecated: 'use orders.notify',
  })
  @Scopes('orders:write')
  @SideEffect('write', { openWorld: true })
  remind(_input: RemindInput): void {
    throw new ToolError({ code: 'mail_down', message: 'Try again.', retryable: true, retryAfterMs: 50 });
  }

  @Tool({ name: 'desk.caller', version: '1.0.0', description: 'Say who is calling', output: String })
  @Scopes()
  @SideEffect('none')
  caller(_input: NoInput, { principal }: ToolContext): string {
    return principal === undefined ? 'nobody' : `${principal.id} ${principal.scopes.join('+')}`;
  }

  @Tool({ name: 'desk.wipe', version: '1.0.0', description: 'Forget everything' })
  wipe(): void {}
}
