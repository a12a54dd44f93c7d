/**
 * Which classes the sources give.
 * Invariant: a class is taken once however often it is reached, and a source that names something else says so.
 */
import { type Class, type DiscoverOptions, discoverTools, Scopes, Tool } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { makeUntyped } from '../fixtures/untyped-declarations';

const base = { version: '1.0.0', description: 'd' };

@Tool({ ...base, name: 'c.tool', output: String })
class ToolClass {
  execute(): string {
    return 'tool';
  }
}
class Service {
  constructor(private readonly greeting = 'service') {}

  @Tool({ ...base, name: 'c.first', output: String })
  first(): string {
    return this.greeting;
  }

  @Tool({ ...base, name: 'c.second', output: String })
  second(): string {
    return this.greeting;
  }
}
class Plain {}
class Guarded {
  @Scopes('a:read')
  run(): void {}
}

async function namesOf(options: DiscoverOptions): Promise<readonly string[]> {
  return (await discoverTools(options)).map(({ name }) => name);
}

async function refusalOf(options: unknown): Promise<readonly string[]> {
  return codesOf(await rejectionOf(Promise.resolve(makeUntyped(discoverTools, options))));
}

describe('classes', () => {
  it('may be class tools and services', async () => {
    expect(await namesOf({ classes: [Service, ToolClass] })).toEqual(['c.first', 'c.second', 'c.tool']);
  });

  it('that are neither are each named', async () => {
    const problems = await rejectionOf(discoverTools({ classes: [Plain, ToolClass, Guarded] }));
    expect(problems).toMatchObject([
      { code: 'not_a_tool', place: { class: 'Plain' } },
      { code: 'not_a_tool', place: { class: 'Guarded' } },
    ]);
  });

  it.each([[undefined], [null], ['ToolClass'], [{}], [() => 'arrow'], [new ToolClass()], [Symbol('cls')]])(
    'that are no classes are not_a_tool: %p',
    async (value) => {
      expect(await refusalOf({ classes: [value] })).toEqual(['not_a_tool']);
    },
  );
});

describe('modules', () => {
  it('give what they export, under whatever name, and whatever is no tool is passed over', async () => {
    const module = { Renamed: ToolClass, default: Service, Plain, helper: () => 1, LIMIT: 3, none: null };
    expect(await namesOf({ modules: [module] })).toEqual(['c.first', 'c.second', 'c.tool']);
  });

  it('give what a CommonJS module exports when import() has wrapped it', async () => {
    expect(await namesOf({ modules: [{ default: { ToolClass, Service, Plain } }] })).toHaveLength(3);
  });

  it('may be a class, as a CommonJS module is that exports nothing else', async () => {
    expect(await namesOf({ modules: [ToolClass] })).toEqual(['c.tool']);
  });

  it('may export nothing', async () => {
    expect(await namesOf({ modules: [{}, { default: undefined }, Object.create(null)] })).toEqual([]);
  });

  it('that throw when they are read are load_failed', async () => {
    const unready = {
      get ToolClass(): never {
        throw new ReferenceError('before initialization');
      },
    };
    expect(await refusalOf({ modules: [unready, { ToolClass }] })).toEqual(['load_failed']);
  });
});

describe('instances', () => {
  it('run as they are', async () => {
    const [spec] = await discoverTools({ instances: [new Service('hello')] });
    expect(spec?.handler({}, Object.create(null))).toBe('hello');
  });

  it('are used where their class is reached as well, in whatever order', async () => {
    const container = {
      get: (): never => {
        throw new Error('not asked');
      },
    };
    const [spec, ...rest] = await discoverTools({
      instances: [new Service('mine')],
      classes: [Service],
      modules: [{ Service }],
      container,
    });
    expect(spec?.handler({}, Object.create(null))).toBe('mine');
    expect(rest).toHaveLength(1);
  });

  it('given twice are taken once', async () => {
    const instance = new Service();
    expect(await namesOf({ instances: [instance, instance] })).toEqual(['c.first', 'c.second']);
  });

  it('of one class, if there are two, are duplicate_key', async () => {
    const problems = await rejectionOf(discoverTools({ instances: [new Service('a'), new Service('b')] }));
    expect(problems).toMatchObject([{ code: 'duplicate_key', place: { class: 'Service' } }]);
  });

  it.each([[new Plain()], [{}], [Object.create(null)], [undefined], [null], ['text'], [ToolClass]])(
    'of no tool class are not_a_tool: %p',
    async (instance) => {
      expect(await refusalOf({ instances: [instance] })).toEqual(['not_a_tool']);
    },
  );
});

describe('a class reached twice', () => {
  it('is found once, whatever the sources and their order', async () => {
    const sources: DiscoverOptions = {
      classes: [ToolClass, ToolClass],
      modules: [{ ToolClass, Again: ToolClass, default: ToolClass }, { ToolClass }],
    };
    expect(await namesOf(sources)).toEqual(['c.tool']);
  });

  it('is made once', async () => {
    const made = jest.fn();
    @Tool({ ...base, name: 'c.counted' })
    class Counted {
      constructor() {
        made();
      }
      execute(): void {}
    }
    await discoverTools({ classes: [Counted, Counted], modules: [{ Counted }] });
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('is two tools of one key when it is two classes, each with its own source', async () => {
    const make = (): Class => {
      @Tool({ ...base, name: 'c.same' })
      class Same {
        execute(): void {}
      }
      return Same;
    };
    expect(await namesOf({ classes: [make(), make()] })).toEqual(['c.same', 'c.same']);
  });
});

describe('no source at all', () => {
  it.each([[{}], [{ patterns: [], modules: [], classes: [], instances: [] }]])(
    'gives no tools: %p',
    async (options) => {
      expect(await namesOf(options)).toEqual([]);
    },
  );
});
