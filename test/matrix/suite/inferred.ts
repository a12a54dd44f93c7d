/**
 * Methods that leave their input to the compiler.
 * Invariant: where the compiler emits parameter types they are tools like those that name it.
 */
import { Scopes, SideEffect, Tool } from 'toolcrib';
import type { PlaceOrderInput } from './orders.js';
import { OrderReference } from './orders.js';

@Scopes()
@SideEffect('none')
export class InferredService {
  @Tool({ name: 'inferred.echo', version: '1.0.0', description: 'Echo a reference' })
  echo(input: OrderReference): string {
    return `${input instanceof OrderReference} ${input.order_id}`;
  }

  @Tool({ name: 'inferred.nothing', version: '1.0.0', description: 'Take nothing' })
  nothing(): string {
    return 'nothing';
  }
}

/** Its input's class is imported as a type, which leaves nothing at run time. */
@Scopes()
@SideEffect('none')
export class TypeOnlyService {
  @Tool({ name: 'inferred.type_only', version: '1.0.0', description: 'Take what is only a type' })
  take(input: PlaceOrderInput): string {
    return input.customer_id;
  }
}
