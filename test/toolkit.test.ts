/**
 * The toolkit as an application uses it: naming tools, describing them, the catalog, warming up.
 * Invariant: every way to name a tool leads to one spec, and a class stands for the version that it declares.
 */
import Ajv2020 from 'ajv/dist/2020';
import { IsInt, IsNumber, Max } from 'class-validator';
import { createToolkit, describe as describeSpec, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { codesOf, problemsOf } from './fixtures/declaration-problems';

class AddInput {
  @IsNumber()
  a!: number;

  @IsNumber()
  b!: number;
}

class AddOutput {
  @IsNumber()
  sum!: number;
}

const add = { name: 'math.add', description: 'Adds two numbers.', input: AddInput, output: AddOutput };

@Tool({ ...add, version: '1.0.0' })
@Scopes()
@SideEffect('none')
class AddOne {
  execute({ a, b }: AddInput): AddOutput {
    return { sum: a + b };
  }
}

@Tool({ ...add, version: '1.10.0' })
@Scopes()
@SideEffect('none')
class AddTen {
  execute({ a, b }: AddInput): AddOutput {
    return { sum: 10 * (a + b) };
  }
}

@Tool({ ...add, version: '2.0.0-beta.1' })
@Scopes()
@SideEffect('none')
class AddBeta {
  execute({ a, b }: AddInput): AddOutput {
    return { sum: -(a + b) };
  }
}

class CountInput {
  @IsInt()
  @Max(10)
  from!: number;
}

const byNumber = 7;

@Scopes('counter')
@SideEffect('none')
class CounterService {
  private readonly step = 2;

  @Tool({ name: 'counter.next', version: '1.0.0', description: 'Counts.', output: Number })
  next({ from }: CountInput): number {
    return from + this.step;
  }

  @Tool({ name: 'counter.reset', version: '1.0.0', description: 'Resets.' })
  @Scopes('counter', 'counter:reset')
  reset(): void {}

  @Tool({ name: 'counter.seven', version: '1.0.0', description: 'Sevens.', output: String })
  [byNumber](): string {
    return 'seven';
  }
}

class Undeclared {
  execute(): string {
    return 'done';
  }
}

const counter = { id: 'c', scopes: ['counter'] };
const args = { a: 3, b: 4 };
let toolkit: Toolkit;

beforeAll(async () => {
  toolkit = await createToolkit({ discover: { classes: [AddBeta, AddTen, CounterService, AddOne] } });
});

describe('invoke', () => {
  it('takes a class, for exactly the version that it declares', async () => {
    expect(await toolkit.invoke(AddOne, args)).toEqual({ success: true, result: { sum: 7 } });
    expect(await toolkit.invoke(AddTen, args)).toEqual({ success: true, result: { sum: 70 } });
    expect(await toolkit.invoke(AddBeta, args)).toEqual({ success: true, result: { sum: -7 } });
  });

  it('takes a service class and a method, which runs on its service', async () => {
    const options = { principal: counter };
    expect(await toolkit.invoke([CounterService, 'next'], { from: 5 }, options)).toEqual({
      success: true,
      result: 7,
    });
    expect(await toolkit.invoke([CounterService, byNumber], {}, options)).toEqual({
      success: true,
      result: 'seven',
    });
  });

  it.each([
    ['math.add', 70],
    ['math.add@1.0.0', 7],
    ['math.add@1.10.0', 70],
    ['math.add@^1', 70],
    ['math.add@<1.10', 7],
    ['math.add@*', 70],
    ['math.add@2.0.0-beta.1', -7],
    ['math.add@^2.0.0-beta', -7],
    ['math_add', 70],
    ['math_add@1.0.0', 7],
  ])('takes the text %s', async (reference, sum) => {
    expect(await toolkit.invoke(reference, args)).toEqual({ success: true, result: { sum } });
  });

  it.each([
    'math.sub',
    'Math_add',
    'math_sub',
    'Math.add',
    'math.add@2',
    'math.add@1.0.1',
    'math.add@not a range',
    '@1.0.0',
    '@',
    '',
    '__proto__',
    'constructor',
    'toString@1.0.0',
    '__proto__@__proto__',
  ])('answers unknown_tool to the text %j', async (reference) => {
    expect(await toolkit.invoke(reference, args)).toMatchObject({
      success: false,
      error: { code: 'unknown_tool', retryable: false },
    });
  });

  it('answers unknown_tool to classes and methods that are no tools of this toolkit', async () => {
    const other = await createToolkit({ discover: { classes: [AddOne] } });
    const unknown = { success: false, error: { code: 'unknown_tool', retryable: false } };
    expect(await toolkit.invoke(Undeclared, {})).toMatchObject(unknown);
    expect(await toolkit.invoke([Undeclared, 'execute'], {})).toMatchObject(unknown);
    expect(await other.invoke(AddTen, args)).toMatchObject(unknown);
    expect(await other.invoke([CounterService, 'next'], { from: 1 })).toMatchObject(unknown);
  });

  it('names the place of invalid arguments and does not repeat them', async () => {
    const result = await toolkit.invoke(AddOne, { a: 'three-EXAMPLE', c: 'c-EXAMPLE' });
    expect(result).toMatchObject({ success: false, error: { code: 'invalid_input', retryable: false } });
    const paths = result.success ? [] : result.error.detail;
    expect(paths).toMatchObject({
      violations: expect.arrayContaining([
        expect.objectContaining({ path: '/a' }),
        expect.objectContaining({ path: '/b' }),
        expect.objectContaining({ path: '/c' }),
      ]),
    });
    expect(JSON.stringify(result)).not.toContain('EXAMPLE');
  });
});

describe('describe', () => {
  it('gives one definition for every way to name a tool', () => {
    const definition = toolkit.describe(AddTen);
    for (const reference of ['math.add', 'math.add@1.10.0', 'math.add@^1']) {
      expect(toolkit.describe(reference)).toBe(definition);
    }
    const spec = toolkit.registry.get('math.add@1.10.0');
    expect(spec === undefined ? undefined : describeSpec(spec)).toBe(definition);
    expect(definition).toMatchObject({
      name: 'math_add',
      _meta: { key: 'math.add@1.10.0', version: '1.10.0' },
    });
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
  });

  it('takes a service class and a method', () => {
    expect(toolkit.describe([CounterService, 'reset'])).toBe(toolkit.describe('counter.reset'));
  });

  it.each(['math.sub', 'math.add@3', '__proto__', ''])('refuses %j', (reference) => {
    const problems = problemsOf(() => toolkit.describe(reference));
    expect(problems).toMatchObject([{ code: 'unknown_tool', place: { tool: reference } }]);
  });

  it('refuses a class that is no tool', () => {
    expect(codesOf(problemsOf(() => toolkit.describe(Undeclared)))).toEqual(['unknown_tool']);
  });
});

describe('catalog', () => {
  const keys = (...params: Parameters<Toolkit['catalog']>) =>
    toolkit.catalog(...params).map(({ _meta }) => _meta.key);

  it('has one version of each name, without prereleases, that the principal may call', () => {
    expect(keys()).toEqual(['math.add@1.10.0']);
    expect(keys({ id: 'x', scopes: [] })).toEqual(['math.add@1.10.0']);
    expect(keys(counter)).toEqual(['counter.next@1.0.0', 'counter.seven@1.0.0', 'math.add@1.10.0']);
    expect(keys({ id: 'x', scopes: ['counter:reset', 'counter'] })).toHaveLength(4);
  });

  it('takes another version where it is asked for', () => {
    expect(keys(undefined, { versions: { 'math.add': '~1.0' } })).toEqual(['math.add@1.0.0']);
    expect(keys(undefined, { versions: { 'math.add': '2.0.0-beta.1' } })).toEqual(['math.add@2.0.0-beta.1']);
    const pinning = () => toolkit.catalog(undefined, { versions: { 'math.add': '^3', 'math.sub': '1' } });
    expect(codesOf(problemsOf(pinning))).toEqual(['unknown_tool', 'unknown_version']);
  });

  it('holds the very definitions that describe gives', () => {
    expect(toolkit.catalog()).toEqual([toolkit.describe('math.add')]);
  });
});

describe('warm', () => {
  it('leaves nothing to compile for the first calls, and may be done twice', async () => {
    class WarmInput {
      @IsInt()
      id!: number;
    }
    @Tool({ name: 'test.warm', version: '1.0.0', description: 'Warms.', input: WarmInput, output: AddOutput })
    @Scopes()
    @SideEffect('none')
    class Warm {
      execute({ id }: WarmInput): AddOutput {
        return { sum: id };
      }
    }
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    const cold = await createToolkit({ discover: { classes: [Warm] } });
    expect(compile).not.toHaveBeenCalled();
    cold.warm();
    // The other tests of this file have compiled the output's class.
    expect(compile).toHaveBeenCalledTimes(1);
    cold.warm();
    expect(await cold.invoke(Warm, { id: 1 })).toEqual({ success: true, result: { sum: 1 } });
    expect(compile).toHaveBeenCalledTimes(1);
    // What lists the violations is compiled for the first refusal.
    expect(await cold.invoke(Warm, { id: 'one' })).toMatchObject({ error: { code: 'invalid_input' } });
    expect(compile).toHaveBeenCalledTimes(2);
    compile.mockRestore();
  });
});
