/**
 * Composing a toolkit: everything that is wrong at once, and what the options reach.
 * Invariant: there is a sound, sealed toolkit or one error, and a refused one leaves nothing behind.
 */
import { IsObject, IsString } from 'class-validator';
import {
  BaseTool,
  type Class,
  type Container,
  createToolkit,
  NoInput,
  Scopes,
  SideEffect,
  Tool,
} from 'toolcrib';
import { codesOf, rejectionOf } from './fixtures/declaration-problems';
import { makeSpec } from './fixtures/hand-made-spec';
import { declareTool } from './fixtures/untyped-declarations';

/** A new class tool that anyone, or a holder of scopes, may call. */
function toolNamed(name: string, version = '1.0.0', ...scopes: readonly string[]): Class {
  class Named {
    execute(): string {
      return `${name}@${version}`;
    }
  }
  Scopes(...scopes)(Named);
  SideEffect('none')(Named);
  return declareTool({ name, version, description: 'Tells its key.' }, Named);
}

class WithoutRule {
  text!: string;
}

describe('a toolkit whose tools are not sound', () => {
  it('is refused with the problems of discovery and of the registry in one error', async () => {
    const undescribed = declareTool(
      { name: 'test.undescribed', version: '1' },
      class {
        execute(): void {}
      },
    );
    const problems = await rejectionOf(
      createToolkit({
        scopes: ['orders:read'],
        discover: {
          classes: [
            undescribed,
            WithoutRule,
            toolNamed('orders.get', '1.0.0', 'orders:read'),
            toolNamed('orders.get', '1.0.0', 'orders:read'),
            toolNamed('orders.find'),
            toolNamed('orders_find'),
            toolNamed('ORDERS.FIND'),
            toolNamed('orders.list', '1.0.0', 'orders:reed'),
          ],
        },
      }),
    );
    expect(codesOf(problems)).toEqual([
      'duplicate_key',
      'illegal_version',
      'missing_option',
      'model_name_collision',
      'model_name_collision',
      'not_a_tool',
      'unknown_scope',
    ]);
    for (const { place, message, mend } of problems) {
      expect(Object.keys(place)).not.toEqual([]);
      expect([message, mend]).not.toContain('');
    }
  });

  it('is refused for a scope that the taxonomy lacks, and not without a taxonomy', async () => {
    const discover = { classes: [toolNamed('orders.list', '1.0.0', 'orders:reed')] };
    expect(await rejectionOf(createToolkit({ discover, scopes: [] }))).toMatchObject([
      { code: 'unknown_scope', place: { tool: 'orders.list@1.0.0' } },
    ]);
    const toolkit = await createToolkit({ discover });
    expect(toolkit.registry.list()).toHaveLength(1);
  });

  it('leaves the instances that it had discovered to the toolkit that has them', async () => {
    @Tool({ name: 'test.own', version: '1.0.0', description: 'Answers.', input: NoInput })
    @Scopes()
    @SideEffect('none')
    class Own extends BaseTool<NoInput, string> {
      execute(): string {
        return 'own';
      }
    }
    const tool = new Own();
    const first = await createToolkit({
      discover: { instances: [tool] },
      interceptors: [{ stage: 'execute', run: async () => ({ success: true, result: 'first' }) }],
    });
    await rejectionOf(createToolkit({ discover: { instances: [tool], classes: [WithoutRule] } }));
    expect(await tool.invoke({})).toEqual({ success: true, result: 'first' });
    expect(await first.invoke('test.own', {})).toEqual({ success: true, result: 'first' });
  });
});

describe('the registry of a toolkit', () => {
  it('is sealed, and changes through update only, which calls then see', async () => {
    const toolkit = await createToolkit({ discover: { classes: [toolNamed('test.one')] } });
    const register = async () => toolkit.registry.register(makeSpec('test.two'));
    expect(await rejectionOf(register())).toMatchObject([{ code: 'registry_sealed' }]);
    expect(await toolkit.invoke('test.two', {})).toMatchObject({ error: { code: 'unknown_tool' } });
    toolkit.registry.update((draft) => {
      draft.register(makeSpec('test.two', '1.2.3'));
      draft.remove('test.one@1.0.0');
    });
    expect(await toolkit.invoke('test.two', {})).toEqual({ success: true, result: '1.2.3' });
    expect(await toolkit.invoke('test.one', {})).toMatchObject({ error: { code: 'unknown_tool' } });
  });

  it('is its own: two toolkits share no tools', async () => {
    const one = await createToolkit({ discover: { classes: [toolNamed('test.one')] } });
    const two = await createToolkit({ discover: { classes: [toolNamed('test.two')] } });
    expect(one.registry.list().map(({ name }) => name)).toEqual(['test.one']);
    expect(two.registry.list().map(({ name }) => name)).toEqual(['test.two']);
  });
});

