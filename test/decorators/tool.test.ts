/**
 * What `@Tool` does to what it is given and to what it sits on.
 * Invariant: the author's options object is read once and never written; decorating registers nothing.
 */
import { IsString } from 'class-validator';
import { discoverTools, NoInput, Tool, type ToolContext, ToolRegistry } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { applyToMethod, declareTool } from '../fixtures/untyped-declarations';

class Input {
  @IsString() word!: string;
}
const base = { version: '1.0.0', description: 'd' };

describe('the options object', () => {
  it('is not changed, and a frozen one works', async () => {
    const options = Object.freeze({ ...base, name: 'a.frozen', title: 'T', input: Input, output: String });
    const before = { ...options };
    @Tool(options)
    class Frozen {
      execute(input: Input): string {
        return input.word;
      }
    }
    const [spec] = await discoverTools({ classes: [Frozen] });
    expect(options).toEqual(before);
    expect(spec).toMatchObject({ name: 'a.frozen', title: 'T' });
  });

  it('can be changed afterwards without changing the tool', async () => {
    const options = { ...base, name: 'a.first' };
    class Changed {
      execute(): string {
        return 'done';
      }
    }
    const decorate = Tool(options);
    options.name = 'a.second';
    decorate(Changed);
    options.name = 'a.third';
    expect((await discoverTools({ classes: [Changed] })).map(({ name }) => name)).toEqual(['a.first']);
  });

  it('can serve two classes', async () => {
    const shared = Tool({ ...base, name: 'a.shared' });
    class One {
      execute(): string {
        return 'one';
      }
    }
    class Two {
      execute(): string {
        return 'two';
      }
    }
    shared(One);
    shared(Two);
    const sources = (await discoverTools({ classes: [One, Two] })).map(({ source }) => source.class);
    expect(sources.sort()).toEqual(['One', 'Two']);
  });
});

describe('a decorated class', () => {
  it('stays the class that it was', () => {
    class Plain {
      execute(): string {
        return 'done';
      }
    }
    const members = [Reflect.ownKeys(Plain), Reflect.ownKeys(Plain.prototype)];
    Tool({ ...base, name: 'a.plain' })(Plain);
    expect([Reflect.ownKeys(Plain), Reflect.ownKeys(Plain.prototype)]).toEqual(members);
  });

  it('is in no registry and in no discovery that does not name it', async () => {
    Tool({ ...base, name: 'a.unnamed' })(
      class Unnamed {
        execute(): string {
          return 'done';
        }
      },
    );
    expect(new ToolRegistry().list()).toEqual([]);
    expect(await discoverTools({})).toEqual([]);
  });

  it('runs as a tool with its input and its context', async () => {
    @Tool({ ...base, name: 'a.run', input: Input, output: String })
    class Runs {
      private readonly suffix = '!';
      execute(input: Input, context: ToolContext): string {
        return `${input.word}${this.suffix}${context.callId}`;
      }
    }
    const [spec] = await discoverTools({ classes: [Runs] });
    const answer = spec?.handler({ word: 'hi' }, Object.assign(Object.create(null), { callId: '7' }));
    expect(answer).toBe('hi!7');
  });
});

describe('one decorator twice', () => {
  it('on a class is decorated_twice', async () => {
    const Twice = declareTool(
      { ...base, name: 'a.twice' },
      class Twice {
        execute(): string {
          return 'done';
        }
      },
    );
    declareTool({ ...base, name: 'a.again' }, Twice);
    const problems = await rejectionOf(discoverTools({ classes: [Twice] }));
    expect(codesOf(problems)).toEqual(['decorated_twice']);
    expect(problems[0]?.place).toMatchObject({ class: 'Twice' });
  });

  it('on a method is decorated_twice, and names the method', async () => {
    class Service {
      run(): string {
        return 'done';
      }
    }
    applyToMethod(Tool({ ...base, name: 'a.run', input: NoInput }), Service, 'run');
    applyToMethod(Tool({ ...base, name: 'a.rerun', input: NoInput }), Service, 'run');
    const problems = await rejectionOf(discoverTools({ classes: [Service] }));
    expect(codesOf(problems)).toEqual(['decorated_twice']);
    expect(problems[0]?.place).toMatchObject({ class: 'Service', member: 'run' });
  });

  it('with the same options is decorated_twice all the same', async () => {
    const decorate = Tool({ ...base, name: 'a.same' });
    class Same {
      execute(): string {
        return 'done';
      }
    }
    decorate(Same);
    decorate(Same);
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Same] })))).toEqual(['decorated_twice']);
  });

  it('on a class and on its subclass is no repetition', async () => {
    @Tool({ ...base, name: 'a.parent' })
    class Parent {
      execute(): string {
        return 'parent';
      }
    }
    @Tool({ ...base, name: 'a.child' })
    class Child extends Parent {}
    const names = (await discoverTools({ classes: [Parent, Child] })).map(({ name }) => name);
    expect(names).toEqual(['a.child', 'a.parent']);
  });
});

describe('the wrong place in a class', () => {
  it('a class and its methods at once is tool_and_service', async () => {
    @Tool({ ...base, name: 'a.both' })
    class Both {
      @Tool({ ...base, name: 'a.method' })
      run(): string {
        return 'run';
      }
      execute(): string {
        return 'execute';
      }
    }
    const problems = await rejectionOf(discoverTools({ classes: [Both] }));
    expect(problems).toMatchObject([{ code: 'tool_and_service', place: { class: 'Both' } }]);
  });

  it('a class and its own execute at once is tool_and_service', async () => {
    @Tool({ ...base, name: 'a.class' })
    class Both {
      @Tool({ ...base, name: 'a.execute' })
      execute(): string {
        return 'execute';
      }
    }
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Both] })))).toEqual(['tool_and_service']);
  });

  it('a static method is refused, whether it is reached by class or by module', async () => {
    class Statics {
      @Tool({ ...base, name: 'a.static' })
      static run(): string {
        return 'static';
      }
      other(): void {}
    }
    for (const source of [{ classes: [Statics] }, { modules: [{ Statics }] }]) {
      const problems = await rejectionOf(discoverTools(source));
      expect(problems).toMatchObject([{ code: 'missing_handler', place: { class: 'Statics' } }]);
    }
  });

  it('a static method named by a symbol is refused too', async () => {
    const run = Symbol('run');
    class Statics {
      @Tool({ ...base, name: 'a.static' })
      static [run](): string {
        return 'static';
      }
      other(): void {}
    }
    expect(codesOf(await rejectionOf(discoverTools({ modules: [{ Statics }] })))).toEqual([
      'missing_handler',
    ]);
  });

  it('a class without execute is missing_handler', async () => {
    const Idle = declareTool({ ...base, name: 'a.idle' }, class Idle {});
    const problems = await rejectionOf(discoverTools({ classes: [Idle] }));
    expect(problems).toMatchObject([{ code: 'missing_handler', place: { class: 'Idle', tool: 'a.idle' } }]);
  });

  it('a method named by a symbol is a tool', async () => {
    const run = Symbol('run');
    class Symbolic {
      @Tool({ ...base, name: 'a.symbolic', output: String })
      [run](): string {
        return 'symbolic';
      }
    }
    const [spec] = await discoverTools({ classes: [Symbolic] });
    expect(spec?.handler({}, Object.create(null))).toBe('symbolic');
  });
});
