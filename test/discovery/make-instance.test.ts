/**
 * How discovery comes by the instances that tools run on.
 * Invariant: where there is a container it makes them, once for each class; what it cannot make is a problem.
 */
import 'reflect-metadata';
import { type Class, type Container, discoverTools, Tool } from 'toolcrib';
import { injectable, container as tsyringe } from 'tsyringe';
import { rejectionOf } from '../fixtures/declaration-problems';
import { makeUntyped } from '../fixtures/untyped-declarations';

const base = { version: '1.0.0', description: 'd', output: String } as const;

@injectable()
class Greeting {
  readonly word: string = 'hello';
}
@injectable()
class Needy {
  constructor(private readonly greeting: Greeting) {}

  @Tool({ ...base, name: 'm.needy' })
  greet(): string {
    return this.greeting.word;
  }
}
@Tool({ ...base, name: 'm.simple' })
class Simple {
  readonly by: string = 'new';
  execute(): string {
    return this.by;
  }
}
const needy = new Needy(new Greeting());

async function answerOf(cls: Class, container?: unknown): Promise<unknown> {
  const specs: unknown = await makeUntyped(discoverTools, {
    classes: [cls],
    ...(container === undefined ? {} : { container }),
  });
  const [spec]: readonly unknown[] = Array.isArray(specs) ? specs : [];
  return typeof spec === 'object' && spec !== null && 'handler' in spec && typeof spec.handler === 'function'
    ? spec.handler({}, {})
    : undefined;
}

function refusalOf(cls: Class, container?: Container): ReturnType<typeof rejectionOf> {
  return rejectionOf(discoverTools({ classes: [cls], ...(container === undefined ? {} : { container }) }));
}

describe('without a container', () => {
  it('a class is made without arguments', async () => {
    expect(await answerOf(Simple)).toBe('new');
  });

  it('a class whose constructor wants arguments is no_instance', async () => {
    expect(await refusalOf(Needy)).toMatchObject([{ code: 'no_instance', place: { class: 'Needy' } }]);
  });

  it('a class whose constructor throws is no_instance, whatever it throws', async () => {
    const thrown: readonly unknown[] = [new Error('no database'), undefined, Object.create(null)];
    for (const value of thrown) {
      @Tool({ ...base, name: 'm.throwing' })
      class Throwing {
        constructor() {
          throw value;
        }
        execute(): string {
          return 'never';
        }
      }
      expect(await refusalOf(Throwing)).toMatchObject([
        { code: 'no_instance', place: { class: 'Throwing' } },
      ]);
    }
  });
});

describe('a class without a constructor of its own', () => {
  class Wanting {
    constructor(readonly greeting: Greeting) {}
  }
  class Between extends Wanting {}
  class Content {
    readonly word: string = 'content';
  }

  it('wants what its parent wants, however far up', async () => {
    @Tool({ ...base, name: 'm.child' })
    class Child extends Wanting {
      execute(): string {
        return this.greeting.word;
      }
    }
    @Tool({ ...base, name: 'm.grandchild' })
    class Grandchild extends Between {
      execute(): string {
        return this.greeting.word;
      }
    }
    for (const cls of [Child, Grandchild]) {
      expect(await refusalOf(cls)).toMatchObject([{ code: 'no_instance', place: { class: cls.name } }]);
      const made = new cls(new Greeting());
      expect(await answerOf(cls, { get: () => made })).toBe('hello');
    }
  });

  it('is made where its parent wants nothing, or where it has one of its own that wants nothing', async () => {
    @Tool({ ...base, name: 'm.child' })
    class Child extends Content {
      execute(): string {
        return this.word;
      }
    }
    @Tool({ ...base, name: 'm.giving' })
    class Giving extends Wanting {
      constructor() {
        super(new Greeting());
      }
      execute(): string {
        return this.greeting.word;
      }
    }
    expect(await answerOf(Child)).toBe('content');
    expect(await answerOf(Giving)).toBe('hello');
  });
});

