/**
 * What `@Tool` may be given.
 * Invariant: every option of the wrong kind, and every unknown one, is a problem with a code; none is mended.
 */
import * as fc from 'fast-check';
import { type DeclarationProblem, discoverTools, type ToolSpec } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { forAllAwaited } from '../fixtures/for-all';
import { declareTool } from '../fixtures/untyped-declarations';

const legal = { name: 'opt.tool', version: '1.0.0', description: 'Does it' };

function discoverWith(options: unknown): Promise<readonly ToolSpec[]> {
  class Optional {
    execute(): void {}
  }
  return discoverTools({ classes: [declareTool(options, Optional)] });
}

async function problemsWith(change: object): Promise<readonly DeclarationProblem[]> {
  return rejectionOf(discoverWith({ ...legal, ...change }));
}

async function specWith(change: object): Promise<ToolSpec | undefined> {
  return (await discoverWith({ ...legal, ...change }))[0];
}

describe('name and version', () => {
  it.each([
    ['illegal_name', { name: 'a b' }],
    ['illegal_name', { name: undefined }],
    ['illegal_name', { name: 5 }],
    ['illegal_name', { name: ['opt.tool'] }],
    ['illegal_name', { name: 10n }],
    ['illegal_name', { name: Object.create(null) }],
    ['illegal_name', { name: Symbol('opt.tool') }],
    ['reserved_name', { name: 'constructor' }],
    ['reserved_name', { name: '__proto__' }],
    ['model_name_too_long', { name: `opt.${'x'.repeat(61)}` }],
    ['illegal_version', { version: '1.0' }],
    ['illegal_version', { version: undefined }],
    ['illegal_version', { version: 1 }],
    ['illegal_version', { version: 1n }],
    ['illegal_version', { version: Object.create(null) }],
    ['illegal_version', { version: '1.0.0+build' }],
  ])('%s: %p', async (code, change) => {
    expect(codesOf(await problemsWith(change))).toEqual([code]);
  });

  it('make the key and the model name', async () => {
    expect(await specWith({ name: 'opt.deep.tool', version: '2.0.0-rc.1' })).toMatchObject({
      key: 'opt.deep.tool@2.0.0-rc.1',
      modelName: 'opt_deep_tool',
    });
  });
});

describe('description', () => {
  it.each([[undefined], [null], [''], [' \n\t'], [5], [['Does it']]])(
    'is missing_option if it is %p',
    async (description) => {
      expect(codesOf(await problemsWith({ description }))).toEqual(['missing_option']);
    },
  );
});

describe.each(['title', 'owner'])('%s', (option) => {
  it('is a text or left out', async () => {
    expect(await specWith({ [option]: 'Some Text' })).toMatchObject({ [option]: 'Some Text' });
    expect(await specWith({ [option]: undefined })).toMatchObject({ [option]: undefined });
    expect(await specWith({})).toMatchObject({ [option]: undefined });
  });

  it.each([[''], [null], [5], [true], [{}], [['text']]])(
    'is an illegal_option if it is %p',
    async (value) => {
      expect(codesOf(await problemsWith({ [option]: value }))).toEqual(['illegal_option']);
    },
  );
});

describe.each(['timeoutMs', 'maxResultBytes'])('%s', (option) => {
  it('is a positive integer or left out', async () => {
    expect(await specWith({ [option]: 1 })).toMatchObject({ [option]: 1 });
    expect(await specWith({ [option]: Number.MAX_SAFE_INTEGER })).toMatchObject({
      [option]: Number.MAX_SAFE_INTEGER,
    });
    expect(await specWith({})).toMatchObject({ [option]: undefined });
  });

  it.each([
    [0],
    [-1],
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [Number.MAX_SAFE_INTEGER + 1],
    ['1000'],
    [null],
    [10n],
    [{}],
  ])('is an illegal_option if it is %p', async (value) => {
    expect(codesOf(await problemsWith({ [option]: value }))).toEqual(['illegal_option']);
  });
});

