/**
 * The facts that decorators write.
 * Invariant: each has a key of its own, which another copy of the package reads as well.
 */
import { Owner, Scopes, SideEffect, Tool } from 'toolcrib';
import { ALL_FACTS, ownerFact, scopesFact, sideEffectFact, toolFact } from '../../src/metadata/tool-facts';

const options = { name: 'a.b', version: '1.0.0', description: 'd' };

@Owner('Crib')
@Scopes('a:read')
@SideEffect('write', { idempotent: true })
@Tool(options)
class Declared {
  execute(): string {
    return 'done';
  }
}

describe('the facts of a class', () => {
  it('are what its decorators were given, frozen', () => {
    const target = { holder: Declared };
    expect(toolFact.read(target)).toEqual(options);
    expect(scopesFact.read(target)).toEqual(['a:read']);
    expect(sideEffectFact.read(target)).toEqual({ kind: 'write', options: { idempotent: true } });
    expect(ownerFact.read(target)).toBe('Crib');
    expect(ALL_FACTS.every((fact) => Object.isFrozen(fact.read(target)))).toBe(true);
    expect(Object.isFrozen(sideEffectFact.read(target)?.options)).toBe(true);
  });

  it('have distinct names', () => {
    expect(new Set(ALL_FACTS.map((fact) => fact.name)).size).toBe(4);
  });

  it('are read by another copy of the package', async () => {
    let copy: typeof import('toolcrib') | undefined;
    jest.isolateModules(() => {
      copy = require('toolcrib');
    });
    expect(copy?.Tool).not.toBe(Tool);
    const specs = await copy?.discoverTools({ classes: [Declared] });
    expect(specs).toMatchObject([{ key: 'a.b@1.0.0', scopes: ['a:read'], owner: 'Crib' }]);
  });
});
