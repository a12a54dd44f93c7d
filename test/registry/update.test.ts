/**
 * Changing a registry that runs.
 * Invariant: all of a change or nothing of it, with one event for a change and none for nothing.
 */
import * as fc from 'fast-check';
import { type RegistryDraft, ToolRegistry } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { forAll } from '../fixtures/for-all';
import { makeSpec } from '../fixtures/hand-made-spec';
import { keysOf, makeSealed } from '../fixtures/sealed-registry';

describe('a change', () => {
  it('registers and removes in a sealed registry, with one event', () => {
    const { registry, events } = makeSealed('a', 'b');
    registry.update((draft) => {
      draft.register(makeSpec('c'));
      draft.remove('a@1.0.0');
      draft.register(makeSpec('d'));
    });
    expect(keysOf(registry)).toEqual(['b@1.0.0', 'c@1.0.0', 'd@1.0.0']);
    expect(events).toEqual([{ added: ['c@1.0.0', 'd@1.0.0'], removed: ['a@1.0.0'] }]);
  });

  it('leaves the registry sealed', () => {
    const { registry } = makeSealed('a');
    registry.update((draft) => draft.register(makeSpec('b')));
    expect(codesOf(problemsOf(() => registry.register(makeSpec('c'))))).toEqual(['registry_sealed']);
  });

  it('works before the registry is sealed too', () => {
    const registry = new ToolRegistry();
    registry.update((draft) => draft.register(makeSpec('a')));
    registry.register(makeSpec('b'));
    expect(keysOf(registry)).toEqual(['a@1.0.0', 'b@1.0.0']);
  });

  it('is not seen before it is whole', () => {
    const { registry } = makeSealed('a');
    const seen: (readonly string[])[] = [];
    registry.update((draft) => {
      draft.remove('a@1.0.0');
      seen.push(keysOf(registry));
      draft.register(makeSpec('b'));
      seen.push(registry.catalog().map(({ name }) => name));
    });
    expect(seen).toEqual([['a@1.0.0'], ['a']]);
  });

  it('replaces a spec under its key, which is an event of both kinds', () => {
    const { registry, events } = makeSealed('a');
    const newer = makeSpec('a', '1.0.0', { description: 'Newer' });
    registry.update((draft) => {
      draft.remove('a@1.0.0');
      draft.register(newer);
    });
    expect(registry.get('a@1.0.0')).toBe(newer);
    expect(events).toEqual([{ added: ['a@1.0.0'], removed: ['a@1.0.0'] }]);
  });

  it('within a change takes part or is refused, and is never lost', () => {
    const { registry, events } = makeSealed('a');
    let isRefused = false;
    registry.update((draft) => {
      try {
        registry.update((inner) => inner.register(makeSpec('b')));
      } catch {
        isRefused = true;
      }
      draft.register(makeSpec('c'));
    });
    const added = isRefused ? ['c@1.0.0'] : ['b@1.0.0', 'c@1.0.0'];
    expect(keysOf(registry)).toEqual(['a@1.0.0', ...added]);
    expect(events.flatMap((event) => event.added).sort()).toEqual(added);
  });

  it('of nothing is no event', () => {
    const { registry, events } = makeSealed('a');
    registry.update(() => undefined);
    registry.update((draft) => {
      const spec = registry.get('a@1.0.0');
      draft.remove('a@1.0.0');
      if (spec !== undefined) draft.register(spec);
    });
    registry.update((draft) => {
      draft.register(makeSpec('b'));
      draft.remove('b@1.0.0');
    });
    expect(events).toEqual([]);
    expect(keysOf(registry)).toEqual(['a@1.0.0']);
  });
});

describe('a change that is refused', () => {
  it.each<[string, string, (draft: RegistryDraft) => void]>([
    ['a key twice', 'duplicate_key', (draft) => draft.register(makeSpec('a'))],
    ['a collision', 'model_name_collision', (draft) => draft.register(makeSpec('A'))],
    ['an illegal name', 'illegal_name', (draft) => draft.register(makeSpec('x y'))],
    ['an illegal version', 'illegal_version', (draft) => draft.register(makeSpec('x', '1'))],
    ['a key that is not there', 'unknown_tool', (draft) => draft.remove('x@1.0.0')],
    ['a name in place of a key', 'unknown_tool', (draft) => draft.remove('a')],
    ['a range in place of a key', 'unknown_tool', (draft) => draft.remove('a@^1')],
  ])('by %s has changed nothing, and is no event', (_what, code, change) => {
    const { registry, events } = makeSealed('a', 'b');
    const problems = problemsOf(() =>
      registry.update((draft) => {
        draft.register(makeSpec('c'));
        draft.remove('b@1.0.0');
        change(draft);
        draft.register(makeSpec('d'));
      }),
    );
    expect(codesOf(problems)).toEqual([code]);
    expect(keysOf(registry)).toEqual(['a@1.0.0', 'b@1.0.0']);
    expect(events).toEqual([]);
  });

  it('is checked against the taxonomy as at the start', () => {
    const registry = new ToolRegistry({ scopes: ['a:read'] });
    const change = (draft: RegistryDraft) => draft.register(makeSpec('b', '1.0.0', { scopes: ['b:read'] }));
    expect(codesOf(problemsOf(() => registry.update(change)))).toEqual(['unknown_scope']);
  });

  it('says everything that is wrong at once', () => {
    const { registry } = makeSealed('a');
    const problems = problemsOf(() =>
      registry.update((draft) => {
        draft.remove('x@1.0.0');
        draft.register(makeSpec('a'));
        draft.register(makeSpec('y z'));
      }),
    );
    expect(codesOf(problems)).toEqual(['duplicate_key', 'illegal_name', 'unknown_tool']);
  });

  it('by throwing has changed nothing, and what was thrown comes out', () => {
    const { registry, events } = makeSealed('a');
    const broken = new RangeError('broken');
    const change = (draft: RegistryDraft): void => {
      draft.remove('a@1.0.0');
      throw broken;
    };
    expect(() => registry.update(change)).toThrow(broken);
    expect(keysOf(registry)).toEqual(['a@1.0.0']);
    expect(events).toEqual([]);
  });

  it('can be followed by one that is not', () => {
    const { registry, events } = makeSealed('a');
    problemsOf(() => registry.update((draft) => draft.remove('x@1.0.0')));
    registry.update((draft) => draft.register(makeSpec('b')));
    expect(events).toEqual([{ added: ['b@1.0.0'], removed: [] }]);
  });
});