describe('the container of a toolkit', () => {
  @Tool({ name: 'test.injected', version: '1.0.0', description: 'Answers what it was given.' })
  @Scopes()
  @SideEffect('none')
  class Injected {
    constructor(private readonly text: string) {}

    execute(): string {
      return this.text;
    }
  }

  const giving = (text: string): Container => ({ get: () => new Injected(text) });
  const classes = [Injected];

  it.each([
    ['container', { container: giving('outer'), discover: { classes } }, 'outer'],
    ['discover.container', { discover: { classes, container: giving('inner') } }, 'inner'],
    [
      'discover.container before container',
      { container: giving('outer'), discover: { classes, container: giving('inner') } },
      'inner',
    ],
  ])('is taken from %s', async (_case, options, expected) => {
    const toolkit = await createToolkit(options);
    expect(await toolkit.invoke(Injected, {})).toEqual({ success: true, result: expected });
  });

  it('is missed where a class takes arguments', async () => {
    expect(codesOf(await rejectionOf(createToolkit({ discover: { classes } })))).toEqual(['no_instance']);
  });
});

describe('covers', () => {
  it('makes a hierarchy of scopes for calls and for the catalog', async () => {
    const toolkit = await createToolkit({
      discover: {
        classes: [
          toolNamed('orders.find', '1.0.0', 'orders:read'),
          toolNamed('orders.drop', '1.0.0', 'orders:read', 'orders:write'),
          toolNamed('bills.find', '1.0.0', 'bills:read'),
        ],
      },
      scopes: ['orders:read', 'orders:write', 'bills:read'],
      covers: (held, required) => held === required || held === `${required.split(':')[0]}:*`,
    });
    const principal = { id: 'x', scopes: ['orders:*'] };
    const names = toolkit.catalog(principal).map(({ name }) => name);
    expect(names).toEqual(['orders_drop', 'orders_find']);
    expect(await toolkit.invoke('orders.drop', {}, { principal })).toMatchObject({ success: true });
    expect(await toolkit.invoke('bills.find', {}, { principal })).toMatchObject({
      success: false,
      error: { code: 'insufficient_scope', detail: { missing: ['bills:read'] } },
    });
  });
});

describe('limits', () => {
  class FreeInput {
    @IsObject()
    free!: object;

    @IsString()
    text!: string;
  }

  @Tool({ name: 'test.free', version: '1.0.0', description: 'Takes much.', input: FreeInput })
  @Scopes()
  @SideEffect('none')
  class Free {
    execute(): string {
      return 'done';
    }
  }

  const rulesOf = async (limits: object, args: object) => {
    const toolkit = await createToolkit({ discover: { classes: [Free] }, limits });
    const result = await toolkit.invoke(Free, args);
    return result.success ? 'success' : result.error;
  };
  const refusedFor = (rule: string) => ({ code: 'invalid_input', detail: { violations: [{ rule }] } });

  const deepest = JSON.parse(`{"text":"","free":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`);

  it('bound the arguments; one that is left out keeps its default', async () => {
    const deep = { text: '', free: { a: { b: { c: 1 } } } };
    const long = { text: 'é'.repeat(60), free: {} };
    const wide = { text: '', free: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, 1])) };
    for (const args of [deep, long, wide]) expect(await rulesOf({}, args)).toBe('success');
    expect(await rulesOf({ maxDepth: 3 }, deep)).toMatchObject(refusedFor('maxDepth'));
    expect(await rulesOf({ maxDepth: 3 }, long)).toBe('success');
    expect(await rulesOf({ maxBytes: 100 }, long)).toMatchObject(refusedFor('maxBytes'));
    expect(await rulesOf({ maxElements: 20 }, wide)).toMatchObject(refusedFor('maxElements'));
    expect(await rulesOf({ maxBytes: 10_000 }, deepest)).toMatchObject(refusedFor('maxDepth'));
  });

  it('keep their default where undefined is given', async () => {
    const none = { maxDepth: undefined, maxBytes: undefined, maxElements: undefined };
    expect(await rulesOf(none, deepest)).toMatchObject(refusedFor('maxDepth'));
    expect(await rulesOf(none, { text: 'x'.repeat(2_000_000), free: {} })).toMatchObject(
      refusedFor('maxBytes'),
    );
  });
});
