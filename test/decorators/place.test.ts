/**
 * Where the decorators may sit.
 * Invariant: anywhere but on a class or a method, and under standard decorators, each throws a TypeError.
 */
import { Owner, Scopes, SideEffect, Tool } from 'toolcrib';
import { applyUntyped } from '../fixtures/untyped-declarations';

const DECORATORS: readonly [string, () => unknown][] = [
  ['@Tool', () => Tool({ name: 'a.b', version: '1.0.0', description: 'd' })],
  ['@Scopes', () => Scopes('a:read')],
  ['@SideEffect', () => SideEffect('none')],
  ['@Owner', () => Owner('Crib')],
];

class Target {
  static create(): Target {
    return new Target();
  }
  run(): string {
    return 'run';
  }
  get computed(): string {
    return 'computed';
  }
}
const accessor = Object.getOwnPropertyDescriptor(Target.prototype, 'computed');
const method = Object.getOwnPropertyDescriptor(Target.prototype, 'run');

describe.each(DECORATORS)('%s', (_name, make) => {
  it.each([
    ['a class', [Target, { kind: 'class', name: 'Target', metadata: {}, addInitializer: () => undefined }]],
    ['a method', [Target.prototype.run, { kind: 'method', name: 'run', static: false, private: false }]],
    ['a field', [undefined, { kind: 'field', name: 'x', static: false, private: false }]],
    ['a getter', [() => 'computed', { kind: 'getter', name: 'computed', static: false, private: false }]],
  ])('refuses a standard decorator’s arguments for %s', (_place, args) => {
    expect(() => applyUntyped(make(), ...args)).toThrow(TypeError);
  });

  it.each([
    ['a property, as tsc calls it', [Target.prototype, 'field', undefined]],
    ['a property, as some compilers call it', [Target.prototype, 'field']],
    ['an accessor', [Target.prototype, 'computed', accessor]],
    ['a parameter of a method', [Target.prototype, 'run', 0]],
    ['a parameter of the constructor', [Target, undefined, 0]],
    ['a plain object', [{}]],
    ['nothing', []],
    ['null', [null, 'run', method]],
    ['a number for a method’s name', [Target.prototype, 5, method]],
  ])('refuses %s', (_place, args) => {
    expect(() => applyUntyped(make(), ...args)).toThrow(TypeError);
  });

  it('takes a class, and gives nothing to put in its place', () => {
    class Fresh {
      execute(): string {
        return 'done';
      }
    }
    const decorate = make();
    const answer: unknown = typeof decorate === 'function' ? decorate(Fresh) : 'no function';
    expect(answer).toBeUndefined();
    expect(new Fresh().execute()).toBe('done');
  });

  it('takes a method, of a text or a symbol, and leaves its descriptor alone', () => {
    const symbol = Symbol('run');
    class Fresh {
      run(): string {
        return 'done';
      }
      [symbol](): string {
        return 'done';
      }
    }
    for (const member of ['run', symbol]) {
      const descriptor = Object.getOwnPropertyDescriptor(Fresh.prototype, member);
      applyUntyped(make(), Fresh.prototype, member, descriptor);
      expect(Object.getOwnPropertyDescriptor(Fresh.prototype, member)).toEqual(descriptor);
    }
  });
});
