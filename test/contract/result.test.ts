/**
 * The two forms of an answer.
 * Invariant: the wire form says the same as the result that it was made of, and nothing more.
 */
import * as fc from 'fast-check';
import { type JsonValue, type ToolErrorBody, toWire } from 'toolcrib';
import { forAll } from '../fixtures/for-all';

function parseJson(text: string): JsonValue {
  return JSON.parse(text);
}

describe('toWire', () => {
  it('keeps every output as it is', () => {
    forAll(fc.json().map(parseJson), (result) => {
      expect(toWire({ success: true, result })).toEqual({ isError: false, result });
    });
  });

  it('keeps an error whole', () => {
    const error: ToolErrorBody = {
      code: 'carrier_unavailable',
      message: 'Try again.',
      retryable: true,
      detail: { carrier: 'x' },
      retryAfterMs: 10,
    };
    const wire = toWire({ success: false, error });
    expect(wire).toEqual({ isError: true, error });
    expect(Object.keys(wire)).toEqual(['isError', 'error']);
  });
});
