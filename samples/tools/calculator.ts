/**
 * The tool `math.calculator`: exact results for a model that would otherwise guess them.
 * Invariant: anyone may call it, it changes nothing, and its answer is always a finite number.
 */
import { IsIn, IsNumber, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Scopes, SideEffect, Tool, ToolError } from 'toolcrib';

const OPERATIONS = ['add', 'subtract', 'multiply', 'divide'] as const;
const LIMIT = 1_000_000_000_000;

export class CalculatorInput {
  @JSONSchema({ description: 'What to do with a and b, in this order', examples: ['add'] })
  @IsIn(OPERATIONS)
  operation!: (typeof OPERATIONS)[number];

  @JSONSchema({ description: 'The first number', examples: [3] })
  @IsNumber()
  @Min(-LIMIT)
  @Max(LIMIT)
  a!: number;

  @JSONSchema({ description: 'The second number; not 0 for divide', examples: [4] })
  @IsNumber()
  @Min(-LIMIT)
  @Max(LIMIT)
  b!: number;
}

@Tool({
  name: 'math.calculator',
  version: '1.0.0',
  owner: 'AgentPlatformTeam',
  description: 'Add, subtract, multiply or divide two numbers',
  input: CalculatorInput,
  output: Number,
})
@Scopes()
@SideEffect('none')
export class CalculatorTool extends BaseTool<CalculatorInput, number> {
  execute({ operation, a, b }: CalculatorInput): number {
    switch (operation) {
      case 'add':
        return a + b;
      case 'subtract':
        return a - b;
      case 'multiply':
        return a * b;
      case 'divide':
        return divide(a, b);
    }
  }
}

function divide(a: number, b: number): number {
  const quotient = a / b;
  if (Number.isFinite(quotient)) return quotient;
  throw new ToolError({
    code: 'division_by_zero',
    message: 'The divisor is 0, or so near to it that there is no result.',
    retryable: false,
  });
}
