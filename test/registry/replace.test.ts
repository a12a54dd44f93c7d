/**
 * Replacing one tool by another in one update, and the specs that a registry holds.
 * Invariant: what counts is the state after the update, whatever the order of its steps; specs stay as judged.
 */
import { type RegistryDraft, ToolRegistry } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { makeSpec } from '../fixtures/hand-made-spec';
import { keysOf, makeSealed } from '../fixtures/sealed-registry';

describe('a tool whose model name another has', () => {
  const register = (draft: RegistryDraft) => draft.register(makeSpec('crm_read'));
  const remove = (draft: RegistryDraft) => draft.remove('crm.read@1.0.0');

  it.each([
    ['removed first', [remove, register]],
    ['registered first', [register, remove]],
  ])('takes its place in one update, %s', (_order, steps) => {
    const { registry, events } = makeSealed('crm.read');
    registry.update((draft) => {
      for (const step of steps) step(draft);
    });
    expect(keysOf(registry)).toEqual(['crm_read@1.0.0']);
    expect(events).toEqual([{ added: ['crm_read@1.0.0'], removed: ['crm.read@1.0.0'] }]);
    expect(registry.resolve('crm_read')?.name).toBe('crm_read');
    expect(registry.resolve('crm.read')).toBeUndefined();
  });

  it('is refused while that one stays', () => {
    const { registry, events } = makeSealed('crm.read');
    expect(codesOf(problemsOf(() => registry.update(register)))).toEqual(['model_name_collision']);
    expect(keysOf(registry)).toEqual(['crm.read@1.0.0']);
    expect(events).toEqual([]);
  });
});

describe('an asynchronous update', () => {
  it.each<[string, (draft: RegistryDraft) => Promise<void>]>([
    [
      'that would go on to fail',
      async (draft) => {
        draft.register(makeSpec('b'));
        await null;
        draft.register(makeSpec('late'));
      },
    ],
    [
      'that fails at once',
      async (draft) => {
        draft.remove('a@1.0.0');
        throw new Error('broken');
      },
    ],
    [
      'that succeeds',
      async (draft) => {
        draft.remove('a@1.0.0');
      },
    ],
  ])('%s is a TypeError, changes nothing and leaves no rejection behind', async (_what, change) => {
    const { registry, events } = makeSealed('a');
    const untyped: (draft: RegistryDraft) => unknown = change;
    expect(() => registry.update(untyped)).toThrow(TypeError);
    // A rejection that nobody hears fails the test by now.
    await new Promise(setImmediate);
    expect(keysOf(registry)).toEqual(['a@1.0.0']);
    expect(events).toEqual([]);
    registry.update((draft) => draft.register(makeSpec('c')));
    expect(keysOf(registry)).toEqual(['a@1.0.0', 'c@1.0.0']);
  });
});

describe('a spec', () => {
  it('is frozen once it is registered, by whatever door', () => {
    const specs = ['a', 'b', 'c'].map((name) => ({ ...makeSpec(name) }));
    const [first, second, third] = specs;
    const registry = new ToolRegistry();
    if (first !== undefined) registry.register(first);
    if (second !== undefined) registry.add(second);
    registry.update((draft) => {
      if (third !== undefined) draft.register(third);
    });
    expect(registry.list()).toEqual(specs);
    expect(registry.list().map((spec) => Object.isFrozen(spec))).toEqual([true, true, true]);
    expect(() => Object.assign(first ?? {}, { scopes: [] })).toThrow(TypeError);
  });
});

describe('a model name', () => {
  const { registry } = makeSealed('crm.read', 'crm.Write_all', 'plain');

  it.each([
    ['crm_read', 'crm.read'],
    ['crm_read@^1', 'crm.read'],
    ['crm_read@1.0.0', 'crm.read'],
    ['crm_Write_all', 'crm.Write_all'],
    ['plain', 'plain'],
  ])('resolves as models give it back: %s', (reference, name) => {
    expect(registry.resolve(reference)?.name).toBe(name);
  });

  it.each(['CRM_read', 'crm_Read', 'CRM_READ@1.0.0', 'crm_write_all', 'Plain', 'crm-read', 'crm_read@^2'])(
    'resolves in no other form: %s',
    (reference) => {
      expect(registry.resolve(reference)).toBeUndefined();
    },
  );

  it('resolves with a range of its own', () => {
    expect(registry.resolve('crm_read', '^1')?.key).toBe('crm.read@1.0.0');
    expect(registry.resolve('crm_read', '^2')).toBeUndefined();
  });
});
