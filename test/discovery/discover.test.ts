/**
 * Discovery as a whole.
 * Invariant: all or nothing, with everything that is wrong in one error, and in one order however it is asked.
 */
import { join } from 'node:path';
import * as fc from 'fast-check';
import {
  type Class,
  type DiscoverOptions,
  describe as describeTool,
  discoverTools,
  NoInput,
  ToolRegistry,
} from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { ClockService } from '../fixtures/discovery/tools/nested/clock.tool';
import { PingTool } from '../fixtures/discovery/tools/ping.tool';
import { forAllAwaited } from '../fixtures/for-all';
import { declareMethod, declareTool } from '../fixtures/untyped-declarations';

const FOLDER = join(__dirname, '../fixtures/discovery');
const load = (file: string): unknown => require(file);

function makeTool(name: string, version: string): Class {
  return declareTool(
    { name, version, description: `d ${name} ${version}` },
    class Made {
      execute(): void {}
    },
  );
}

describe('a spec', () => {
  it('is everything that a class declared, frozen', async () => {
    const [spec] = await discoverTools({ patterns: ['tools/*.tool.ts'], cwd: FOLDER, load });
    expect(spec).toMatchObject({
      name: 'net.ping',
      version: '1.0.0',
      key: 'net.ping@1.0.0',
      modelName: 'net_ping',
      description: 'Answers with the word',
      scopes: [],
      sideEffect: { kind: 'none', declared: true },
      source: { class: 'PingTool', member: 'execute', file: join(FOLDER, 'tools/ping.tool.ts') },
    });
    expect(spec?.input.schema.properties).toHaveProperty('word.type', 'string');
    const frozen: readonly unknown[] = [spec, spec?.scopes, spec?.sideEffect, spec?.source];
    expect(frozen.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true]);
  });

  it('is everything that a method declared, with the defaults of its service', async () => {
    const [read, set] = await discoverTools({ patterns: ['tools/nested/*'], cwd: FOLDER, load });
    expect(read).toMatchObject({
      key: 'clock.read@1.0.0',
      scopes: ['clock:use'],
      sideEffect: { kind: 'none' },
      source: { class: 'ClockService', member: 'read' },
    });
    expect(set).toMatchObject({
      key: 'clock.set@1.0.0',
      scopes: ['clock:use'],
      sideEffect: { kind: 'write' },
      source: { class: 'ClockService', member: 'set' },
    });
    expect(Object.keys(set?.input.schema.properties ?? {})).toEqual(['hour']);
  });

  it('has no file when its class was handed over', async () => {
    const [spec] = await discoverTools({ classes: [PingTool] });
    expect(spec?.source).toEqual({ class: 'PingTool', member: 'execute' });
  });

  it('of a class that all sources reach is one', async () => {
    const options: DiscoverOptions = {
      patterns: ['tools/**'],
      cwd: FOLDER,
      load,
      classes: [PingTool, ClockService],
      modules: [{ PingTool, ClockService }],
      instances: [new PingTool()],
    };
    expect((await discoverTools(options)).map(({ key }) => key)).toEqual([
      'clock.read@1.0.0',
      'clock.set@1.0.0',
      'net.ping@1.0.0',
    ]);
  });
});

