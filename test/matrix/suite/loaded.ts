/**
 * How tools and DTOs are loaded: from files, with types inferred, and beside other copies of packages.
 * Invariant: what a compiler cannot do is an error that names the mend, never another tool.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import {
  createToolkit,
  type DiscoverOptions,
  discoverTools,
  inputContract,
  isToolError,
  Scopes,
  SideEffect,
  Tool,
  ToolError,
} from 'toolcrib';
import type { Cell } from './cell.js';
import type { Check } from './checks.js';
import { EarlyInput } from './early.js';
import { InferredService, TypeOnlyService } from './inferred.js';
import { OrderReference } from './orders.js';
import { problemsOf } from './problems.js';

function circular(cell: Cell, from: (...patterns: string[]) => DiscoverOptions): Check[] {
  return [
    [
      `a circular pair of DTO files ${cell.circular}${cell.circular === 'fails' ? ', named with the mend' : ''}`,
      async () => {
        const discovery = discoverTools(from('circular/*.tool'));
        if (cell.circular === 'loads') {
          const [author] = await discovery;
          const book = { title: 'T', author: { name: 'N', book: { title: 'U' } } };
          assert.equal((await author?.input.parse({ name: 'A', book }))?.ok, true);
          return;
        }
        const problems = await problemsOf(discovery);
        assert.equal(problems[0]?.code, 'load_failed');
        assert.match(problems[0].mend, /interface/);
      },
    ],
    [
      'a circular pair whose properties are typed by an alias loads',
      async () => {
        const [author] = await discoverTools(from('mended/*.tool'));
        const book = { title: 'T', author: { name: 'N', book: { title: 5 } } };
        assert.equal((await author?.input.parse({ name: 'A', book: { title: 'T' } }))?.ok, true);
        assert.equal((await author?.input.parse({ name: 'A', book }))?.ok, false);
      },
    ],
  ];
}

function standard(file: string): Check[] {
  return [
    [
      'standard decorators are refused with the compiler option to set',
      async () => {
        await assert.rejects(import(/* webpackIgnore: true */ file), {
          name: 'TypeError',
          message: /"experimentalDecorators": true/,
        });
      },
    ],
  ];
}

/** Files that patterns find. */
export function discovering(cell: Cell): Check[] {
  const from = (...patterns: string[]): DiscoverOptions => ({
    patterns: patterns.map((pattern) => `${pattern}.${cell.extension}`),
    cwd: cell.folder,
    ...(cell.loadsItself ? { load: (file: string) => import(/* webpackIgnore: true */ file) } : {}),
  });
  return [
    [
      'a pattern finds a tool, and it runs',
      async () => {
        const toolkit = await createToolkit({ discover: from('tools/ping.tool') });
        assert.deepEqual(await toolkit.invoke('net.ping', { word: 'hi' }), {
          success: true,
          result: 'true hi',
        });
      },
    ],
    cell.bundled
      ? [
          'a nested DTO outside the bundle is refused: its types are in another class-transformer',
          async () => {
            const [problem] = await problemsOf(discoverTools(from('tools/parcel.tool')));
            assert.equal(problem?.code, 'duplicate_dependency');
            assert.match(problem.message, /class-transformer 0\.5\.1/);
          },
        ]
      : [
          'a pattern finds a tool with a nested DTO, and it runs',
          async () => {
            const toolkit = await createToolkit({ discover: from('tools/*.tool') });
            const answer = await toolkit.invoke('parcel.weigh', { weight: { grams: 5 } });
            assert.deepEqual(answer, { success: true, result: true });
          },
        ],
    ...(cell.bundled ? [] : circular(cell, from)),
    ...(cell.standard === undefined ? [] : standard(cell.standard)),
  ];
}

/** Inputs that are left to the compiler. */
export function inferring(cell: Cell): Check[] {
  return [
    cell.emitsTypes
      ? [
          'an input is inferred from the parameter',
          async () => {
            const toolkit = await createToolkit({ discover: { classes: [InferredService] } });
            const answer = await toolkit.invoke('inferred.echo', { order_id: 'ORD-0001' });
            assert.deepEqual(answer, { success: true, result: 'true ORD-0001' });
            const [inferred, named] = [toolkit.describe('inferred.echo'), inputContract(OrderReference)];
            assert.equal(JSON.stringify(inferred.inputSchema), JSON.stringify(named.schema));
          },
        ]
      : [
          'an input that the compiler did not emit is named with the mend',
          async () => {
            const problems = await problemsOf(discoverTools({ classes: [InferredService] }));
            assert.deepEqual(
              problems.map(({ code, place }) => [code, place.member]),
              [['input_not_inferred', 'echo']],
            );
            assert.match(problems[0]?.mend ?? '', /@Tool\(\{ input/);
          },
        ],
    [
      'an input that is imported as a type is named with the mend',
      async () => {
        const problems = await problemsOf(discoverTools({ classes: [TypeOnlyService] }));
        assert.deepEqual(
          problems.map(({ code, place }) => [code, place.member]),
          [['input_not_inferred', 'take']],
        );
      },
    ],
  ];
}

/** What else is loaded. */
export function surroundings(cell: Cell): Check[] {
  const require = createRequire(join(cell.workspace, 'package.json'));
  return [
    [
      'a DTO that was loaded before reflect-metadata has its rules and its default',
      async () => {
        const { schema, parse } = inputContract(EarlyInput);
        assert.deepEqual(schema.required, ['word']);
        const outcome = await parse({ word: 'a' });
        assert.ok(outcome.ok && outcome.value instanceof EarlyInput);
        assert.equal(outcome.value.times, 1);
      },
    ],
    [
      'a ToolError of another copy of the package is recognised',
      async () => {
        const other: typeof import('toolcrib') = require('toolcrib-second');
        const error = new other.ToolError({ code: 'busy', message: 'Later.', retryable: true });
        assert.equal(error instanceof ToolError, false);
        assert.ok(isToolError(error));
        @Tool({ name: 'other.fail', version: '1.0.0', description: 'Fail', output: String })
        @Scopes()
        @SideEffect('write')
        class FailingTool {
          execute(): string {
            throw error;
          }
        }
        const toolkit = await createToolkit({ discover: { classes: [FailingTool] } });
        assert.deepEqual(await toolkit.invoke('other.fail', {}), {
          success: false,
          error: { code: 'busy', message: 'Later.', retryable: true },
        });
      },
    ],
    [
      'nothing is loaded from outside the workspace',
      () => {
        const files = Object.keys(require.cache).filter((file) => file.startsWith(sep) || file.includes(':'));
        assert.deepEqual(
          files.filter((file) => !file.startsWith(cell.workspace + sep)),
          [],
        );
      },
    ],
  ];
}