describe('deprecated', () => {
  it.each([[true], [false], ['Use orders.find.']])('may be %p', async (deprecated) => {
    expect((await specWith({ deprecated }))?.deprecated).toBe(deprecated);
  });

  it('is false when it is left out', async () => {
    expect((await specWith({}))?.deprecated).toBe(false);
  });

  it.each([[null], [1], [{}], [['x']]])('is an illegal_option if it is %p', async (deprecated) => {
    expect(codesOf(await problemsWith({ deprecated }))).toEqual(['illegal_option']);
  });
});

describe('idempotencyKey', () => {
  it('is a function of the input, and its answer a text', async () => {
    const spec = await specWith({ idempotencyKey: (input: { id: unknown }) => input.id });
    expect(spec?.idempotencyKey?.({ id: '7' })).toBe('7');
    for (const id of [7, '', undefined, Promise.resolve('7')]) {
      expect(() => spec?.idempotencyKey?.({ id })).toThrow(TypeError);
    }
    expect((await specWith({}))?.idempotencyKey).toBeUndefined();
  });

  it.each([[null], ['id'], [{}], [true]])('is an illegal_option if it is %p', async (idempotencyKey) => {
    expect(codesOf(await problemsWith({ idempotencyKey }))).toEqual(['illegal_option']);
  });
});

describe('an unknown option', () => {
  it.each(['desc', 'Name', 'scopes', 'timeout', 'constructor', 'execute'])(
    '%s is an illegal_option',
    async (option) => {
      const problems = await problemsWith({ [option]: 'x' });
      expect(codesOf(problems)).toEqual(['illegal_option']);
      expect(problems[0]?.message).toContain(option);
    },
  );

  it('is one even if it is undefined, since it is misspelt all the same', async () => {
    expect(codesOf(await problemsWith({ desc: undefined }))).toEqual(['illegal_option']);
  });
});

describe('options that are no options', () => {
  it.each([[undefined], [null], [5], [{}], [[]], [() => legal]])('lack everything: %p', async (options) => {
    expect(codesOf(await rejectionOf(discoverWith(options)))).toEqual([
      'illegal_name',
      'illegal_version',
      'missing_option',
    ]);
  });

  it('of whatever kind are made into a tool or into problems, are never changed and never crash', async () => {
    const value = fc.anything({ withBigInt: true, withNullPrototype: true });
    const options = fc.record(
      {
        name: fc.oneof(fc.constant('opt.tool'), value),
        version: fc.oneof(fc.constant('1.0.0'), value),
        description: fc.oneof(fc.constant('d'), value),
        title: value,
        owner: value,
        input: value,
        output: value,
        timeoutMs: value,
        maxResultBytes: value,
        idempotencyKey: value,
        deprecated: value,
        unknown: value,
      },
      { requiredKeys: [] },
    );
    await forAllAwaited(
      options,
      async (given) => {
        const before = { ...given };
        const outcome = await discoverWith(given).catch((error: unknown) => error);
        expect(given).toEqual(before);
        if (Array.isArray(outcome)) return expect(outcome).toHaveLength(1);
        expect(outcome).toMatchObject({ code: 'invalid_declaration' });
        return undefined;
      },
      200,
    );
  });
});

describe('several mistakes', () => {
  it('are reported together, each with the class and the tool', async () => {
    const problems = await problemsWith({
      version: 'one',
      description: '',
      title: 5,
      timeoutMs: -1,
      extra: 1,
    });
    expect(codesOf(problems)).toEqual([
      'illegal_option',
      'illegal_option',
      'illegal_option',
      'illegal_version',
      'missing_option',
    ]);
    for (const { place, mend } of problems) {
      expect(place).toEqual({ class: 'Optional', tool: 'opt.tool' });
      expect(mend).not.toBe('');
    }
  });
});
