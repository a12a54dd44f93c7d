/**
 * The keywords that are compiled in another way than Ajv's own.
 * Invariant: they accept what JSON Schema says they accept, and name what they refuse.
 */
import fc from 'fast-check';
import type { JsonSchema } from 'toolcrib';
import { compileSchema } from '../../src/validation/compile';

describe('the length of a text', () => {
  const bounded = [0, 1, 2, 3, 5].map((limit) => ({
    limit,
    least: compileSchema({ type: 'string', minLength: limit }),
    most: compileSchema({ type: 'string', maxLength: limit }),
  }));

  it('is counted in code points', () => {
    const units = fc.constantFrom('a', 'é', '💩', '\ud83d', '\udca9');
    fc.assert(
      fc.property(fc.array(units, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const length = [...text].length;
        for (const { limit, least, most } of bounded) {
          expect(least.accepts(text)).toBe(length >= limit);
          expect(most.accepts(text)).toBe(length <= limit);
          expect(least.errors(text).length + most.errors(text).length).toBe(length === limit ? 0 : 1);
        }
      }),
      { seed: 20260131, numRuns: 500 },
    );
  });
});

describe('a closed object', () => {
  it.each([0, 1, 8, 9, 32, 33, 200])('of %i properties takes no other', (size) => {
    const names = Array.from({ length: size }, (_, at) => `p"${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }] as const));
    const schema: JsonSchema = { type: 'object', properties, additionalProperties: false };
    const compiled = compileSchema(schema);
    const whole = Object.fromEntries(names.map((name, at) => [name, at] as const));
    expect(compiled.accepts(whole)).toBe(true);
    expect(compiled.accepts({})).toBe(true);
    for (const other of ['more', 'p"', 'toString', 'undefined', '__proto__', `p"${size}`]) {
      const raw = JSON.parse(
        JSON.stringify({ ...whole, other: 1 }).replace('"other"', JSON.stringify(other)),
      );
      expect(compiled.accepts(raw)).toBe(false);
      expect(compiled.errors(raw)).toMatchObject([
        { keyword: 'additionalProperties', params: { additionalProperty: other } },
      ]);
    }
  });

  it('admits what its patterns admit', () => {
    const schema: JsonSchema = {
      type: 'object',
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    };
    const compiled = compileSchema(schema, 'imported');
    expect([{ 'x-a': 'a' }, { 'x-a': 1 }, { a: 'a' }].map((raw) => compiled.accepts(raw))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('counts towards what is left over', () => {
    const schema: JsonSchema = {
      allOf: [{ properties: { a: true }, additionalProperties: false }],
      unevaluatedProperties: false,
    };
    const compiled = compileSchema(schema, 'imported');
    expect([{ a: 1 }, {}, { b: 1 }].map((raw) => compiled.accepts(raw))).toEqual([true, true, false]);
  });
});