describe('a draft', () => {
  it('that is kept changes nothing after its update', () => {
    const { registry, events } = makeSealed('a');
    const kept: RegistryDraft[] = [];
    registry.update((draft) => {
      kept.push(draft);
    });
    for (const draft of kept) {
      for (const late of [() => draft.register(makeSpec('late')), () => draft.remove('a@1.0.0')]) {
        try {
          late();
        } catch {
          // Refusing is as good as ignoring, so long as nothing changes.
        }
      }
    }
    expect(kept).toHaveLength(1);
    expect(keysOf(registry)).toEqual(['a@1.0.0']);
    expect(events).toEqual([]);
  });
});

describe('onChange', () => {
  it('tells every listener, in the order in which they came', () => {
    const { registry } = makeSealed();
    const told: string[] = [];
    registry.onChange(() => told.push('first'));
    registry.onChange(() => told.push('second'));
    registry.update((draft) => draft.register(makeSpec('a')));
    expect(told).toEqual(['first', 'second']);
  });

  it('tells a listener when the change can be read', () => {
    const { registry } = makeSealed();
    const seen: (readonly string[])[] = [];
    registry.onChange(() => seen.push(keysOf(registry)));
    registry.update((draft) => draft.register(makeSpec('a')));
    expect(seen).toEqual([['a@1.0.0']]);
  });

  it('gives what ends it, for that listener alone, and more than once', () => {
    const { registry, events } = makeSealed();
    const listener = jest.fn();
    const off = registry.onChange(listener);
    off();
    off();
    registry.update((draft) => draft.register(makeSpec('a')));
    expect(listener).not.toHaveBeenCalled();
    expect(events).toHaveLength(1);
  });

  it('is not told of what is registered before the seal', () => {
    const registry = new ToolRegistry();
    const listener = jest.fn();
    registry.onChange(listener);
    registry.register(makeSpec('a'));
    expect(listener).not.toHaveBeenCalled();
  });

  it('of a listener that throws neither undoes the change nor keeps it from the others', () => {
    const registry = new ToolRegistry();
    const told = jest.fn();
    registry.onChange(() => {
      throw new Error('listener');
    });
    registry.onChange(told);
    let failed = false;
    try {
      registry.update((draft) => draft.register(makeSpec('a')));
    } catch {
      failed = true;
    }
    // An update that throws has changed nothing, so one that changed something must not throw.
    expect(keysOf(registry)).toEqual(failed ? [] : ['a@1.0.0']);
    expect(told).toHaveBeenCalledTimes(failed ? 0 : 1);
  });
});

describe('any series of changes', () => {
  const key = fc.tuple(fc.constantFrom('a', 'A', 'a.b', 'a_b', 'c'), fc.constantFrom('1.0.0', '2.0.0'));
  const step = fc.record({ kind: fc.constantFrom('register', 'remove'), key });
  const series = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

  it('leaves what the events say: the accepted changes and nothing of the refused ones', () => {
    forAll(series, (changes) => {
      const { registry, events } = makeSealed();
      const known = new Set<string>();
      for (const steps of changes) {
        const before = registry.list();
        const told = events.length;
        try {
          registry.update((draft) => {
            for (const { kind, key: parts } of steps) {
              if (kind === 'register') draft.register(makeSpec(...parts));
              else draft.remove(parts.join('@'));
            }
          });
        } catch {
          expect(registry.list()).toEqual(before);
          expect(events).toHaveLength(told);
        }
      }
      for (const { added, removed } of events) {
        for (const one of removed) known.delete(one);
        for (const one of added) known.add(one);
      }
      expect(new Set(keysOf(registry))).toEqual(known);
      const names = registry.list().map(({ name, modelName }) => [modelName.toLowerCase(), name]);
      expect(new Map(names.map(([model = '', name = '']) => [model, name])).size).toBe(
        new Set(names.map(([, name]) => name)).size,
      );
    });
  });
});
