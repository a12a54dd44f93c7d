/**
 * The sample's `math.calculator`, called on its own and through the toolkit.
 * Invariant: the answer is a finite number or a failure, for all inputs that the schema admits.
 */
import fc from 'fast-check';
import type { App } from '../../samples/app';
import { CalculatorTool } from '../../samples/tools/calculator';
import { errorOf, openSampleApp } from '../fixtures/sample-app';

it('adds, exactly', async () => {
  expect(await new CalculatorTool().invoke({ operation: 'add', a: 3, b: 4 })).toEqual({
    success: true,
    result: 7,
  });
});

it.each([
  ['subtract', 3, 4, -1],
  ['multiply', 3, -4, -12],
  ['divide', 3, 4, 0.75],
  ['divide', 0, 4, 0],
])('can %s', async (operation, a, b, result) => {
  expect(await new CalculatorTool().invoke({ operation, a, b })).toEqual({ success: true, result });
});

it.each([
  ['an operation that there is not', { operation: 'pow', a: 3, b: 4 }, '/operation'],
  ['a name that Object.prototype has', { operation: 'constructor', a: 3, b: 4 }, '/operation'],
  ['text for a number', { operation: 'add', a: '3', b: 4 }, '/a'],
  ['a number past the bounds', { operation: 'add', a: 3, b: 1e13 }, '/b'],
  ['Infinity', { operation: 'add', a: 3, b: Number.POSITIVE_INFINITY }, '/b'],
  ['a missing number', { operation: 'add', a: 3 }, '/b'],
])('refuses %s', async (_, args, path) => {
  const result = await new CalculatorTool().invoke(args);
  expect(result.success).toBe(false);
  expect(errorOf(result)).toMatchObject({
    code: 'invalid_input',
    detail: { violations: expect.arrayContaining([expect.objectContaining({ path })]) },
  });
});

it.each([0, -0, Number.MIN_VALUE])('does not divide by %p', async (b) => {
  const result = await new CalculatorTool().invoke({ operation: 'divide', a: 3, b });
  expect(errorOf(result)).toMatchObject({ code: 'division_by_zero', retryable: false });
});

it('answers a finite number, for all operands but a divisor of 0 and its neighbours', async () => {
  const tool = new CalculatorTool();
  const operand = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  const operation = fc.constantFrom('add', 'subtract', 'multiply', 'divide');
  const property = fc.asyncProperty(operation, operand, operand, async (chosen, a, b) => {
    const result = await tool.invoke({ operation: chosen, a, b });
    expect(result.success).toBe(chosen !== 'divide' || Number.isFinite(a / b));
    expect(result.success ? Number.isFinite(result.result) : errorOf(result).code).toBe(
      result.success ? true : 'division_by_zero',
    );
  });
  await fc.assert(property, { seed: 7, numRuns: 300 });
});

it('shows its schema as function-calling APIs take it', () => {
  expect(new CalculatorTool().getSchema()).toMatchObject({
    name: 'math_calculator',
    parameters: {
      properties: { operation: { enum: ['add', 'subtract', 'multiply', 'divide'] }, a: { type: 'number' } },
      required: ['operation', 'a', 'b'],
    },
  });
});

describe('in the toolkit', () => {
  let app: App;
  beforeAll(async () => {
    app = await openSampleApp();
  });
  afterAll(() => app.close());

  it('may be called by anyone', async () => {
    expect(await app.toolkit.invoke(CalculatorTool, { operation: 'add', a: 3, b: 4 })).toEqual({
      success: true,
      result: 7,
    });
    expect(app.toolkit.catalog().map(({ name }) => name)).toEqual(['math_calculator']);
  });
});
