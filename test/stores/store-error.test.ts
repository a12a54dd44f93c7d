/**
 * Drivers, which are optional peers.
 * Invariant: only a missing one is told as missing.
 */
import { loadDriver } from '../../src/stores/store-error';

describe('a driver', () => {
  it('is told as missing', () => {
    const name = 'toolcrib-no-such-driver';
    const load = () => require(name);
    expect(() => loadDriver('pg', load)).toThrow(expect.objectContaining({ code: 'missing_driver' }));
  });

  it('fails as it fails', () => {
    const failing = () => {
      throw new RangeError('broken');
    };
    expect(() => loadDriver('pg', failing)).toThrow(RangeError);
    expect(loadDriver('pg', () => 'loaded')).toBe('loaded');
  });
});
