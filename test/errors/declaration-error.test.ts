/**
 * The error for declarations.
 * Invariant: it lists every problem that it was made with, in their order, and says each in its message.
 */
import {
  DECLARATION_PROBLEM_CODES,
  DeclarationError,
  type DeclarationProblem,
  isDeclarationError,
  isToolError,
} from 'toolcrib';
import { throwProblems } from '../../src/errors/declaration-error';

const first: DeclarationProblem = {
  code: 'illegal_name',
  place: { class: 'Lookup', member: 'run', tool: 'a b', file: '/app/lookup.js' },
  message: 'what is wrong',
  mend: 'what to write',
};
const second: DeclarationProblem = {
  code: 'no_match',
  place: { file: 'tols/*.js' },
  message: 'nothing there',
  mend: 'look again',
};

describe('DeclarationError', () => {
  it('keeps all problems in their order, in a list of its own that cannot be changed', () => {
    const problems = [first, second];
    const error = new DeclarationError(problems);
    problems.pop();
    expect(error.problems).toEqual([first, second]);
    expect(Object.isFrozen(error.problems)).toBe(true);
    expect(error).toMatchObject({ name: 'DeclarationError', code: 'invalid_declaration' });
  });

  it('says of each its place, what is wrong, the mend and the code', () => {
    const { message } = new DeclarationError([first, second]);
    for (const part of ['Lookup', 'run', 'a b', '/app/lookup.js', 'what is wrong', 'what to write']) {
      expect(message).toContain(part);
    }
    for (const part of ['tols/*.js', 'nothing there', 'look again', 'illegal_name', 'no_match']) {
      expect(message).toContain(part);
    }
  });

  it('has codes that are distinct snake_case words', () => {
    expect(new Set(DECLARATION_PROBLEM_CODES).size).toBe(DECLARATION_PROBLEM_CODES.length);
    for (const code of DECLARATION_PROBLEM_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});

describe('isDeclarationError', () => {
  it('recognises one that another copy of the package made, where instanceof does not', () => {
    let foreign: unknown;
    jest.isolateModules(() => {
      const copy: typeof import('toolcrib') = require('toolcrib');
      foreign = new copy.DeclarationError([first]);
    });
    expect(foreign).not.toBeInstanceOf(DeclarationError);
    expect(isDeclarationError(foreign)).toBe(true);
    expect(isToolError(foreign)).toBe(false);
  });

  it.each([
    [undefined],
    [null],
    ['invalid_declaration'],
    [new Error('invalid_declaration')],
    [{ problems: [first], code: 'invalid_declaration' }],
  ])('recognises nothing else: %p', (value) => {
    expect(isDeclarationError(value)).toBe(false);
  });
});

describe('throwProblems', () => {
  it('throws for one problem or more and for none does nothing', () => {
    expect(() => throwProblems([first])).toThrow(DeclarationError);
    expect(() => throwProblems([])).not.toThrow();
  });
});
