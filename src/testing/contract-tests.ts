/**
 * The contract of one tool as a suite of tests.
 * Invariant: every test opens a toolkit of its own and closes it, and a contract that states nothing fails.
 */
import assert from 'node:assert/strict';
import type { Approver } from '../contract/approval';
import type { Principal } from '../contract/principal';
import type { ToolResult } from '../contract/result';
import type { ToolDefinition, ToolSpec } from '../contract/tool';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import type { Toolkit } from '../toolkit';
import { bindTool } from './bound-tool';
import {
  brief,
  type ContractCases,
  type FailureCase,
  type InvalidCase,
  refuseNoCases,
  type TestRunner,
  toValidCall,
  type ValidCall,
} from './cases';
import { assertConforms, assertCurrent, assertSameJson, assertSchema } from './conformance';
import { exampleInputs } from './examples';

/** A tool in an opened toolkit. */
interface OpenTool {
  readonly toolkit: Toolkit;
  readonly spec: ToolSpec;
  /** Who calls where a case does not say. */
  readonly principal: Principal;
}

/** Stands in for the person who would be asked: a contract is about what the tool does once it may. */
const approving: Approver = () => ({ type: 'approve' });

function find(toolkit: Toolkit, key: string, { principal }: ContractCases): OpenTool {
  const spec = toolkit.registry.get(key) ?? toolkit.registry.resolve(key);
  if (spec === undefined) {
    const keys = toolkit.registry.list().map((one) => one.key);
    return assert.fail(`there is no tool ${key}; the toolkit has ${keys.join(', ') || 'none'}`);
  }
  return { toolkit, spec, principal: principal ?? { id: 'contract-test', scopes: spec.scopes ?? [] } };
}

function call(
  { toolkit, spec, principal }: OpenTool,
  {
    args,
    principal: own = principal,
  }: { readonly args: unknown; readonly principal?: Principal | undefined },
): Promise<ToolResult<JsonValue>> {
  return toolkit.invoke(spec.key, args, { principal: own, approver: approving });
}

function errorOf(result: ToolResult<JsonValue>, expected: string): ToolErrorBody {
  return result.success ? assert.fail(`expected ${expected} and got a result`) : result.error;
}

function definitionOf({ toolkit, spec, principal }: OpenTool): ToolDefinition {
  const catalog = toolkit.catalog(principal, { versions: { [spec.name]: spec.version } });
  return (
    catalog.find(({ _meta }) => _meta.key === spec.key) ??
    assert.fail(
      `${spec.key} is not in the catalog of ${principal.id}, who holds: ${principal.scopes.join(', ')}`,
    )
  );
}

async function checkValid(tool: OpenTool, valid: ValidCall): Promise<void> {
  const { output } = tool.spec;
  const result = await call(tool, valid);
  if (!result.success) {
    assert.fail(`expected a result and got ${result.error.code}: ${result.error.message}`);
  }
  if (output.schema !== undefined) assertConforms(output.schema, result.result, 'output');
}

/** The places and rules of the violations that an error lists, each as `path rule`. */
function violationsOf({
  detail,
}: ToolErrorBody): readonly { readonly path: string; readonly rule: string }[] {
  const violations =
    typeof detail === 'object' && detail !== null && 'violations' in detail ? detail.violations : [];
  return (Array.isArray(violations) ? violations : []).map(({ path, rule }) => ({
    path: String(path),
    rule: String(rule),
  }));
}

async function checkInvalid(tool: OpenTool, invalid: InvalidCase): Promise<void> {
  const error = errorOf(await call(tool, invalid), 'invalid_input');
  // A handler cannot answer with this code, so it has not run.
  assert.equal(error.code, 'invalid_input', error.message);
  const violations = violationsOf(error);
  const isMeant = ({ path, rule }: (typeof violations)[number]) =>
    path === invalid.path && (invalid.rule ?? rule) === rule;
  const wanted = [JSON.stringify(invalid.path), invalid.rule]
    .filter((part) => part !== undefined)
    .join(' by ');
  const found = violations.map(({ path, rule }) => `${JSON.stringify(path)} by ${rule}`).join(', ');
  assert.ok(violations.some(isMeant), `expected a refusal at ${wanted} and got ${found}`);
}

async function checkFailure(tool: OpenTool, failure: FailureCase): Promise<void> {
  const { code, message, retryable } = errorOf(await call(tool, failure), failure.code);
  assert.deepEqual({ code, retryable }, { code: failure.code, retryable: failure.retryable }, message);
}

