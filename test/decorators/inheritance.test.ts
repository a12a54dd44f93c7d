/**
 * What subclasses of tools and services are.
 * Invariant: a class is a tool by its own `@Tool` alone, and of its parent's declaration it takes only scopes.
 */
import { IsString } from 'class-validator';
import { discoverTools, Owner, Scopes, SideEffect, Tool } from 'toolcrib';
import { rejectionOf } from '../fixtures/declaration-problems';

class Input {
  @IsString() word!: string;
}

@Tool({
  name: 'i.parent',
  version: '3.2.1',
  description: 'The parent',
  title: 'Parent',
  timeoutMs: 9,
  maxResultBytes: 99,
  deprecated: true,
  input: Input,
  output: String,
})
@Scopes('parent:use')
@SideEffect('none')
@Owner('ParentTeam')
class Parent {
  execute(input: Input): string {
    return input.word;
  }
}
class Undecorated extends Parent {}

@Tool({ name: 'i.child', version: '1.0.0', description: 'The child', input: Input, output: String })
class Child extends Undecorated {
  override execute(input: Input): string {
    return `child of ${super.execute(input)}`;
  }
}

describe('a subclass of a class tool', () => {
  it('without @Tool of its own is no tool', async () => {
    const problems = await rejectionOf(discoverTools({ classes: [Undecorated] }));
    expect(problems).toMatchObject([{ code: 'not_a_tool', place: { class: 'Undecorated' } }]);
  });

  it('without @Tool of its own is passed over in a module, and refused as an instance', async () => {
    const specs = await discoverTools({ modules: [{ Undecorated, Parent }] });
    expect(specs.map(({ source }) => source.class)).toEqual(['Parent']);
    const problems = await rejectionOf(discoverTools({ instances: [new Undecorated()] }));
    expect(problems).toMatchObject([{ code: 'not_a_tool', place: { class: 'Undecorated' } }]);
  });

  it('with its own @Tool inherits the scopes and nothing else', async () => {
    const [spec] = await discoverTools({ classes: [Child] });
    expect(spec).toMatchObject({
      key: 'i.child@1.0.0',
      description: 'The child',
      title: undefined,
      owner: undefined,
      timeoutMs: undefined,
      maxResultBytes: undefined,
      deprecated: false,
      scopes: ['parent:use'],
      sideEffect: { kind: 'destructive', declared: false },
    });
  });

  it('runs its own execute, which can call its parent’s', async () => {
    const [spec] = await discoverTools({ classes: [Child] });
    expect(spec?.handler({ word: 'hi' }, Object.create(null))).toBe('child of hi');
  });

  it('runs the inherited execute where it has none', async () => {
    @Tool({ name: 'i.quiet', version: '1.0.0', description: 'd', input: Input })
    class Quiet extends Parent {}
    const [spec] = await discoverTools({ classes: [Quiet] });
    expect(spec?.handler({ word: 'hi' }, Object.create(null))).toBe('hi');
  });

  it('stands beside its parent', async () => {
    const specs = await discoverTools({ classes: [Child, Parent] });
    expect(specs.map(({ key, scopes }) => [key, scopes])).toEqual([
      ['i.child@1.0.0', ['parent:use']],
      ['i.parent@3.2.1', ['parent:use']],
    ]);
  });
});

describe('a subclass of a service', () => {
  class Service {
    @Tool({ name: 'i.run', version: '1.0.0', description: 'd', output: String })
    run(): string {
      return this.word();
    }
    protected word(): string {
      return 'service';
    }
  }

  it('without tool methods of its own is no service', async () => {
    class Empty extends Service {
      protected override word(): string {
        return 'empty';
      }
    }
    const problems = await rejectionOf(discoverTools({ classes: [Empty] }));
    expect(problems).toMatchObject([{ code: 'not_a_tool', place: { class: 'Empty' } }]);
  });

  it('does not make a tool of an overriding method without @Tool', async () => {
    class Overriding extends Service {
      override run(): string {
        return 'overriding';
      }
      @Tool({ name: 'i.more', version: '1.0.0', description: 'd' })
      more(): string {
        return 'more';
      }
    }
    const specs = await discoverTools({ classes: [Overriding] });
    expect(specs.map(({ name }) => name)).toEqual(['i.more']);
  });

  it('has its own tools only, beside those of its parent', async () => {
    class Below extends Service {
      @Tool({ name: 'i.below', version: '1.0.0', description: 'd' })
      below(): string {
        return 'below';
      }
    }
    const specs = await discoverTools({ classes: [Below, Service] });
    expect(specs.map(({ name, source }) => [name, source.class])).toEqual([
      ['i.below', 'Below'],
      ['i.run', 'Service'],
    ]);
  });
});
