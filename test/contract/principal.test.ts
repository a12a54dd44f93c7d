/**
 * Who may call what.
 * Invariant: whoever is not known to hold every required scope is denied.
 */
import * as fc from 'fast-check';
import type { Principal, ScopeCover } from 'toolcrib';
import { decideScopes, sameScope } from '../../src/contract/principal';
import { forAll } from '../fixtures/for-all';
import { makeUntyped } from '../fixtures/untyped-declarations';

const reader: Principal = { id: 'ann', scopes: ['orders:read', 'orders:list'] };
const scope = fc.constantFrom('a', 'b', 'c', 'd', 'e');

describe('decideScopes', () => {
  it('allows who holds all required scopes', () => {
    expect(decideScopes(['orders:read'], reader, sameScope)).toEqual({ allowed: true, missing: [] });
  });

  it('names every scope that is missing, in the order of the declaration', () => {
    const decision = decideScopes(['refund', 'orders:read', 'cancel'], reader, sameScope);
    expect(decision).toEqual({ allowed: false, missing: ['refund', 'cancel'] });
  });

  it('allows anyone, known or not, where the declaration asks for nothing', () => {
    expect(decideScopes([], reader, sameScope).allowed).toBe(true);
    expect(decideScopes([], undefined, sameScope).allowed).toBe(true);
  });

  it('allows nobody where nothing was decided, and has no scope to name', () => {
    const all: ScopeCover = () => true;
    expect(decideScopes(undefined, reader, all)).toEqual({ allowed: false, missing: [] });
    expect(decideScopes(undefined, undefined, all)).toEqual({ allowed: false, missing: [] });
  });

  it('gives nobody without a principal any scope, even where every scope covers every other', () => {
    expect(decideScopes(['a'], undefined, () => true)).toEqual({ allowed: false, missing: ['a'] });
  });

  it('by default wants exactly the required scopes, for all sets of them', () => {
    forAll(fc.tuple(fc.uniqueArray(scope), fc.array(scope)), ([required, held]) => {
      const missing = required.filter((one) => !held.includes(one));
      const decision = decideScopes(required, { id: 'x', scopes: held }, sameScope);
      expect(decision).toEqual({ allowed: missing.length === 0, missing });
    });
  });

  it.each([
    ['null', null],
    ['a text', 'orders:read'],
    ['no scopes', { id: 'x' }],
    ['scopes as one text', { id: 'x', scopes: 'orders:read' }],
    ['scopes as a set', { id: 'x', scopes: new Set(['orders:read']) }],
    ['scopes in an object', { id: 'x', scopes: { 0: 'orders:read', length: 1 } }],
    ['scopes that are no texts', { id: 'x', scopes: [['orders:read'], new String('orders:read'), null] }],
    ['scopes in another spelling', { id: 'x', scopes: ['Orders:Read', ' orders:read'] }],
  ])('denies a principal that is %s', (_what, principal) => {
    const decision = makeUntyped(decideScopes, ['orders:read'], principal, sameScope);
    expect(decision).toEqual({ allowed: false, missing: ['orders:read'] });
  });

  it('denies a principal whose scopes cannot be read', () => {
    const hostile = Object.defineProperty({ id: 'x' }, 'scopes', {
      get: () => {
        throw new Error('no session');
      },
    });
    const decision = makeUntyped(decideScopes, ['orders:read'], hostile, sameScope);
    expect(decision).toEqual({ allowed: false, missing: ['orders:read'] });
  });
});

describe('a cover of the application', () => {
  const hierarchy: ScopeCover = (held, required) => held === required || required.startsWith(`${held}:`);

  it('lets a wider scope stand for a narrower one and not the reverse', () => {
    const wide: Principal = { id: 'ann', scopes: ['orders'] };
    const narrow: Principal = { id: 'bob', scopes: ['orders:read'] };
    expect(decideScopes(['orders:read', 'orders:read:own'], wide, hierarchy).allowed).toBe(true);
    expect(decideScopes(['orders'], narrow, hierarchy)).toEqual({ allowed: false, missing: ['orders'] });
    expect(decideScopes(['ordersx:read'], wide, hierarchy).allowed).toBe(false);
  });

  it('is asked with the held scope first', () => {
    const covers = jest.fn(() => false);
    decideScopes(['required'], { id: 'x', scopes: ['held'] }, covers);
    expect(covers.mock.calls).toEqual([['held', 'required']]);
  });

  it('denies where it throws, and goes on to the next scope held', () => {
    const covers: ScopeCover = (held) => {
      if (held === 'bad') throw new Error('no such scope');
      return true;
    };
    expect(decideScopes(['a'], { id: 'x', scopes: ['bad'] }, covers).allowed).toBe(false);
    expect(decideScopes(['a'], { id: 'x', scopes: ['bad', 'good'] }, covers).allowed).toBe(true);
  });

  it.each([[1], ['yes'], [{}], [Promise.resolve(true)], [undefined]])(
    'denies where it answers anything but true: %p',
    (answer) => {
      const decision = makeUntyped(decideScopes, ['a'], { id: 'x', scopes: ['a'] }, () => answer);
      expect(decision).toEqual({ allowed: false, missing: ['a'] });
    },
  );

  it('is never asked about what is no text', () => {
    const covers = jest.fn(() => true);
    const decision = makeUntyped(decideScopes, ['a'], { id: 'x', scopes: [null, 1, {}] }, covers);
    expect(decision).toEqual({ allowed: false, missing: ['a'] });
    expect(covers).not.toHaveBeenCalled();
  });
});
