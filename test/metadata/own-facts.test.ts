/**
 * Facts on classes and methods.
 * Invariant: a fact belongs to the very thing that was decorated, is written once, and never changes.
 */
import { Fact, readParameterTypes } from '../../src/metadata/own-facts';

class Base {
  run(): string {
    return 'base';
  }
}
class Derived extends Base {
  override run(): string {
    return 'derived';
  }
}

/** A fact of its own for each test, since facts stay on the classes. */
function makeFact(): Fact<string> {
  return new Fact<string>(`test:${expect.getState().currentTestName}`);
}

describe('Fact', () => {
  it('is read from the class that it was written on', () => {
    const fact = makeFact();
    fact.write({ holder: Base }, 'written');
    expect(fact.read({ holder: Base })).toBe('written');
  });

  it('is not read from a subclass, nor from a superclass', () => {
    const onBase = makeFact();
    onBase.write({ holder: Base }, 'base');
    expect(onBase.read({ holder: Derived })).toBeUndefined();
    const onDerived = new Fact<string>('test:on the subclass');
    onDerived.write({ holder: Derived }, 'derived');
    expect(onDerived.read({ holder: Base })).toBeUndefined();
  });

  it('is not read from an overriding method', () => {
    const fact = makeFact();
    fact.write({ holder: Base.prototype, member: 'run' }, 'base');
    expect(fact.read({ holder: Base.prototype, member: 'run' })).toBe('base');
    expect(fact.read({ holder: Derived.prototype, member: 'run' })).toBeUndefined();
  });

  it('keeps a class, its prototype, its methods and its statics apart', () => {
    const fact = makeFact();
    const symbol = Symbol('run');
    const targets = [
      { holder: Base },
      { holder: Base.prototype },
      { holder: Base.prototype, member: 'run' },
      { holder: Base.prototype, member: symbol },
      { holder: Base, member: 'run' },
    ];
    for (const [index, target] of targets.entries()) fact.write(target, `value ${index}`);
    expect(targets.map((target) => fact.read(target))).toEqual(targets.map((_, index) => `value ${index}`));
    expect(targets.some((target) => fact.isRepeated(target))).toBe(false);
  });

  it('keeps its first value when it is written again, and remembers the repetition there alone', () => {
    const fact = makeFact();
    fact.write({ holder: Base }, 'first');
    fact.write({ holder: Derived }, 'other');
    expect(fact.isRepeated({ holder: Base })).toBe(false);
    fact.write({ holder: Base }, 'second');
    fact.write({ holder: Base }, 'third');
    expect(fact.read({ holder: Base })).toBe('first');
    expect(fact.isRepeated({ holder: Base })).toBe(true);
    expect(fact.isRepeated({ holder: Derived })).toBe(false);
  });

  it('is not repeated where it was never written', () => {
    expect(makeFact().isRepeated({ holder: Base })).toBe(false);
  });

  it('remembers a repetition of undefined too', () => {
    const fact = new Fact<string | undefined>('test:undefined');
    fact.write({ holder: Base }, undefined);
    fact.write({ holder: Base }, 'late');
    expect(fact.read({ holder: Base })).toBeUndefined();
    expect(fact.isRepeated({ holder: Base })).toBe(true);
  });

  it('is stored frozen, under a key that every copy of the package knows', () => {
    const fact = makeFact();
    fact.write({ holder: Base }, 'written');
    const stored: unknown = Reflect.getOwnMetadata(Symbol.for(`toolcrib:${fact.name}`), Base);
    expect(stored).toMatchObject({ value: 'written' });
    expect(Object.isFrozen(stored)).toBe(true);
    expect(new Fact<string>(fact.name).read({ holder: Base })).toBe('written');
  });

  it('leaves no trace on the class itself', () => {
    const before = Reflect.ownKeys(Base);
    makeFact().write({ holder: Base }, 'written');
    expect(Reflect.ownKeys(Base)).toEqual(before);
  });
});

describe('readNearest', () => {
  class Middle extends Derived {}
  class Leaf extends Middle {}

  it('finds the fact of the class itself before those of its ancestors', () => {
    const fact = makeFact();
    fact.write({ holder: Base }, 'base');
    fact.write({ holder: Leaf }, 'leaf');
    expect(fact.readNearest(Leaf)).toBe('leaf');
  });

  it('finds the nearest ancestor that has one', () => {
    const fact = makeFact();
    fact.write({ holder: Base }, 'base');
    fact.write({ holder: Derived }, 'derived');
    expect(fact.readNearest(Leaf)).toBe('derived');
    expect(fact.readNearest(Base)).toBe('base');
  });

  it('finds nothing where no ancestor has one, and not what a subclass has', () => {
    const fact = makeFact();
    fact.write({ holder: Leaf }, 'leaf');
    expect(fact.readNearest(Middle)).toBeUndefined();
  });

  it('writes nothing', () => {
    const fact = makeFact();
    fact.write({ holder: Base }, 'base');
    fact.readNearest(Leaf);
    expect(fact.read({ holder: Leaf })).toBeUndefined();
    expect(fact.isRepeated({ holder: Base })).toBe(false);
  });
});

describe('readParameterTypes', () => {
  class Typed {
    run(_first: string, _second: Date): void {}
    override(): void {}
  }
  class Below extends Typed {
    override run(_first: string): void {}
  }
  Reflect.defineMetadata('design:paramtypes', [String, Date], Typed.prototype, 'run');
  Reflect.defineMetadata('design:paramtypes', 'not a list', Typed.prototype, 'override');

  it('gives what the compiler emitted for this very method', () => {
    expect(readParameterTypes(Typed.prototype, 'run')).toEqual([String, Date]);
  });

  it('gives nothing for a method that overrides it and was not decorated', () => {
    expect(readParameterTypes(Below.prototype, 'run')).toBeUndefined();
  });

  it('gives nothing where there is no list', () => {
    expect(readParameterTypes(Typed.prototype, 'override')).toBeUndefined();
    expect(readParameterTypes(Typed.prototype, 'missing')).toBeUndefined();
  });
});
