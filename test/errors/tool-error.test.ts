/**
 * The error that authors throw.
 * Invariant: one that could be made has a snake_case code of its author's, whoever made it and from which copy.
 */
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { isDeclarationError, isToolError, ToolError } from 'toolcrib';
import { forAll } from '../fixtures/for-all';
import { makeUntyped } from '../fixtures/untyped-declarations';

const options = { code: 'order_not_found', message: 'No such order.', retryable: false };
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const tail = fc.stringMatching(/^[a-z0-9]{1,8}$/);

function construct(given: unknown): unknown {
  return makeUntyped((...args) => Reflect.construct(ToolError, args), given);
}

describe('ToolError', () => {
  it('carries what its author said', () => {
    const cause = new Error('downstream');
    const error = new ToolError({ ...options, retryable: true, detail: { id: 1 }, retryAfterMs: 500, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ToolError',
      code: 'order_not_found',
      message: 'No such order.',
      retryable: true,
      detail: { id: 1 },
      retryAfterMs: 500,
    });
    expect(error.cause).toBe(cause);
  });

  it('has no detail, no delay and no cause unless they were given', () => {
    const error = new ToolError(options);
    expect([error.detail, error.retryAfterMs]).toEqual([undefined, undefined]);
    expect('cause' in error).toBe(false);
  });

  it('takes every snake_case code of at most 64 characters that is not the framework’s', () => {
    const parts = fc.tuple(word, fc.array(tail, { maxLength: 5 }));
    forAll(parts, ([head, rest]) => {
      const code = ['x', head, ...rest].join('_');
      expect(new ToolError({ ...options, code }).code).toBe(code);
    });
  });

  it.each([
    ['empty', ''],
    ['camel case', 'orderNotFound'],
    ['upper case', 'ORDER_NOT_FOUND'],
    ['a hyphen', 'order-not-found'],
    ['a dot', 'order.not_found'],
    ['a digit first', '4_oh_four'],
    ['an underscore first', '_order'],
    ['an underscore last', 'order_'],
    ['two underscores', 'order__gone'],
    ['a line break', 'order_gone\n'],
    ['other letters', 'größe_falsch'],
    ['65 characters', 'a'.repeat(65)],
  ])('refuses a code with %s', (_what, code) => {
    expect(() => new ToolError({ ...options, code })).toThrow(TypeError);
  });

  it('takes a code of exactly 64 characters', () => {
    expect(new ToolError({ ...options, code: 'a'.repeat(64) }).code).toHaveLength(64);
  });

  it.each([[undefined], [null], [true], [42], [10n], [Symbol('s')], [{}], [['order_not_found']]])(
    'refuses a code that is no text, whatever JavaScript makes of it: %p',
    (code) => {
      expect(() => construct({ ...options, code })).toThrow(TypeError);
    },
  );

  it.each([[undefined], [1], ['yes'], [{}]])('is not retryable for anything but true: %p', (retryable) => {
    expect(construct({ ...options, retryable })).toMatchObject({ retryable: false });
  });
});

describe('isToolError', () => {
  it('recognises one, and one of a subclass', () => {
    class OrderError extends ToolError {}
    expect(isToolError(new ToolError(options))).toBe(true);
    expect(isToolError(new OrderError(options))).toBe(true);
  });

  it('recognises one that another copy of the package made, where instanceof does not', () => {
    let foreign: unknown;
    jest.isolateModules(() => {
      const copy: typeof import('toolcrib') = require('toolcrib');
      foreign = new copy.ToolError(options);
    });
    expect(foreign).not.toBeInstanceOf(ToolError);
    expect(isToolError(foreign)).toBe(true);
    expect(isDeclarationError(foreign)).toBe(false);
  });

  it('recognises one of another realm, whose Error is not ours', () => {
    const foreign: unknown = runInNewContext(
      `Object.defineProperty(new Error('m'), Symbol.for('toolcrib.ToolError'), { value: true })`,
    );
    expect(foreign).not.toBeInstanceOf(Error);
    expect(isToolError(foreign)).toBe(true);
  });

  it('recognises nothing that merely looks like one', () => {
    const lookalike = Object.assign(new Error('m'), { ...options, name: 'ToolError' });
    expect(isToolError(lookalike)).toBe(false);
    expect(isToolError(options)).toBe(false);
    forAll(fc.anything(), (value) => !isToolError(value));
  });

  it('keeps the brand out of what is enumerated and serialized', () => {
    const error = new ToolError(options);
    expect(Reflect.ownKeys({ ...error })).not.toContain(Symbol.for('toolcrib.ToolError'));
  });
});
