/**
 * Text in columns.
 * Invariant: every string comes back, and none holds what Postgres refuses.
 */
import fc from 'fast-check';
import { fromColumn, toColumn } from '../../src/stores/text';

describe('text in a column', () => {
  it('comes back as it was, for every string', () => {
    const strings = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\0', '\ud800', '"', '\\') }),
    );
    fc.assert(
      fc.property(strings, (text) => {
        const column = toColumn(text);
        expect(fromColumn(column)).toBe(text);
        expect(column).not.toContain('\0');
        expect(Buffer.from(column).toString()).toBe(column);
      }),
      { seed: 31 },
    );
  });

  it('is plain where it can be', () => {
    expect(toColumn('call-1 é')).toBe('call-1 é');
  });
});
