/**
 * Previews that must and must not compile.
 * Invariant: every `@ts-expect-error` here fails the type check when the refusal is lost.
 */
import { IsInt, IsString } from 'class-validator';
import { BaseTool, Tool, type ToolContext } from 'toolcrib';

class Input {
  @IsInt() amount!: number;
}
class Unrelated {
  @IsString() name!: string;
}

const declared = { name: 'a.b', version: '1.0.0', description: 'd', input: Input };

export class Service {
  @Tool({ ...declared, preview: 'show' })
  fits(input: Input): number {
    return input.amount;
  }
  // @ts-expect-error there is no such method
  @Tool({ ...declared, preview: 'missing' })
  namesNone(input: Input): number {
    return input.amount;
  }
  // @ts-expect-error it is no method
  @Tool({ ...declared, preview: 'count' })
  namesProperty(input: Input): number {
    return input.amount;
  }
  // @ts-expect-error it takes another class
  @Tool({ ...declared, preview: 'other' })
  namesOther(input: Input): number {
    return input.amount;
  }

  count = 1;
  show(input: Input, context: ToolContext): object {
    return { amount: input.amount, call: context.callId };
  }
  other(input: Unrelated): string {
    return input.name;
  }
}

@Tool(declared)
export class Fits extends BaseTool<Input, number> {
  execute(input: Input): number {
    return input.amount;
  }
  override preview(input: Input): Promise<object> {
    return Promise.resolve({ amount: input.amount });
  }
}

// @ts-expect-error the preview takes another class
@Tool(declared)
export class TakesOther {
  execute(input: Input): number {
    return input.amount;
  }
  preview(input: Unrelated): string {
    return input.name;
  }
}
