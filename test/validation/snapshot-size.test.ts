/**
 * Arguments too large to be read, and holes and dates in them.
 * Invariant: how many members there are is known before the first is read.
 */

import { IsArray } from 'class-validator';
import { DEFAULT_INPUT_LIMITS, type InputLimits, inputContract } from 'toolcrib';
import { snapshot } from '../../src/validation/snapshot';
import { dtoWith } from '../fixtures/dto-with';
import { violationsIn } from '../fixtures/verdicts';

const LIMITS: InputLimits = { ...DEFAULT_INPUT_LIMITS, maxElements: 10 };

/** A value that counts how often its members, other than its length, are read. */
function counted<T extends object>(target: T): { readonly value: T; readonly reads: () => number } {
  let reads = 0;
  const value = new Proxy(target, {
    get(holder, member, receiver) {
      if (typeof member === 'string' && member !== 'length') reads += 1;
      return Reflect.get(holder, member, receiver);
    },
  });
  return { value, reads: () => reads };
}

function sparse(length: number): unknown[] {
  const list: unknown[] = [];
  list.length = length;
  return list;
}

const TOO_LARGE: readonly (readonly [string, object])[] = [
  ['an array of too many elements', Array.from({ length: 11 }, () => 1)],
  ['a sparse array of a huge length', sparse(20e6)],
  ['a sparse array whose last element is far away', Object.assign(sparse(0), { 20000000: 1 })],
  ['the longest array there is', sparse(2 ** 32 - 1)],
  ['an object of too many keys', Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`k${at}`, 1]))],
];

describe('what is too large', () => {
  it.each(TOO_LARGE)('is refused before its members are read: %s', (_, large) => {
    for (const place of [(value: object) => value, (value: object) => ({ deep: [value] })]) {
      const { value, reads } = counted(large);
      expect(violationsIn(snapshot(place(value), LIMITS))).toMatchObject([{ path: '', rule: 'maxElements' }]);
      expect(reads()).toBe(0);
    }
  });

  it('is refused without a getter being called', () => {
    const getter = jest.fn(() => 1);
    const value = {};
    for (let at = 0; at < 11; at += 1)
      Object.defineProperty(value, `k${at}`, { get: getter, enumerable: true });
    expect(violationsIn(snapshot(value, LIMITS))).toMatchObject([{ rule: 'maxElements' }]);
    expect(getter).not.toHaveBeenCalled();
  });

  it('is refused by a contract and its default bounds', async () => {
    const contract = inputContract(dtoWith(IsArray()));
    const { value, reads } = counted(sparse(20e6));
    expect(violationsIn(await contract.parse({ v: value }))).toMatchObject([{ rule: 'maxElements' }]);
    expect(reads()).toBe(0);
  });

  it('is not what is as large as it may be', () => {
    const { value, reads } = counted(Array.from({ length: 9 }, () => 1));
    expect(snapshot(value, LIMITS)).toEqual({ ok: true, value: Array(9).fill(1) });
    expect(reads()).toBe(9);
  });
});

describe('what is not there', () => {
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  const holed: unknown = [1, , 2];

  it('is refused in an array, where it stands', () => {
    expect(violationsIn(snapshot(holed))).toMatchObject([{ path: '/1', rule: 'isJson' }]);
    expect(violationsIn(snapshot({ a: holed }))).toMatchObject([{ path: '/a/1', rule: 'isJson' }]);
    expect(violationsIn(snapshot({ a: [undefined] }))).toMatchObject([{ path: '/a/0', rule: 'isJson' }]);
    expect(violationsIn(snapshot(sparse(3)))).toMatchObject([{ rule: 'isJson' }]);
  });
});

describe('a Date', () => {
  it('is refused, also one that is none and one of a subclass', () => {
    class Day extends Date {}
    for (const date of [new Date(0), new Date(Number.NaN), new Day(0)]) {
      expect(violationsIn(snapshot({ at: [date] }))).toMatchObject([{ path: '/at/0', rule: 'isJson' }]);
    }
  });
});
