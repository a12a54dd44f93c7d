/**
 * `@SideEffect` on classes, methods and subclasses.
 * Invariant: whoever says nothing is taken for destructive, also below a parent that said something.
 */
import { type Class, discoverTools, SideEffect, Tool, type ToolSpec } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { applyUntyped, makeUntyped } from '../fixtures/untyped-declarations';

const base = { version: '1.0.0', description: 'd' };
const UNDECLARED = { kind: 'destructive', idempotent: false, openWorld: true, declared: false };

async function effectsOf(...classes: readonly Class[]): Promise<Record<string, unknown>> {
  const specs: readonly ToolSpec[] = await discoverTools({ classes });
  return Object.fromEntries(specs.map(({ name, sideEffect }) => [name, sideEffect]));
}

function makeTool(): Class {
  @Tool({ ...base, name: 'e.tool' })
  class Effect {
    execute(): void {}
  }
  return Effect;
}

describe('@SideEffect', () => {
  it.each(['none', 'write', 'destructive'] as const)('says %s, and no more unless asked', async (kind) => {
    const cls = makeTool();
    SideEffect(kind)(cls);
    expect(await effectsOf(cls)).toEqual({
      'e.tool': { kind, idempotent: false, openWorld: false, declared: true },
    });
  });

  it('carries its finer points', async () => {
    const cls = makeTool();
    SideEffect('write', { idempotent: true, openWorld: true })(cls);
    expect(await effectsOf(cls)).toEqual({
      'e.tool': { kind: 'write', idempotent: true, openWorld: true, declared: true },
    });
  });

  it('left out is destructive', async () => {
    expect(await effectsOf(makeTool())).toEqual({ 'e.tool': UNDECLARED });
  });

  it('does not change the caller’s options, and takes frozen ones', async () => {
    const options = { idempotent: true };
    const cls = makeTool();
    const decorate = SideEffect('write', options);
    options.idempotent = false;
    decorate(cls);
    expect(await effectsOf(cls)).toMatchObject({ 'e.tool': { idempotent: true } });
    const other = makeTool();
    SideEffect('write', Object.freeze({ openWorld: true }))(other);
    expect(await effectsOf(other)).toMatchObject({ 'e.tool': { openWorld: true } });
  });

  it('twice is decorated_twice', async () => {
    const cls = makeTool();
    SideEffect('none')(cls);
    SideEffect('destructive')(cls);
    expect(codesOf(await rejectionOf(discoverTools({ classes: [cls] })))).toEqual(['decorated_twice']);
  });

  it.each([
    ['no kind', []],
    ['an unknown kind', ['read']],
    ['a kind in capitals', ['NONE']],
    ['a member of Object.prototype', ['constructor']],
    ['a list of one kind', [['none']]],
    ['a text for idempotent', ['write', { idempotent: 'yes' }]],
    ['a number for openWorld', ['write', { openWorld: 1 }]],
    ['null for idempotent', ['write', { idempotent: null }]],
    ['an option that does not exist', ['write', { idempotnt: true }]],
  ])('with %s is an illegal_option', async (_what, args) => {
    const cls = makeTool();
    applyUntyped(makeUntyped(SideEffect, ...args), cls);
    const problems = await rejectionOf(discoverTools({ classes: [cls] }));
    expect(problems).toMatchObject([{ code: 'illegal_option', place: { class: 'Effect', tool: 'e.tool' } }]);
  });
});

describe('@SideEffect on a service', () => {
  it('is the default of its methods, and a method’s own replaces it whole', async () => {
    @SideEffect('write', { idempotent: true, openWorld: true })
    class Service {
      @Tool({ ...base, name: 'e.default' })
      byDefault(): void {}

      @SideEffect('none')
      @Tool({ ...base, name: 'e.own' })
      own(): void {}
    }
    expect(await effectsOf(Service)).toEqual({
      'e.default': { kind: 'write', idempotent: true, openWorld: true, declared: true },
      'e.own': { kind: 'none', idempotent: false, openWorld: false, declared: true },
    });
  });

  it('on a method without @Tool is missing_tool', async () => {
    class Half {
      @Tool({ ...base, name: 'e.whole' })
      whole(): void {}

      @SideEffect('none')
      forgotten(): void {}
    }
    expect(codesOf(await rejectionOf(discoverTools({ classes: [Half] })))).toEqual(['missing_tool']);
  });
});

describe('@SideEffect and subclasses', () => {
  @SideEffect('none')
  class Parent {
    execute(): void {}
  }

  it('is not inherited by a class tool', async () => {
    @Tool({ ...base, name: 'e.child' })
    class Child extends Parent {}
    expect(await effectsOf(Child)).toEqual({ 'e.child': UNDECLARED });
  });

  it('is not inherited by a service, nor by a method that overrides one', async () => {
    class Service extends Parent {
      @SideEffect('none')
      @Tool({ ...base, name: 'e.run' })
      run(): void {}
    }
    class Below extends Service {
      @Tool({ ...base, name: 'e.rerun' })
      override run(): void {}
    }
    expect(await effectsOf(Service, Below)).toMatchObject({
      'e.run': { kind: 'none' },
      'e.rerun': UNDECLARED,
    });
  });
});
