/**
 * What becomes of answers where the output is declared: as a DTO, a list of one, or a scalar.
 * Invariant: nothing leaves that the advertised output schema refuses, and a refusal repeats no value.
 */
import Ajv2020 from 'ajv/dist/2020';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { ToolError, toWire } from 'toolcrib';
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

class CountOutput {
  @IsInt()
  count!: number;

  @IsOptional()
  @IsString()
  note?: string;
}

/** The result of a handler under a declared output, and the output schema that the model sees. */
async function answerOf(output: unknown, handler: RunHandler, kind: 'none' | 'write' = 'none') {
  const { run, toolkit } = await toolkitRunning(handler, {
    kind,
    tool: output === undefined ? {} : { output },
  });
  const schema = toolkit.describe('test.run').outputSchema;
  const result = await run();
  if (result.success && schema !== undefined) {
    expect(new Ajv2020().validate(schema, result.result)).toBe(true);
  }
  return { result, schema };
}

const conforming: readonly (readonly [string, unknown, unknown])[] = [
  ['a DTO', CountOutput, { count: 3 }],
  ['a DTO with what is optional', CountOutput, { count: 3, note: 'n' }],
  ['a list of a DTO', [CountOutput], [{ count: 1 }, { count: 2 }]],
  ['an empty list', [CountOutput], []],
  ['a number', Number, 3],
  ['a text', String, ''],
  ['a boolean', Boolean, false],
];

const wrong: readonly (readonly [string, unknown, unknown, string])[] = [
  ['a member of another type', CountOutput, { count: '3-EXAMPLE' }, '/count'],
  ['a missing member', CountOutput, { note: 'EXAMPLE' }, '/count'],
  ['an undeclared member', CountOutput, { count: 3, passwordHash: 'x-EXAMPLE' }, '/passwordHash'],
  ['nothing for a DTO', CountOutput, undefined, ''],
  ['null for a DTO', CountOutput, null, ''],
  ['a list for a DTO', CountOutput, [{ count: 1 }], ''],
  ['a DTO for a list', [CountOutput], { count: 1 }, ''],
  ['a wrong item of a list', [CountOutput], [{ count: 1 }, { count: 'EXAMPLE' }], '/1/count'],
  ['a text for a number', Number, 'EXAMPLE', ''],
  ['a number for a text', String, 3, ''],
  ['a text for a boolean', Boolean, 'true', ''],
];

it.each(conforming)(
  'ENV-12: %s leaves bare, and fits the advertised schema',
  async (_case, output, value) => {
    const { result, schema } = await answerOf(output, () => value);
    expect(toWire(result)).toStrictEqual({ isError: false, result: value });
    expect(schema).toMatchObject({ type: expect.any(String) });
  },
);

it.each(wrong)(
  'ENV-11: %s is refused with its path and without its value',
  async (_case, output, value, path) => {
    for (const kind of ['none', 'write'] as const) {
      const { result } = await answerOf(output, () => value, kind);
      expect(result).toMatchObject({
        success: false,
        error: { code: 'invalid_output', retryable: false, detail: { violations: [{ path }] } },
      });
      expect(JSON.stringify(result)).not.toContain('EXAMPLE');
    }
  },
);

it('ENV-11: a tool without a declared output advertises no output schema', async () => {
  const { schema } = await answerOf(undefined, () => ({ anything: 1 }));
  expect(schema).toBeUndefined();
});

it('ENV-11: an instance of the DTO leaves as plain data', async () => {
  const output = Object.assign(new CountOutput(), { count: 3 });
  const { result } = await answerOf(CountOutput, () => output);
  expect(result).toStrictEqual({ success: true, result: { count: 3 } });
});

it('ENV-05: a failure carries no result beside its error, whatever output is declared', async () => {
  const failures: readonly RunHandler[] = [
    () => {
      throw new Error('db down');
    },
    () => {
      throw new ToolError({ code: 'db_down', message: 'Down.', retryable: true });
    },
    () => ({ count: 'three' }),
  ];
  for (const handler of failures) {
    const { result } = await answerOf(CountOutput, handler);
    expect(Object.keys(result).sort()).toEqual(['error', 'success']);
    expect(Object.keys(toWire(result)).sort()).toEqual(['error', 'isError']);
  }
});

it('ENV-05: the cause of a failure reaches the caller instead of a complaint about the output', async () => {
  const { result } = await answerOf(CountOutput, () => {
    throw new ToolError({ code: 'db_down', message: 'Down.', retryable: true });
  });
  expect(toWire(result)).toEqual({
    isError: true,
    error: { code: 'db_down', message: 'Down.', retryable: true },
  });
});
