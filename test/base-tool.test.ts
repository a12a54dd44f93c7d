/**
 * BaseTool: the contract of four members, and calling a tool on its own.
 * Invariant: an instance that lacks a member cannot be made, and `invoke` takes the pipeline's path.
 */
import { IsIn, IsInt, IsNumber } from 'class-validator';
import {
  BaseTool,
  createToolkit,
  type Interceptor,
  isDeclarationError,
  NoInput,
  Scopes,
  SideEffect,
  Tool,
  type ToolContext,
  ToolError,
} from 'toolcrib';
import { applyUntyped, declareTool, makeUntyped } from './fixtures/untyped-declarations';

class CalculatorInput {
  @IsIn(['add', 'subtract', 'multiply', 'divide'])
  operation!: 'add' | 'subtract' | 'multiply' | 'divide';

  @IsNumber()
  a!: number;

  @IsNumber()
  b!: number;
}

@Tool({
  name: 'math.calculator',
  version: '1.0.0',
  description: 'Calculates with two numbers.',
  input: CalculatorInput,
  output: Number,
})
@Scopes()
@SideEffect('none')
class CalculatorTool extends BaseTool<CalculatorInput, number> {
  execute({ operation, a, b }: CalculatorInput): number {
    if (operation === 'add') return a + b;
    if (operation === 'subtract') return a - b;
    if (operation === 'multiply') return a * b;
    if (b === 0) {
      throw new ToolError({ code: 'division_by_zero', message: 'b is 0.', retryable: false });
    }
    return a / b;
  }
}

@Tool({ name: 'test.context', version: '1.2.3', description: 'Tells who calls.', input: NoInput })
@Scopes('test:read')
@SideEffect('none')
class ContextTool extends BaseTool<NoInput, string> {
  execute(_input: NoInput, { principal, callId }: ToolContext): string {
    return `${principal?.id} ${callId}`;
  }
}

const sum = { operation: 'add', a: 3, b: 4 };

/** Answers in place of the handler, to tell one toolkit from another. */
function answering(result: number): Interceptor {
  return { stage: 'execute', run: async () => ({ success: true, result }) };
}

const MEMBERS = ['name', 'description', 'input', 'execute'];

/** The members that a TypeError says are lacking, when a class is constructed. */
function lackedBy(cls: abstract new () => object): readonly string[] {
  try {
    Reflect.construct(cls, []);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [said = ''] = error.message.split(':');
    expect(said).toContain(cls.name);
    return MEMBERS.filter((member) => new RegExp(`\\b${member}\\b`).test(said));
  }
  return [];
}

describe('a tool called on its own', () => {
  it('adds: the result is exactly { success: true, result: 7 }', async () => {
    expect(await new CalculatorTool().invoke({ operation: 'add', a: 3, b: 4 })).toStrictEqual({
      success: true,
      result: 7,
    });
  });

  it("refuses the operation 'pow' as invalid input", async () => {
    const result = await new CalculatorTool().invoke({ operation: 'pow', a: 3, b: 4 });
    expect(result).toMatchObject({
      success: false,
      error: { code: 'invalid_input', retryable: false, detail: { violations: [{ path: '/operation' }] } },
    });
    expect(JSON.stringify(result)).not.toContain('pow');
  });

  it('answers the ToolError of a division by zero', async () => {
    expect(await new CalculatorTool().invoke({ operation: 'divide', a: 3, b: 0 })).toStrictEqual({
      success: false,
      error: { code: 'division_by_zero', message: 'b is 0.', retryable: false },
    });
  });

  it('hands the options of the call to the pipeline', async () => {
    const tool = new ContextTool();
    const principal = { id: 'ann', scopes: ['test:read'] };
    expect(await tool.invoke({}, { principal, callId: 'call-1' })).toEqual({
      success: true,
      result: 'ann call-1',
    });
    expect(await tool.invoke({})).toMatchObject({ success: false, error: { code: 'insufficient_scope' } });
    expect(await tool.invoke({}, { principal, signal: AbortSignal.abort() })).toMatchObject({
      success: false,
      error: { code: 'cancelled' },
    });
  });

  it('answers calls at once and again', async () => {
    const tool = new CalculatorTool();
    const answers = await Promise.all([tool.invoke(sum), tool.invoke(sum)]);
    expect([...answers, await tool.invoke(sum)]).toEqual(Array(3).fill({ success: true, result: 7 }));
  });

  it('rejects with a DeclarationError when the declaration is not sound', async () => {
    const Unsound = declareTool(
      { name: 'test.unsound', version: 'one', description: 'Has no version.', input: NoInput },
      class extends BaseTool<NoInput, string> {
        execute(): string {
          return 'done';
        }
      },
    );
    const outcome = await new Unsound().invoke({}).catch((error: unknown) => error);
    if (!isDeclarationError(outcome)) throw new Error('it was not refused');
    expect(outcome.problems.map(({ code }) => code)).toEqual(['illegal_version']);
  });
});

