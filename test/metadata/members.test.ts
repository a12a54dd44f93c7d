/**
 * Reading members of objects of unknown type.
 * Invariant: what is read is what the object itself would give.
 */
import { memberOf } from '../../src/metadata/members';

class Base {
  inherited(): string {
    return 'inherited';
  }
  get computed(): string {
    return 'computed';
  }
}
const symbol = Symbol('own');
const holder = Object.assign(new Base(), { own: 1, [symbol]: 2 });

describe('memberOf', () => {
  it('reads own, inherited and computed members, by text and by symbol', () => {
    expect(memberOf(holder, 'own')).toBe(1);
    expect(memberOf(holder, symbol)).toBe(2);
    expect(memberOf(holder, 'inherited')).toBe(Base.prototype.inherited);
    expect(memberOf(holder, 'computed')).toBe('computed');
  });

  it('reads undefined where there is none', () => {
    expect(memberOf(holder, 'absent')).toBeUndefined();
  });

  it('lets a getter that throws throw', () => {
    const hostile = {
      get broken(): string {
        throw new RangeError('broken');
      },
    };
    expect(() => memberOf(hostile, 'broken')).toThrow(RangeError);
  });
});
