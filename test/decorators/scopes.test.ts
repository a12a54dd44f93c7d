/**
 * `@Scopes` on classes, methods and subclasses.
 * Invariant: without one nobody may call; the nearest one counts, and it is never added to another.
 */
import { discoverTools, Scopes, Tool, type ToolSpec } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { applyUntyped, makeUntyped } from '../fixtures/untyped-declarations';

const base = { version: '1.0.0', description: 'd' };

async function scopesOf(...classes: readonly (new () => object)[]): Promise<Record<string, unknown>> {
  const specs: readonly ToolSpec[] = await discoverTools({ classes });
  return Object.fromEntries(specs.map(({ name, scopes }) => [name, scopes]));
}

describe('@Scopes on a class tool', () => {
  it('is what it was given, in that order and each once', async () => {
    @Tool({ ...base, name: 's.listed' })
    @Scopes('b:write', 'a:read', 'b:write')
    class Listed {
      execute(): void {}
    }
    expect(await scopesOf(Listed)).toEqual({ 's.listed': ['b:write', 'a:read'] });
  });

  it('left out is undefined, and empty is a decision', async () => {
    @Tool({ ...base, name: 's.undecided' })
    class Undecided {
      execute(): void {}
    }
    @Tool({ ...base, name: 's.open' })
    @Scopes()
    class Open {
      execute(): void {}
    }
    expect(await scopesOf(Undecided, Open)).toEqual({ 's.undecided': undefined, 's.open': [] });
  });

  it('gives a list that cannot be changed', async () => {
    const given = ['a:read'];
    @Tool({ ...base, name: 's.frozen' })
    @Scopes(...given)
    class Frozen {
      execute(): void {}
    }
    given.push('b:write');
    const [spec] = await discoverTools({ classes: [Frozen] });
    expect(spec?.scopes).toEqual(['a:read']);
    expect(Object.isFrozen(spec?.scopes)).toBe(true);
  });

  it('twice is decorated_twice', async () => {
    @Tool({ ...base, name: 's.twice' })
    @Scopes('a:read')
    @Scopes('a:read')
    class Twice {
      execute(): void {}
    }
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Twice] })))).toEqual(['decorated_twice']);
  });

  it.each([
    ['a space', ['a read']],
    ['nothing', ['']],
    ['a quote', ['a"b']],
    ['a backslash', ['a\\b']],
    ['other letters', ['lesen:ö']],
    ['no text', [5]],
    ['a list in place of texts', [['a:read']]],
    ['undefined', [undefined]],
  ])('with %s for a scope is an illegal_option', async (_what, scopes) => {
    @Tool({ ...base, name: 's.illegal' })
    class Illegal {
      execute(): void {}
    }
    applyUntyped(makeUntyped(Scopes, ...scopes), Illegal);
    const problems = await rejectionOf(discoverTools({ classes: [Illegal] }));
    expect(problems).toMatchObject([
      { code: 'illegal_option', place: { class: 'Illegal', tool: 's.illegal' } },
    ]);
  });
});

describe('@Scopes on a service', () => {
  it('is the default of its methods, and a method’s own replaces it whole', async () => {
    @Scopes('orders:read')
    class Orders {
      @Tool({ ...base, name: 's.read' })
      read(): void {}

      @Scopes('orders:cancel')
      @Tool({ ...base, name: 's.cancel' })
      cancel(): void {}

      @Scopes()
      @Tool({ ...base, name: 's.ping' })
      ping(): void {}
    }
    expect(await scopesOf(Orders)).toEqual({
      's.read': ['orders:read'],
      's.cancel': ['orders:cancel'],
      's.ping': [],
    });
  });

  it('twice is decorated_twice', async () => {
    @Scopes('a:read')
    @Scopes('b:read')
    class Twice {
      @Tool({ ...base, name: 's.twice' })
      run(): void {}
    }
    const problems = await rejectionOf(discoverTools({ classes: [Twice] }));
    expect(problems).toMatchObject([{ code: 'decorated_twice', place: { class: 'Twice' } }]);
  });

  it('on a method without @Tool is missing_tool, and names the method', async () => {
    class Half {
      @Tool({ ...base, name: 's.whole' })
      whole(): void {}

      @Scopes('a:read')
      forgotten(): void {}
    }
    const problems = await rejectionOf(discoverTools({ classes: [Half] }));
    expect(codesOf(problems)).toEqual(['missing_tool']);
    expect(JSON.stringify(problems)).toContain('forgotten');
  });

  it('on a method without @Tool that a symbol names is missing_tool too', async () => {
    const forgotten = Symbol('forgotten');
    class Half {
      @Tool({ ...base, name: 's.whole' })
      whole(): void {}

      @Scopes('a:read')
      [forgotten](): void {}
    }
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Half] })))).toEqual(['missing_tool']);
  });

  it('on methods alone makes no tool of a class', async () => {
    class Guarded {
      @Scopes('a:read')
      run(): void {}
    }
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Guarded] })))).toEqual(['not_a_tool']);
  });
});

describe('@Scopes and subclasses', () => {
  @Scopes('parent:use')
  class Parent {
    execute(): void {}
  }
  class Between extends Parent {}

  it('is inherited from the nearest ancestor', async () => {
    @Tool({ ...base, name: 's.child' })
    class Child extends Between {}
    expect(await scopesOf(Child)).toEqual({ 's.child': ['parent:use'] });
  });

  it('of a subclass replaces the inherited one whole', async () => {
    @Tool({ ...base, name: 's.own' })
    @Scopes('child:use')
    class Own extends Between {}
    @Tool({ ...base, name: 's.opened' })
    @Scopes()
    class Opened extends Between {}
    expect(await scopesOf(Own, Opened)).toEqual({ 's.own': ['child:use'], 's.opened': [] });
  });

  it('of a subclass does not reach its parent', async () => {
    @Tool({ ...base, name: 's.below' })
    @Scopes('below:use')
    class Below extends Between {}
    @Tool({ ...base, name: 's.beside' })
    class Beside extends Between {}
    expect(await scopesOf(Below, Beside)).toEqual({ 's.below': ['below:use'], 's.beside': ['parent:use'] });
  });

  it('is inherited by a subclass of a service as the default of its methods', async () => {
    class Service extends Between {
      @Tool({ ...base, name: 's.method' })
      run(): void {}
    }
    expect(await scopesOf(Service)).toEqual({ 's.method': ['parent:use'] });
  });
});
