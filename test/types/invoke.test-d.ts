/**
 * What `toolkit.invoke` infers.
 * Invariant: no inferred type here is `any`, and a Date of the output is text in the result.
 */
import { IsDate, IsInt } from 'class-validator';
import { BaseTool, type JsonValue, Tool, type Toolkit, type ToolResult } from 'toolcrib';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function expectType<Expected>() {
  return <Actual>(_value: Actual, ..._proof: Equal<Actual, Expected> extends true ? [] : [never]): void => {};
}

class Input {
  @IsInt() id!: number;
}
class Output {
  @IsInt() total!: number;
  @IsDate() at!: Date;
  describe(): string {
    return String(this.total);
  }
}

const base = { version: '1.0.0', description: 'd', input: Input };

@Tool({ ...base, name: 'a.tool', output: Output })
class ClassTool extends BaseTool<Input, Output> {
  execute(_input: Input): Promise<Output> {
    return Promise.resolve(new Output());
  }
}

class Service {
  @Tool({ ...base, name: 'a.method', output: Output })
  list(_input: Input): Output {
    return new Output();
  }
  @Tool({ ...base, name: 'a.void' })
  clear(_input: Input): void {}
}

export async function infer(toolkit: Toolkit, tool: ClassTool): Promise<void> {
  expectType<ToolResult<{ total: number; at: string }>>()(await toolkit.invoke(ClassTool, { id: 1 }));
  expectType<ToolResult<{ total: number; at: string }>>()(await toolkit.invoke([Service, 'list'], { id: 1 }));
  expectType<ToolResult<null>>()(await toolkit.invoke([Service, 'clear'], { id: 1 }));
  expectType<ToolResult<JsonValue>>()(await toolkit.invoke('a.tool', { id: 1 }));
  expectType<ToolResult<{ total: number; at: string }>>()(await tool.invoke({ id: 1 }));
  // @ts-expect-error the service has no such method
  await toolkit.invoke([Service, 'missing'], {});
  // @ts-expect-error a class without execute is no tool
  await toolkit.invoke(Service, {});
  const result = await toolkit.invoke(ClassTool, {});
  // @ts-expect-error the result is there only on success
  result.result.total;
  if (result.success) expectType<number>()(result.result.total);
  else expectType<boolean>()(result.error.retryable);
}
