/**
 * The entry of cells in which a second copy of a library is installed.
 * Invariant: a DTO whose decorators another copy holds is refused by name, or works as everywhere.
 */
import './early.js';
import assert from 'node:assert/strict';
import { sep } from 'node:path';
import { type Class, createToolkit, discoverTools, Scopes, SideEffect, Tool } from 'toolcrib';
import { readCell } from './cell.js';
import { type Check, runChecks } from './checks.js';
import { ArchiveService, OrderService, PlaceOrderTool } from './orders.js';
import { problemsOf } from './problems.js';

type Foreign = typeof import('./foreign.js');

function toolWith(input: Class): Class {
  @Tool({ name: 'foreign.take', version: '1.0.0', description: 'Take a foreign DTO', input, output: Boolean })
  @Scopes()
  @SideEffect('none')
  class ForeignTool {
    execute(given: object): boolean {
      return given instanceof input;
    }
  }
  return ForeignTool;
}

async function answerTo(input: Class, args: unknown): Promise<unknown> {
  const toolkit = await createToolkit({ discover: { classes: [toolWith(input)] } });
  const answer = await toolkit.invoke('foreign.take', args);
  return answer.success ? answer.result : answer.error.code;
}

/** Checks that a DTO is refused, naming both copies and the mend. */
async function expectRefused(input: Class, library: string, versions: readonly string[], owner: string) {
  const [problem, ...others] = await problemsOf(discoverTools({ classes: [toolWith(input)] }));
  assert.equal(problem?.code, 'duplicate_dependency');
  assert.deepEqual(others, []);
  assert.deepEqual(
    problem.message.match(new RegExp(`(?<=${library} )\\d+\\.\\d+\\.\\d+`, 'g')),
    versions,
    problem.message,
  );
  const nested = ['', 'node_modules', owner, 'node_modules', library].join(sep);
  assert.ok(problem.message.includes(nested), problem.message);
  assert.match(problem.mend, new RegExp(`npm ls ${library}"`));
}

async function checksOf(): Promise<readonly Check[]> {
  const load = (name: string): Promise<Foreign> => import(name);
  const transformer = await load('dto-with-transformer');
  const validator = await load('dto-with-validator');
  const olderValidator = await load('dto-with-older-validator');
  const jsonschema = await load('dto-with-jsonschema');
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  return [
    [
      'the DTOs of the application are none of the problem',
      async () => {
        const discover = { classes: [PlaceOrderTool, OrderService, ArchiveService] };
        assert.equal((await createToolkit({ discover })).registry.list().length, 5);
      },
    ],
    [
      'a second class-transformer that holds a @Type is refused',
      () =>
        expectRefused(
          transformer.NestedInput,
          'class-transformer',
          ['0.5.1', '0.5.1'],
          'dto-with-transformer',
        ),
    ],
    [
      'a second class-transformer that holds nothing of a DTO does no harm',
      async () => assert.equal(await answerTo(transformer.PlainInput, { word: 'a' }), true),
    ],
    [
      'a second class-validator of one version works, with a warning that names both and the mend',
      async () => {
        assert.equal(await answerTo(validator.NestedInput, { plain: { word: 'a' } }), true);
        assert.equal(await answerTo(validator.NestedInput, { plain: { word: '' } }), 'invalid_input');
        await new Promise(setImmediate);
        const [warning, ...others] = warnings.filter(({ name }) => name === 'ToolcribWarning');
        assert.match(
          warning?.message ?? '',
          /class-validator 0\.15\.1 in .*class-validator 0\.15\.1 in .*npm ls/,
        );
        assert.deepEqual(others, []);
      },
    ],
    [
      'a class-validator of another version is refused',
      () =>
        expectRefused(
          olderValidator.PlainInput,
          'class-validator',
          ['0.14.4', '0.15.1'],
          'dto-with-older-validator',
        ),
    ],
    [
      'a second class-validator-jsonschema that holds a text is refused',
      () =>
        expectRefused(
          jsonschema.DescribedInput,
          'class-validator-jsonschema',
          ['5.2.0', '5.2.0'],
          'dto-with-jsonschema',
        ),
    ],
    [
      'a second class-validator-jsonschema that holds nothing of a DTO does no harm',
      async () => assert.equal(await answerTo(jsonschema.NestedInput, { plain: { word: 'a' } }), true),
    ],
  ];
}

async function main(): Promise<void> {
  const { failed } = await runChecks(await checksOf(), readCell().report);
  if (failed.length > 0) process.exitCode = 1;
}

void main();
