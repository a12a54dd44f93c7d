/**
 * Contract tests under real runners, from the package as an application installs it.
 * Invariant: a runner ends with 0 when the tool keeps its contract, and otherwise names the test that failed.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Application, makeApplication } from '../fixtures/installed-package';

const TOOL = `
import 'reflect-metadata';
import { IsString, Length, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { createToolkit, Scopes, SideEffect, Tool, ToolError } from 'toolcrib';
import type { ContractCases } from 'toolcrib/testing';

const withRule: PropertyDecorator = process.env.SABOTAGE === 'rule' ? () => {} : (target, key) =>
  Matches(/^ORD-[0-9]{4}$/)(target, String(key));

class LookupInput {
  @JSONSchema({ description: 'Order reference', examples: ['ORD-1234'] })
  @IsString()
  @Length(8, 8)
  @withRule
  order_id!: string;
}

@Tool({ name: 'orders.lookup', version: '1.0.0', description: 'Look up an order', input: LookupInput, output: String })
@Scopes('orders:read')
@SideEffect('none')
class LookupTool {
  execute({ order_id }: LookupInput): string {
    if (process.env.SABOTAGE === 'handler') throw new TypeError('the service is not there');
    if (order_id === 'ORD-1234') return 'shipped';
    throw new ToolError({ code: 'order_not_found', message: 'No such order.', retryable: false });
  }
}

export const open = () => createToolkit({ discover: { classes: [LookupTool] } });

export const cases: ContractCases = {
  valid: [{ order_id: 'ORD-1234' }],
  invalid: [{ args: { order_id: 'ORD-12345' }, path: '/order_id' }, { args: { order_id: 'ORD_1234' }, path: '/order_id' }],
  failures: [{ args: { order_id: 'ORD-9999' }, code: 'order_not_found', retryable: false }],
};
`;

const NODE_TEST = `
import { describe, it } from 'node:test';
import { contractTests } from 'toolcrib/testing';
import { cases, open } from './tool';

contractTests({ describe, it }, open, 'orders.lookup', cases);
`;

const JEST = `
const { contractTests } = require('toolcrib/testing');
const { cases, open } = require('./tool');

contractTests({ describe, it }, open, 'orders.lookup', cases);
`;

let application: Application;
beforeAll(() => {
  application = makeApplication();
  application.write('tool.ts', TOOL);
  application.write('node.contract.ts', NODE_TEST);
  application.compile();
  application.write('jest.contract.js', JEST);
  application.write(
    'jest.config.json',
    JSON.stringify({ testMatch: ['**/*.contract.js'], testPathIgnorePatterns: ['node.contract'] }),
  );
}, 120_000);
afterAll(() => application.remove());

const jestCli = join(__dirname, '../../node_modules/jest/bin/jest.js');
const runners = {
  'node:test': ['--test', 'node.contract.js'],
  jest: [jestCli, '--config', 'jest.config.json', '--ci', '--verbose'],
};

/** Runs a runner; what it prints includes the names of tests that failed. */
function run(runner: keyof typeof runners, sabotage: string): { status: number | null; printed: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, runners[runner], {
    cwd: application.folder,
    encoding: 'utf8',
    env: { ...env, SABOTAGE: sabotage, NO_COLOR: '1' },
  });
  return { status, printed: stdout + stderr };
}

/** The names of tests that a report marks as failed. */
function failedIn(printed: string): readonly string[] {
  const lines = printed.matchAll(/^\s*(?:not ok \d+ - |✖ |✕ )(.*?)(?: \([\d.]+ ?ms\))?$/gm);
  const names = [...lines].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => /^(?:has|is|runs|refuses|fails) /.test(name)).sort();
}

describe.each(['node:test', 'jest'] as const)('under %s', (runner) => {
  it('the contract of a sound tool passes', () => {
    const { status, printed } = run(runner, '');
    expect([status, failedIn(printed)]).toEqual([0, []]);
    expect(printed).toContain("runs on { order_id: 'ORD-1234' }");
    expect(printed).not.toContain('LangChain is not installed');
  }, 60_000);

  it('a rule that was removed from the DTO fails the test of its invalid input', () => {
    const { status, printed } = run(runner, 'rule');
    expect([status, failedIn(printed)]).toEqual([1, [`refuses { order_id: 'ORD_1234' } at "/order_id"`]]);
  }, 60_000);

  it('a handler that throws fails all tests that reach it', () => {
    const { status, printed } = run(runner, 'handler');
    expect([status, failedIn(printed)]).toEqual([
      1,
      [
        "fails on { order_id: 'ORD-9999' } with a final order_not_found",
        'is among the bound LangChain tools',
        'runs on the examples of its input',
        "runs on { order_id: 'ORD-1234' }",
      ],
    ]);
  }, 60_000);
});
