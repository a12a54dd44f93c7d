/**
 * The framework's own codes.
 * Invariant: they are a closed set of snake_case words that no author can use.
 */
import * as fc from 'fast-check';
import { FRAMEWORK_ERROR_CODES, isFrameworkErrorCode, ToolError } from 'toolcrib';
import { forAll } from '../fixtures/for-all';

describe('FRAMEWORK_ERROR_CODES', () => {
  it('is the set that the design names', () => {
    expect([...FRAMEWORK_ERROR_CODES].sort()).toEqual([
      'approval_rejected',
      'approval_required',
      'cancelled',
      'duplicate_call',
      'insufficient_scope',
      'internal_error',
      'invalid_input',
      'invalid_output',
      'outcome_unknown',
      'rate_limited',
      'retry_refused',
      'timeout',
      'unavailable',
      'unknown_tool',
    ]);
  });

  it.each(FRAMEWORK_ERROR_CODES)(
    'recognises %s, in this spelling alone, and keeps it from authors',
    (code) => {
      expect(isFrameworkErrorCode(code)).toBe(true);
      expect(isFrameworkErrorCode(code.toUpperCase())).toBe(false);
      expect(isFrameworkErrorCode(` ${code}`)).toBe(false);
      expect(() => new ToolError({ code, message: 'm', retryable: false })).toThrow(TypeError);
    },
  );

  it('recognises nothing else, members of Object.prototype included', () => {
    const other = fc
      .oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'length', '0'))
      .filter((code) => !FRAMEWORK_ERROR_CODES.some((known) => known === code));
    forAll(other, (code) => !isFrameworkErrorCode(code));
  });
});
