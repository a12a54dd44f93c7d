/**
 * `@Owner` on classes.
 * Invariant: it is a default; what `@Tool` says about the owner wins.
 */
import { type Class, discoverTools, Owner, Tool, type ToolSpec } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { applyUntyped, makeUntyped } from '../fixtures/untyped-declarations';

const base = { version: '1.0.0', description: 'd' };

async function ownersOf(...classes: readonly Class[]): Promise<Record<string, unknown>> {
  const specs: readonly ToolSpec[] = await discoverTools({ classes });
  return Object.fromEntries(specs.map(({ name, owner }) => [name, owner]));
}

describe('@Owner', () => {
  it('is the default of a service’s methods', async () => {
    @Owner('ServiceTeam')
    class Service {
      @Tool({ ...base, name: 'o.default' })
      byDefault(): void {}

      @Tool({ ...base, name: 'o.own', owner: 'MethodTeam' })
      own(): void {}
    }
    expect(await ownersOf(Service)).toEqual({ 'o.default': 'ServiceTeam', 'o.own': 'MethodTeam' });
  });

  it('left out leaves a tool without an owner', async () => {
    class Service {
      @Tool({ ...base, name: 'o.none' })
      run(): void {}
    }
    expect(await ownersOf(Service)).toEqual({ 'o.none': undefined });
  });

  it('is not inherited', async () => {
    @Owner('ParentTeam')
    class Parent {
      execute(): void {}
    }
    @Tool({ ...base, name: 'o.child' })
    class Child extends Parent {}
    expect(await ownersOf(Child)).toEqual({ 'o.child': undefined });
  });

  it('twice is decorated_twice', async () => {
    @Owner('One')
    @Owner('Two')
    class Service {
      @Tool({ ...base, name: 'o.twice' })
      run(): void {}
    }
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Service] })))).toEqual(['decorated_twice']);
  });

  it.each([[''], [5], [null], [['Team']], [{}]])(
    'with what is no text is an illegal_option: %p',
    async (owner) => {
      class Service {
        @Tool({ ...base, name: 'o.illegal' })
        run(): void {}
      }
      applyUntyped(makeUntyped(Owner, owner), Service);
      expect(codesOf(await rejectionOf(discoverTools({ classes: [Service] })))).toEqual(['illegal_option']);
    },
  );
});
