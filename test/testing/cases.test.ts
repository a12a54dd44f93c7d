/**
 * The cases that contract tests are given: invalid ones that are not, and contracts that state nothing.
 * Invariant: no contract is silently green.
 */
import { IsInt, IsString, Length, Matches, Max, Min } from 'class-validator';
import { createToolkit } from 'toolcrib';
import { contractTests } from 'toolcrib/testing';
import { brief, toValidCall } from '../../src/testing/cases';
import { CASES, KEY, NAMES, type QuoteInput, quote, run } from '../fixtures/quoted-parcel';
import { failedIn, outcomesOf } from '../fixtures/recorded-suite';
import { makeUntyped } from '../fixtures/untyped-declarations';

describe('an invalid input', () => {
  it.each([
    ['that is taken', { args: { country: 'FRA', weight_g: 1 }, path: '/country' }],
    ['that is refused for another field', { args: { country: 'FRA', weight_g: 0 }, path: '/country' }],
    [
      'that is refused for another rule',
      { args: { country: 'fr', weight_g: 1 }, path: '/country', rule: 'isIn' },
    ],
    ['on which the handler fails', { args: { country: 'ATA', weight_g: 1 }, path: '/country' }],
    ['whose path is no pointer', { args: { country: 'fra', weight_g: 1 }, path: 'country' }],
  ])('%s fails', async (_, invalid) => {
    const outcomes = await run({}, { invalid: [invalid] });
    expect(failedIn(outcomes)).toEqual([expect.stringMatching(/^refuses /)]);
  });

  it('never reaches the handler', async () => {
    let runs = 0;
    const counting = (input: QuoteInput) => {
      runs += 1;
      return quote(input);
    };
    const outcomes = await run({ quote: counting });
    const calls = outcomes.filter(({ name }) => /^(?:runs|fails|is among)/.test(name));
    expect(runs).toBe(calls.length);
  });
});

describe('a contract that states nothing', () => {
  class Bare {
    @IsString()
    @Length(3, 3)
    @Matches(/^[A-Z]{3}$/)
    country!: string;

    @IsInt()
    @Min(1)
    @Max(30_000)
    weight_g!: number;
  }

  it('fails without a valid input and without examples', async () => {
    const outcomes = await run({ input: Bare }, { valid: [] });
    expect(failedIn(outcomes)).toContain(NAMES.examples);
    expect(outcomes.find(({ name }) => name === NAMES.examples)?.failure).toContain('has no valid input');
    expect(failedIn(await run({ input: Bare }))).toEqual([]);
  });

  it('fails without an invalid input', async () => {
    expect(failedIn(await run({}, { invalid: [] }))).toEqual(['has an invalid input']);
  });

  it('fails where there is no such tool, and says which there are', async () => {
    const outcomes = await run({}, {}, 'parcels.qoute');
    expect(failedIn(outcomes)).toEqual(Object.values(NAMES));
    expect(outcomes.map(({ failure }) => failure)).toEqual(
      outcomes.map(() =>
        expect.stringContaining('there is no tool parcels.qoute; the toolkit has parcels.quote@1.0.0'),
      ),
    );
  });

  it('fails where the toolkit does not open', async () => {
    const open = () => createToolkit({ discover: { classes: [Bare] } });
    const outcomes = await outcomesOf((runner) => contractTests(runner, open, KEY, CASES));
    expect(failedIn(outcomes)).toEqual(Object.values(NAMES));
  });
});

describe('an entry of valid', () => {
  const principal = { id: 'ann', scopes: [] };

  it('with exactly args and a principal is both', () => {
    expect(toValidCall({ args: [1], principal })).toEqual({ args: [1], principal });
    expect(toValidCall({ principal, args: undefined })).toEqual({ args: undefined, principal });
  });

  it.each([
    [{ args: [1] }],
    [{ principal }],
    [{ args: [1], principal, more: 1 }],
    [{ args: [1], principal: 'ann' }],
    [{ args: [1], principal: null }],
    [[1]],
    ['text'],
    [null],
    [undefined],
  ])('such as %j is the arguments', (given) => {
    expect(toValidCall(given)).toEqual({ args: given, principal: undefined });
  });
});

describe('the name of a test', () => {
  it('shows any arguments on one line, and cuts long ones', () => {
    const circular: Record<string, unknown> = { big: 1n, text: 'a\nb' };
    circular.self = circular;
    expect(brief(circular)).toBe("<ref *1> { big: 1n, text: 'a\\nb', self: [Circular *1] }");
    expect(brief(Array.from({ length: 90 }, () => 1234)).length).toBe(100);
  });
});

describe('lists that are left out, or are none,', () => {
  const { valid, invalid } = CASES;
  const quiet = { describe: () => {}, it: () => {} };
  const open = () => Promise.reject(new Error('not opened'));

  it('are no failures where none is foreseen', async () => {
    const outcomes = await outcomesOf((runner) => contractTests(runner, open, KEY, { valid, invalid }));
    expect(outcomes.map(({ name }) => name)).not.toContain(NAMES.final);
    expect(outcomes.map(({ name }) => name)).toContain(NAMES.pattern);
  });

  it.each(['valid', 'invalid', 'failures'])('are refused by their name: %s', (name) => {
    const define = () => makeUntyped(contractTests, quiet, open, KEY, { valid, invalid, [name]: 'none' });
    expect(define).toThrow(TypeError);
    expect(define).toThrow(name);
    expect(() => makeUntyped(contractTests, quiet, open, KEY, { failures: [] })).toThrow(TypeError);
  });
});