async function checkExamples(tool: OpenTool, isOnly: boolean): Promise<void> {
  const examples = exampleInputs(tool.spec.input.schema);
  if (isOnly && examples.length === 0) {
    assert.fail(
      `${tool.spec.key} has no valid input: list one in valid, or give every required field of its DTO @JSONSchema({ examples })`,
    );
  }
  for (const args of examples) await checkValid(tool, { args, principal: undefined });
}

async function checkScopes({ toolkit, spec }: OpenTool): Promise<void> {
  if (spec.scopes?.length === 0) {
    return assert.ok(toolkit.registry.authorise(spec, undefined).allowed, 'not everybody may call');
  }
  for (const principal of [undefined, { id: 'contract-test', scopes: [] }]) {
    const error = errorOf(await toolkit.invoke(spec.key, {}, { principal }), 'insufficient_scope');
    assert.equal(error.code, 'insufficient_scope', error.message);
  }
}

async function checkBound(tool: OpenTool, [first]: readonly ValidCall[]): Promise<void> {
  const { principal, spec, toolkit } = tool;
  const definition = definitionOf(tool);
  const args = first === undefined ? exampleInputs(spec.input.schema)[0] : first.args;
  const bound = bindTool(definition, toolkit, {
    principal: first?.principal ?? principal,
    approver: approving,
  });
  if (bound === undefined) {
    console.log(`${spec.key}: LangChain is not installed, so its bound tool is not looked at`);
    return;
  }
  assert.equal(bound.name, spec.modelName);
  assertSameJson(bound.schema, definition.inputSchema, 'the bound tool has another schema');
  const answer = await bound.answer(args);
  assert.equal(JSON.parse(answer).isError, false, `the bound tool answers ${answer}`);
}

/**
 * Defines the contract tests of one tool.
 *
 * Stated by the author: each valid input runs and its output conforms to the output's schema, each invalid one
 * is refused with `invalid_input` at its path, each failure has its code and its flag. Generated: the schemas
 * are valid and compile alone, the examples of the input run, the tool is in its principal's catalog and among
 * the bound LangChain tools, it refuses whoever lacks its scopes, and its exported schema is current.
 *
 * @param runner `describe` and `it` of jest, node:test or vitest.
 * @param open Makes a new toolkit for each test, which closes it.
 * @param key A name, `name@range` or key.
 * @throws TypeError where the cases are in no lists.
 */
export function contractTests(
  runner: TestRunner,
  open: () => Toolkit | Promise<Toolkit>,
  key: string,
  cases: ContractCases,
): void {
  refuseNoCases(cases);
  const valid = cases.valid.map(toValidCall);
  const { invalid, failures = [], exportedSchema } = cases;
  const test = (name: string, check: (tool: OpenTool) => void | Promise<void>) =>
    runner.it(name, async () => {
      const toolkit = await open();
      try {
        await check(find(toolkit, key, cases));
      } finally {
        await toolkit.close();
      }
    });
  runner.describe(`the contract of ${key}`, () => {
    test('has schemas that are valid and compile alone', ({ spec: { input, output } }) => {
      assertSchema(input.schema, 'input schema');
      if (output.schema !== undefined) assertSchema(output.schema, 'output schema');
    });
    test('is in the catalog of its principal', (tool) => void definitionOf(tool));
    test('is among the bound LangChain tools', (tool) => checkBound(tool, valid));
    test('refuses whoever lacks its scopes', checkScopes);
    if (exportedSchema !== undefined) {
      test('has a current exported schema', ({ spec }) => assertCurrent(spec, exportedSchema));
    }
    test('runs on the examples of its input', (tool) => checkExamples(tool, valid.length === 0));
    for (const one of valid) test(`runs on ${brief(one.args)}`, (tool) => checkValid(tool, one));
    if (invalid.length === 0) {
      test('has an invalid input', ({ spec }) =>
        assert.fail(`the contract of ${spec.key} has no invalid input: list one in invalid`));
    }
    for (const one of invalid) {
      test(`refuses ${brief(one.args)} at ${JSON.stringify(one.path)}`, (tool) => checkInvalid(tool, one));
    }
    for (const one of failures) {
      const kind = one.retryable ? 'a retryable' : 'a final';
      test(`fails on ${brief(one.args)} with ${kind} ${one.code}`, (tool) => checkFailure(tool, one));
    }
  });
}
