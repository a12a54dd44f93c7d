/**
 * Arguments that are JSON and made to break the gate, and how often a gate is built.
 * Invariant: such arguments are refused as any others, in words of bounded length; a class is compiled once.
 */
import Ajv2020 from 'ajv/dist/2020';
import { ArrayUnique, IsIn, IsInt, IsObject } from 'class-validator';
import {
  createToolkit,
  inputContract,
  outputContract,
  Scopes,
  SideEffect,
  Tool,
  type Violation,
} from 'toolcrib';
import { dtoOf, dtoWith } from '../fixtures/dto-with';
import { toolkitRunning } from '../fixtures/recorded-toolkit';
import { violationsIn } from '../fixtures/verdicts';

const LONG = 'k'.repeat(100_000);

describe('elements that would say themselves how they compare', () => {
  // Values of several types are compared one with another; those of one type are looked up.
  const LISTS: readonly (readonly unknown[])[] = [
    ['a', 'b'],
    ['a', 1],
    ['a', null],
  ];
  const elements: readonly object[] = [{ toString: 'x' }, { valueOf: 'x' }, { constructor: 'x' }];
  const cases = LISTS.flatMap((values) => elements.map((element) => [values, element] as const));

  it.each(cases)('are refused as invalid input: of %j, %j', async (values, element) => {
    const input = dtoWith(ArrayUnique(), IsIn(values, { each: true }));
    const { run, log } = await toolkitRunning(() => 'done', { tool: { input } });
    const args: unknown = JSON.parse(JSON.stringify({ v: [element, element] }));
    expect(await run(args)).toMatchObject({ success: false, error: { code: 'invalid_input' } });
    expect(log).toEqual([]);
    expect(await run({ v: values })).toEqual({ success: true, result: 'done' });
    expect(await run({ v: ['a', 'a'] })).toMatchObject({ error: { code: 'invalid_input' } });
  });
});

describe('keys of 100,000 characters', () => {
  const freeOf = (free: object): object => ({ n: 1, free });
  const HOSTILE: readonly (readonly [string, object])[] = [
    ['at the root', { n: 1, free: {}, [LONG]: 1 }],
    ['of slashes, which a pointer makes longer', { n: 1, free: {}, ['/'.repeat(100_000)]: 1 }],
    ['above a key that is refused', freeOf({ [LONG]: JSON.parse('{"toString":1}') })],
    ['one within another', freeOf({ [LONG]: { [LONG]: [JSON.parse('{"__proto__":1}')] } })],
    ['above what is no JSON', freeOf({ [LONG]: [Number.NaN] })],
  ];

  it.each(HOSTILE)('make no long violation: %s', async (_, args) => {
    const contract = inputContract(dtoOf({ n: [IsInt()], free: [IsObject()] }));
    const violations: readonly Violation[] = violationsIn(await contract.parse(args));
    expect(violations.length).toBeGreaterThan(0);
    for (const { path, rule, message } of violations) {
      expect(path.length).toBeLessThan(1_000);
      expect(rule.length + message.length).toBeLessThan(1_000);
    }
  });

  it.each(HOSTILE)('are invalid input, whatever hooks there are: %s', async (_, args) => {
    const input = dtoOf({ n: [IsInt()], free: [IsObject()] });
    const { run } = await toolkitRunning(() => 'done', {
      tool: { input },
      interceptors: [{ stage: 'limit', run: (_call, next) => next() }],
    });
    const result = await run(args);
    expect(result).toMatchObject({ error: { code: 'invalid_input' } });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
  });
});

describe('the schema of a DTO', () => {
  it('is compiled once, for both contracts and for every toolkit', async () => {
    class Shared {
      @IsInt() n!: number;
    }
    @Tool({ name: 'test.shared', version: '1.0.0', description: 'd', input: Shared, output: Shared })
    @Scopes()
    @SideEffect('none')
    class First {
      execute({ n }: Shared): Shared {
        return { n };
      }
    }
    @Tool({ name: 'test.other', version: '1.0.0', description: 'd', input: Shared })
    @Scopes()
    @SideEffect('none')
    class Second {
      execute({ n }: Shared): number {
        return n;
      }
    }
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    try {
      for (let count = 0; count < 5; count += 1) {
        const toolkit = await createToolkit({ discover: { classes: [First, Second] } });
        toolkit.warm();
        expect(await toolkit.invoke(First, { n: count })).toEqual({ success: true, result: { n: count } });
        expect(await toolkit.invoke(Second, { n: count })).toEqual({ success: true, result: count });
      }
      await inputContract(Shared).parse({ n: 1 });
      await outputContract({ kind: 'class', cls: Shared }).parse({ n: 1 });
      expect(compile).toHaveBeenCalledTimes(1);
    } finally {
      compile.mockRestore();
    }
  });
});