describe('failing', () => {
  it('is whole: every bad file and declaration of all sources stands in one error', async () => {
    const Bad = declareTool({ name: 'a b', version: '1.0.0', description: 'd' }, class Bad {});
    const problems = await rejectionOf(
      discoverTools({
        patterns: ['broken/*.ts', 'none/*.ts'],
        cwd: FOLDER,
        load,
        classes: [Bad, class Plain {}],
      }),
    );
    expect(problems.map(({ code, place }) => [code, place.class ?? place.file]).sort()).toEqual([
      ['illegal_name', 'Bad'],
      ['illegal_version', 'UndescribedTool'],
      ['load_failed', join(FOLDER, 'broken/throws.tool.ts')],
      ['missing_handler', 'Bad'],
      ['missing_option', 'UndescribedTool'],
      ['no_match', 'none/*.ts'],
      ['not_a_tool', 'Plain'],
    ]);
  });

  it('names the file of a bad declaration', async () => {
    const problems = await rejectionOf(discoverTools({ patterns: ['broken/u*.ts'], cwd: FOLDER, load }));
    const file = join(FOLDER, 'broken/undescribed.tool.ts');
    expect(problems.map(({ place }) => place.file)).toEqual([file, file]);
  });

  it('says why a file did not load', async () => {
    const problems = await rejectionOf(discoverTools({ patterns: ['broken/throws*'], cwd: FOLDER }));
    expect(problems).toMatchObject([{ code: 'load_failed' }]);
    expect(problems[0]?.message).toContain('no database');
  });

  it('keeps the sound methods of a service back with the broken one', async () => {
    class Half {
      good(): void {}
      bad(): void {}
    }
    declareMethod({ name: 'half.good', version: '1.0.0', description: 'd', input: NoInput }, Half, 'good');
    declareMethod({ name: 'half.bad', version: '1', description: 'd', input: NoInput }, Half, 'bad');
    const problems = await rejectionOf(discoverTools({ classes: [Half, PingTool] }));
    expect(problems).toMatchObject([{ code: 'illegal_version', place: { member: 'bad', tool: 'half.bad' } }]);
  });

  it('says the same thing once', async () => {
    const problems = await rejectionOf(discoverTools({ patterns: ['none/*', 'none/*'], cwd: FOLDER }));
    expect(codesOf(problems)).toEqual(['no_match']);
  });

  it('leaves nothing behind for the next discovery', async () => {
    await rejectionOf(discoverTools({ patterns: ['broken/*.ts'], cwd: FOLDER, load }));
    const specs = await discoverTools({ patterns: ['broken/sound*'], cwd: FOLDER, load });
    expect(specs.map(({ key }) => key)).toEqual(['broken.sound@1.0.0']);
  });
});

describe('the order', () => {
  const made: readonly Class[] = [
    ['b.tool', '1.10.0'],
    ['b.tool', '1.9.0'],
    ['b.tool', '2.0.0-alpha.10'],
    ['b.tool', '2.0.0-alpha.9'],
    ['b.tool', '2.0.0'],
    ['a.tool', '1.0.0'],
    ['a', '1.0.0'],
    ['Z.tool', '1.0.0'],
    ['a-tool', '1.0.0'],
    ['a10', '1.0.0'],
    ['a2', '1.0.0'],
  ].map(([name = '', version = '']) => makeTool(name, version));
  const keys = [
    'Z.tool@1.0.0',
    'a@1.0.0',
    'a-tool@1.0.0',
    'a.tool@1.0.0',
    'a10@1.0.0',
    'a2@1.0.0',
    'b.tool@1.9.0',
    'b.tool@1.10.0',
    'b.tool@2.0.0-alpha.9',
    'b.tool@2.0.0-alpha.10',
    'b.tool@2.0.0',
  ];

  it('DIS-09: is that of code units and versions, whatever the order of the sources', async () => {
    const anyOrder = fc.shuffledSubarray([...made], { minLength: made.length });
    await forAllAwaited(anyOrder, async (classes) => {
      expect((await discoverTools({ classes })).map(({ key }) => key)).toEqual(keys);
    });
  });

  it('DIS-09: makes what a model gets equal byte for byte, from one discovery to the next', async () => {
    const anyOrder = fc.shuffledSubarray([...made, PingTool, ClockService], { minLength: made.length + 2 });
    const textOf = async (classes: readonly Class[]): Promise<string> => {
      const registry = new ToolRegistry();
      for (const spec of await discoverTools({ classes })) registry.register(spec);
      return JSON.stringify([registry.list().map(describeTool), registry.catalog()]);
    };
    const expected = await textOf([...made, PingTool, ClockService]);
    await forAllAwaited(anyOrder, async (classes) => {
      expect(await textOf(classes)).toBe(expected);
    });
  });

  it('DIS-09: keeps the properties of a DTO as they were declared', async () => {
    const [spec] = await discoverTools({ classes: [PingTool] });
    const [again] = await discoverTools({ classes: [PingTool] });
    expect(JSON.stringify(again?.input.schema)).toBe(JSON.stringify(spec?.input.schema));
  });
});
