/**
 * The declarations that must and must not compile, on classes and on methods.
 * Invariant: every `@ts-expect-error` here fails the type check when the refusal is lost.
 */
import { IsInt, IsOptional, IsString } from 'class-validator';
import { BaseTool, NoInput, Tool, type ToolContext } from 'toolcrib';

class Input {
  @IsString() order_id!: string;
}
class Unrelated {
  @IsInt() amount!: number;
}
class Narrower extends Input {
  @IsString() more!: string;
}
class OptionallyNarrower extends Input {
  @IsOptional() @IsString() more?: string;
}
class Output {
  @IsInt() total!: number;
}

const base = { name: 'a.b', version: '1.0.0', description: 'd' };
const declared = { ...base, input: Input, output: Output };

@Tool(declared)
export class Fits {
  execute(input: Input, context: ToolContext): Promise<Output> {
    return Promise.resolve({ total: input.order_id.length + context.callId.length });
  }
}

@Tool(declared)
export class TakesLess {
  execute(_input: unknown): Output {
    return { total: 1 };
  }
}

// @ts-expect-error the parameter is an unrelated class
@Tool(declared)
export class TakesUnrelated {
  execute(input: Unrelated): Output {
    return { total: input.amount };
  }
}

// @ts-expect-error the parameter is a subclass of the declared input
@Tool(declared)
export class TakesNarrower {
  execute(input: Narrower): Output {
    return { total: input.more.length };
  }
}

// @ts-expect-error the parameter is a subclass that only adds an optional property
@Tool(declared)
export class TakesOptionallyNarrower {
  execute(input: OptionallyNarrower): Output {
    return { total: input.more?.length ?? 0 };
  }
}

// @ts-expect-error the return type is not the declared output
@Tool(declared)
export class ReturnsOther {
  execute(input: Input): string {
    return input.order_id;
  }
}

// @ts-expect-error there is no execute
@Tool(declared)
export class LacksExecute {}

// @ts-expect-error a tool without input takes none
@Tool(base)
export class TakesUndeclared {
  execute(input: Input): string {
    return input.order_id;
  }
}

@Tool({ ...base, output: [Output] })
export class ReturnsList {
  execute(): Output[] {
    return [{ total: 1 }];
  }
}

// @ts-expect-error a list is declared and one is returned
@Tool({ ...base, output: [Output] })
export class ReturnsOneOfList {
  execute(): Output {
    return { total: 1 };
  }
}

@Tool({ ...base, output: Number })
export class ReturnsNumber {
  execute(): number {
    return 1;
  }
}

// @ts-expect-error a number is declared and a text is returned
@Tool({ ...base, output: Number })
export class ReturnsText {
  execute(): string {
    return '1';
  }
}

export class Service {
  @Tool(declared)
  fits(input: Input): Promise<Output> {
    return Promise.resolve({ total: input.order_id.length });
  }

  @Tool(base)
  infers(input: Narrower, _context: ToolContext): string {
    return input.more;
  }

  // @ts-expect-error the parameter is an unrelated class
  @Tool(declared)
  takesUnrelated(input: Unrelated): Output {
    return { total: input.amount };
  }

  // @ts-expect-error the parameter is a subclass of the declared input
  @Tool(declared)
  takesNarrower(input: Narrower): Output {
    return { total: input.more.length };
  }

  // @ts-expect-error the parameter is a subclass that only adds an optional property
  @Tool(declared)
  takesOptionallyNarrower(input: OptionallyNarrower): Output {
    return { total: input.more?.length ?? 0 };
  }

  // @ts-expect-error the return type is not the declared output
  @Tool(declared)
  returnsOther(input: Input): Promise<string> {
    return Promise.resolve(input.order_id);
  }

  // @ts-expect-error a tool sits on a method
  @Tool(declared)
  property = 1;
}

@Tool({ ...base, input: NoInput })
export class WithoutInput extends BaseTool<NoInput, string> {
  execute(_input: NoInput): string {
    return 'ok';
  }
}

// @ts-expect-error execute is abstract in BaseTool
export class WithoutExecute extends BaseTool<Input, Output> {}

Tool({ ...declared, idempotencyKey: (input) => input.order_id });
// @ts-expect-error the business key reads a property that the input lacks
Tool({ ...declared, idempotencyKey: (input) => input.other });
// @ts-expect-error there is no version
Tool({ name: 'a.b', description: 'd' });
// @ts-expect-error a list holds exactly one class
Tool({ ...base, output: [Output, Output] });