describe('a tool that a toolkit has discovered', () => {
  it('is called through that toolkit, as an instance', async () => {
    const tool = new CalculatorTool();
    await createToolkit({ discover: { instances: [tool] }, interceptors: [answering(70)] });
    expect(await tool.invoke(sum)).toEqual({ success: true, result: 70 });
  });

  it('is called through that toolkit, as what its container gave', async () => {
    const tool = new CalculatorTool();
    await createToolkit({
      discover: { classes: [CalculatorTool] },
      container: { resolve: () => tool },
      interceptors: [answering(70)],
    });
    expect(await tool.invoke(sum)).toEqual({ success: true, result: 70 });
  });

  it('is called through the first open toolkit that has discovered it', async () => {
    const tool = new CalculatorTool();
    expect(await tool.invoke(sum)).toEqual({ success: true, result: 7 });
    const make = (answer: number) =>
      createToolkit({ discover: { instances: [tool] }, interceptors: [answering(answer)] });
    const first = await make(71);
    const second = await make(72);
    expect(await tool.invoke(sum)).toEqual({ success: true, result: 71 });
    await make(73);
    await first.close();
    expect(await tool.invoke(sum)).toEqual({ success: true, result: 72 });
    await second.close();
    expect(await tool.invoke(sum)).toEqual({ success: true, result: 73 });
  });

  it('does not lend its toolkit to other instances of its class', async () => {
    const toolkit = await createToolkit({
      discover: { instances: [new CalculatorTool()] },
      interceptors: [answering(70)],
    });
    expect(await new CalculatorTool().invoke(sum)).toEqual({ success: true, result: 7 });
    expect(await toolkit.invoke(CalculatorTool, sum)).toEqual({ success: true, result: 70 });
  });

  it('is what the registry holds: its handler runs on the instance', async () => {
    const tool = new CalculatorTool();
    const execute = jest.spyOn(tool, 'execute');
    const toolkit = await createToolkit({ discover: { instances: [tool] } });
    expect(toolkit.registry.get('math.calculator@1.0.0')).toMatchObject({ handler: expect.any(Function) });
    await toolkit.invoke('math.calculator@1.0.0', sum);
    expect(execute.mock.contexts).toEqual([tool]);
    expect(execute.mock.calls[0]?.[0]).toBeInstanceOf(CalculatorInput);
  });
});

describe('the members of a tool', () => {
  it('are name, description and input model as declared', () => {
    const tool = new CalculatorTool();
    expect([tool.name, tool.description, tool.inputModel]).toEqual([
      'math.calculator',
      'Calculates with two numbers.',
      CalculatorInput,
    ]);
  });

  it('make its schema: model name, description and the parameters that the toolkit describes', async () => {
    const schema = new CalculatorTool().getSchema();
    const toolkit = await createToolkit({ discover: { classes: [CalculatorTool] } });
    const { name, description, inputSchema } = toolkit.describe(CalculatorTool);
    expect(schema).toStrictEqual({ name, description, parameters: inputSchema });
    expect(schema).toMatchObject({
      name: 'math_calculator',
      parameters: { type: 'object', additionalProperties: false, required: ['operation', 'a', 'b'] },
    });
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  it('make an empty closed schema of NoInput', () => {
    const { parameters } = new ContextTool().getSchema();
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(parameters.required ?? []).toEqual([]);
    expect(parameters.properties ?? {}).toEqual({});
  });
});

describe('a tool that lacks a member', () => {
  const whole = { name: 'test.whole', version: '1.0.0', description: 'Is whole.', input: NoInput };
  const without = (member: string) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member));

  function classWith(options: unknown): new () => object {
    class Incomplete extends BaseTool<NoInput, string> {
      execute(): string {
        return 'done';
      }
    }
    return declareTool(options, Incomplete);
  }

  it('can be made when it lacks none', () => {
    expect(lackedBy(classWith(whole))).toEqual([]);
    expect(Reflect.construct(classWith(whole), [])).toBeInstanceOf(BaseTool);
  });

  it.each(['name', 'description', 'input'])(
    'cannot be made without %s, which the TypeError names',
    (member) => {
      expect(lackedBy(classWith(without(member)))).toEqual([member]);
    },
  );

  it('cannot be made without execute, which the TypeError names', () => {
    abstract class Incomplete extends BaseTool<NoInput, string> {}
    applyUntyped(makeUntyped(Tool, whole), Incomplete);
    expect(lackedBy(Incomplete)).toEqual(['execute']);
  });

  it.each([
    ['a name that is empty', { ...whole, name: '' }, 'name'],
    ['a description that is no text', { ...whole, description: 5 }, 'description'],
    ['an input that is no class', { ...whole, input: { type: 'object' } }, 'input'],
  ])('cannot be made with %s', (_case, options, member) => {
    expect(lackedBy(classWith(options))).toEqual([member]);
  });

  it('is told of all that it lacks at once', () => {
    abstract class Bare extends BaseTool<NoInput, string> {}
    expect(lackedBy(Bare)).toEqual(MEMBERS);
  });

  it('is also a subclass of a whole tool that has no @Tool of its own', () => {
    class Inheriting extends CalculatorTool {}
    expect(lackedBy(Inheriting)).toEqual(['name', 'description', 'input']);
  });

  it('is not a subclass that declares itself, whatever it inherits', async () => {
    class NarrowInput {
      @IsInt()
      id!: number;
    }
    abstract class Doubling extends BaseTool<NarrowInput, number> {
      execute({ id }: NarrowInput): number {
        return id * 2;
      }
    }
    @Tool({ name: 'test.double', version: '1.0.0', description: 'Doubles.', input: NarrowInput })
    @Scopes()
    @SideEffect('none')
    class Double extends Doubling {}
    expect(await new Double().invoke({ id: 4 })).toEqual({ success: true, result: 8 });
  });
});
