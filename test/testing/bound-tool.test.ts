/**
 * Contract tests where LangChain is not installed, or what is bound is not the tool.
 * Invariant: a missing peer is said and passes; anything else that keeps a tool from being bound fails.
 */
import { IsIn } from 'class-validator';
import { createToolkit, Scopes, SideEffect, Tool, type ToolDefinition } from 'toolcrib';
import { contractTests, type TestRunner } from 'toolcrib/testing';
import { failedIn, outcomesOf } from '../fixtures/recorded-suite';

class FlipInput {
  @IsIn(['heads', 'tails'])
  side!: string;
}

@Tool({ name: 'coins.flip', version: '1.0.0', description: 'Flip a coin', input: FlipInput })
@Scopes()
@SideEffect('none')
class FlipTool {
  execute({ side }: FlipInput): object {
    return { side };
  }
}

function defineSuite(runner: TestRunner): void {
  contractTests(runner, () => createToolkit({ discover: { classes: [FlipTool] } }), 'coins.flip', {
    valid: [{ side: 'heads' }],
    invalid: [{ args: { side: 'edge' }, path: '/side' }],
    failures: [],
  });
}

/** Runs the suite with a LangChain that cannot be loaded. */
async function runWithout(error: Error): Promise<{ failed: readonly string[]; said: readonly unknown[] }> {
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  jest.resetModules();
  jest.doMock('@langchain/core/tools', () => {
    throw error;
  });
  try {
    const outcomes = await outcomesOf(defineSuite);
    return { failed: failedIn(outcomes), said: log.mock.calls.flat() };
  } finally {
    jest.dontMock('@langchain/core/tools');
    log.mockRestore();
  }
}

it('say that the bound tool is not looked at', async () => {
  const missing = Object.assign(new Error("Cannot find module '@langchain/core/tools'"), {
    code: 'MODULE_NOT_FOUND',
  });
  const { failed, said } = await runWithout(missing);
  expect(failed).toEqual([]);
  expect(said).toEqual(['coins.flip@1.0.0: LangChain is not installed, so its bound tool is not looked at']);
});

it.each([
  [
    'another module is missing',
    Object.assign(new Error("Cannot find module 'zod'"), { code: 'MODULE_NOT_FOUND' }),
  ],
  ['LangChain fails to load', new TypeError('@langchain/core is broken')],
])('fail where %s', async (_, error) => {
  const { failed, said } = await runWithout(error);
  expect(failed).toEqual(['is among the bound LangChain tools']);
  expect(said).toEqual([]);
});

it.each(['name', 'schema'])('fail where the bound tool has another %s', async (member) => {
  jest.resetModules();
  jest.doMock('../../src/langgraph/toolkit-tool', () => ({
    ToolkitTool: class {
      name = 'coins_flip';
      schema: unknown;
      constructor({ inputSchema }: ToolDefinition) {
        this.schema = inputSchema;
        Object.assign(this, { [member]: 'another' });
      }
      invoke = async () => JSON.stringify({ isError: false });
    },
  }));
  const outcomes = await outcomesOf(defineSuite);
  jest.dontMock('../../src/langgraph/toolkit-tool');
  expect(failedIn(outcomes)).toEqual(['is among the bound LangChain tools']);
});
