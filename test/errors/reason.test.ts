/**
 * The words for whatever was thrown.
 * Invariant: there always are some, and asking for them never throws.
 */
import * as fc from 'fast-check';
import { hasCode, reasonOf } from '../../src/errors/reason';
import { forAll } from '../fixtures/for-all';

describe('reasonOf', () => {
  it('is the message of an error and the text of anything else', () => {
    expect(reasonOf(new RangeError('too far'))).toBe('too far');
    expect(reasonOf('plain words')).toBe('plain words');
    expect(reasonOf(undefined)).toBe('undefined');
    expect(reasonOf(404)).toBe('404');
  });

  it('is a text for every value', () => {
    const everything = fc.anything({ withBigInt: true, withNullPrototype: true });
    forAll(everything, (value) => typeof reasonOf(value) === 'string');
  });

  it.each([[5], [Symbol('m')], [undefined], [{ toString: null }]])(
    'is a text for an error whose message is none: %p',
    (message) => {
      const error = new Error();
      Object.defineProperty(error, 'message', { value: message });
      expect(typeof reasonOf(error)).toBe('string');
    },
  );

  it('is a text for what throws when it is looked at', () => {
    const hostile = Object.defineProperty(new Error(), 'message', {
      get: () => {
        throw new Error('hidden');
      },
    });
    const trap = new Proxy(new Error('inner'), {
      getPrototypeOf: () => {
        throw new Error('trap');
      },
    });
    expect([hostile, trap, Object.create(null)].map((value) => typeof reasonOf(value))).toEqual([
      'string',
      'string',
      'string',
    ]);
  });
});

it('tells an error of any realm by its code', () => {
  expect(hasCode({ code: 'ENOENT' }, 'ENOENT')).toBe(true);
  for (const other of [{ code: 'EACCES' }, {}, 'ENOENT', null, undefined]) {
    expect(hasCode(other, 'ENOENT')).toBe(false);
  }
});
