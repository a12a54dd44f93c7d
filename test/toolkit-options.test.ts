/**
 * What a toolkit says at the start: warnings for what is legal and of no use, refusals for options.
 * Invariant: a tool that nobody can find or call is warned of, and an option out of its range is a TypeError.
 */
import { join } from 'node:path';
import { IsInt, Max, Min } from 'class-validator';
import { type Class, createToolkit, NoInput, Scopes, SideEffect, type ToolkitOptions } from 'toolcrib';
import { rejectionOf } from './fixtures/declaration-problems';
import { type Dto, dtoOf } from './fixtures/dto-with';
import { type LogEntry, recordingLogger } from './fixtures/recorded-toolkit';
import { declareTool, makeUntyped } from './fixtures/untyped-declarations';

const cwd = join(__dirname, 'fixtures/discovery');

/** A new class tool without side effects; without scopes nobody may call it. */
function toolNamed(name: string, scopes: readonly string[] | undefined, input: Class = NoInput): Class {
  class Named {
    execute(): string {
      return name;
    }
  }
  SideEffect('none')(Named);
  if (scopes !== undefined) Scopes(...scopes)(Named);
  return declareTool({ name, version: '1.0.0', description: 'Tells its name.', input }, Named);
}

async function logOf(options: ToolkitOptions): Promise<readonly LogEntry[]> {
  const log: LogEntry[] = [];
  await createToolkit({ ...options, logger: recordingLogger(log) });
  return log;
}

/** What createToolkit rejects with, whatever it is given. */
async function thrownBy(options: object): Promise<unknown> {
  const discover = { classes: [toolNamed('a.b', [])] };
  try {
    await makeUntyped(createToolkit, { discover, ...options });
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a warning', () => {
  it('is given of a pattern whose files export no tool, and of no other pattern', async () => {
    const patterns = ['tools/*.tool.ts', 'tools/nested/*.tool.ts'];
    const load = (file: string): object =>
      file.includes('nested') ? { Plain: class {} } : { Tool: toolNamed('a.b', []) };
    expect(await logOf({ discover: { patterns, cwd, load } })).toEqual([
      { level: 'warn', fields: { pattern: 'tools/nested/*.tool.ts' } },
    ]);
  });

  it('is given of a variable in redact.environment that is not set', async () => {
    const redact = { environment: ['TOOLCRIB_TEST_UNSET', 'PATH'] };
    expect(await logOf({ discover: { classes: [toolNamed('a.b', [])] }, redact })).toEqual([
      { level: 'warn', fields: { variable: 'TOOLCRIB_TEST_UNSET' } },
    ]);
  });

  it('is given of a toolkit without tools', async () => {
    expect(await logOf({ discover: {} })).toEqual([{ level: 'warn', fields: {} }]);
    expect(await logOf({ discover: { modules: [{ Plain: class {} }] } })).toEqual([
      { level: 'warn', fields: {} },
    ]);
  });

  it('is given of each tool without a scope decision', async () => {
    const classes = [toolNamed('a.open', []), toolNamed('a.closed', undefined), toolNamed('a.held', ['x'])];
    expect(await logOf({ discover: { classes } })).toEqual([
      { level: 'warn', fields: { tool: 'a.closed@1.0.0' } },
    ]);
  });

  it('is not given of tools that can be called', async () => {
    expect(
      await logOf({ discover: { classes: [toolNamed('a.open', []), toolNamed('a.held', ['x'])] } }),
    ).toEqual([]);
  });
});

describe('a problem of a DTO', () => {
  const bad = (name: string): Dto => dtoOf({ v: [IsInt(), Min(5), Max(1)] }, name);

  it('names the tool that reaches it', async () => {
    const classes = [toolNamed('a.one', [], bad('One')), toolNamed('a.two', [], bad('Two'))];
    expect(await rejectionOf(createToolkit({ discover: { classes } }))).toMatchObject([
      { place: { class: 'One', member: 'v', tool: 'a.one' } },
      { place: { class: 'Two', member: 'v', tool: 'a.two' } },
    ]);
  });

  it('is reported of two classes that have one name and one mistake', async () => {
    const classes = [toolNamed('a.one', [], bad('Same')), toolNamed('a.two', [], bad('Same'))];
    const problems = await rejectionOf(createToolkit({ discover: { classes } }));
    expect(problems.map(({ place }) => `${place.class} ${place.tool}`)).toEqual(['Same a.one', 'Same a.two']);
  });
});

describe('an option that is refused', () => {
  const NO_BOUNDS = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '1000', true, {}];

  it.each(NO_BOUNDS)('is a bound of %p', async (bound) => {
    const options = [
      { timeoutMs: bound },
      { maxResultBytes: bound },
      { limits: { maxDepth: bound } },
      { limits: { maxElements: bound } },
      { limits: { maxBytes: bound } },
    ];
    for (const one of options) expect(await thrownBy(one)).toBeInstanceOf(TypeError);
  });

  it.each(['off', 0, {}])('is a switch of %p', async (retryGuard) => {
    expect(await thrownBy({ retryGuard })).toBeInstanceOf(TypeError);
  });

  it.each([
    ['without run', { stage: 'execute' }],
    ['whose run is no function', { stage: 'execute', run: true }],
    ['of no stage', { stage: 'before', run: () => undefined }],
    ['that is nothing', null],
  ])('is an interceptor %s', async (_which, interceptor) => {
    expect(await thrownBy({ interceptors: [interceptor] })).toBeInstanceOf(TypeError);
  });

  it('is none of those that are sound', async () => {
    const limits = { maxDepth: 1, maxElements: 1, maxBytes: 1 };
    const run = (_call: unknown, next: () => unknown): unknown => next();
    const interceptors = [{ stage: 'execute', run }];
    expect(await thrownBy({ timeoutMs: 1, maxResultBytes: 1, limits, interceptors })).toBeUndefined();
    for (const retryGuard of [true, false]) expect(await thrownBy({ retryGuard })).toBeUndefined();
  });
});

it.each([
  ['one level', { info: jest.fn() }, 'debug, warn, error'],
  ['a level that is no function', { ...recordingLogger([]), warn: true }, 'method warn;'],
  ['no object', 'console', 'debug, info, warn, error'],
  ['null', null, 'debug, info, warn, error'],
])('a logger with %s is refused by the names of what it lacks', async (_case, logger, lacking) => {
  const thrown = await thrownBy({ logger });
  expect(thrown).toBeInstanceOf(TypeError);
  expect(String(thrown)).toContain(lacking);
});

it.each([
  ['the console', console],
  ['a whole one', recordingLogger([])],
  ['none', undefined],
])('a logger may be %s', async (_case, logger) => {
  expect(await thrownBy({ logger })).toBeUndefined();
});