describe('a container', () => {
  it.each<[string, unknown]>([
    ['get', { get: () => needy }],
    ['resolve', { resolve: () => needy }],
    ['an awaited get', { get: () => Promise.resolve(needy) }],
    ['an awaited resolve', { resolve: async () => needy }],
    ['both, of which get is asked', { get: () => needy, resolve: () => undefined }],
    ['a Map', new Map([[Needy, needy]])],
  ])('with %s makes the instance', async (_what, container) => {
    expect(await answerOf(Needy, container)).toBe('hello');
  });

  it('of a library makes the instance with all that it needs', async () => {
    const [spec] = await discoverTools({ classes: [Needy], container: tsyringe });
    expect(spec?.handler({}, Object.create(null))).toBe('hello');
  });

  it('is asked by the class, on itself, once', async () => {
    class Counting {
      readonly asked: unknown[] = [];
      get(token: unknown): unknown {
        this.asked.push(token);
        return needy;
      }
    }
    const container = new Counting();
    await discoverTools({ classes: [Needy, Needy], modules: [{ Needy }], container });
    expect(container.asked).toEqual([Needy]);
  });

  it('is asked for classes without constructor arguments too', async () => {
    const mine = Object.assign(new Simple(), { by: 'container' });
    expect(await answerOf(Simple, { get: () => mine })).toBe('container');
  });

  it('that throws or rejects is no_instance, and names the class', async () => {
    const broken = new Error('not bound');
    const containers: readonly Container[] = [
      {
        get: () => {
          throw broken;
        },
      },
      { resolve: () => Promise.reject(broken) },
    ];
    for (const container of containers) {
      for (const cls of [Needy, Simple]) {
        expect(await refusalOf(cls, container)).toMatchObject([
          { code: 'no_instance', place: { class: cls.name } },
        ]);
      }
    }
  });

  describe.each([[undefined], [null], [false], ['Needy'], [7]])('that gives %p', (given) => {
    it.each([Needy, Simple])('is no_instance for %p, whatever its constructor takes', async (cls) => {
      expect(await refusalOf(cls, { get: () => given })).toMatchObject([
        { code: 'no_instance', place: { class: cls.name } },
      ]);
    });
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['something else under the name', { execute: 'hello', greet: 'hello' }],
    ['another class', new Greeting()],
  ])('that gives an instance with %s in place of the method is no_instance', async (_what, given) => {
    for (const cls of [Needy, Simple]) {
      expect(await refusalOf(cls, { get: () => given })).toMatchObject([
        { code: 'no_instance', place: { class: cls.name } },
      ]);
    }
  });

  it('does not keep discovery from reporting what else is wrong', async () => {
    class Broken {
      constructor(readonly greeting: Greeting) {}
      @Tool({ name: 'm.broken', version: '1', description: '' })
      run(): void {}
    }
    const problems = await refusalOf(Broken, { get: () => undefined });
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'illegal_version',
      'missing_option',
      'no_instance',
    ]);
  });
});

describe('the instance', () => {
  it('serves all tools of its class, and its methods are called on it', async () => {
    class Counter {
      private count = 0;
      @Tool({ ...base, name: 'm.up' })
      up(): string {
        this.count += 1;
        return String(this.count);
      }
      @Tool({ ...base, name: 'm.value' })
      value(): string {
        return String(this.count);
      }
    }
    const [up, value] = await discoverTools({ classes: [Counter] });
    up?.handler({}, Object.create(null));
    expect(value?.handler({}, Object.create(null))).toBe('1');
  });

  it('may have its method replaced, as tests do', async () => {
    const instance = new Simple();
    const [spec] = await discoverTools({ instances: [instance] });
    jest.spyOn(instance, 'execute').mockReturnValue('replaced');
    expect(spec?.handler({}, Object.create(null))).toBe('replaced');
  });
});
