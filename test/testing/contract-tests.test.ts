/**
 * The tests of the contract tests: which of them fail when a tool breaks its contract.
 * Invariant: a sabotage makes exactly the tests fail that are about it, and each test closes its toolkit.
 */
import { IsInt, Matches, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { Interceptor } from 'toolcrib';
import {
  CASES,
  KEY,
  LooseInput,
  NAMES,
  opened,
  type Quote,
  type QuoteInput,
  quote,
  run,
} from '../fixtures/quoted-parcel';
import { failedIn } from '../fixtures/recorded-suite';

beforeEach(() => {
  opened.length = 0;
});
/** Whatever failed, nothing stays open. */
afterEach(async () => {
  for (const toolkit of opened) {
    expect(await toolkit.invoke(KEY, {})).toMatchObject({ error: { code: 'unavailable' } });
  }
});

describe('a tool that keeps its contract', () => {
  it('passes, each test on a toolkit of its own', async () => {
    const outcomes = await run();
    expect(outcomes.map(({ name }) => name)).toEqual(Object.values(NAMES));
    expect(failedIn(outcomes)).toEqual([]);
    expect(new Set(outcomes.map(({ suite }) => suite))).toEqual(new Set([`the contract of ${KEY}`]));
    expect(opened).toHaveLength(outcomes.length);
  });

  it.each(['parcels.quote', 'parcels.quote@^1'])('is found by %s', async (key) => {
    expect(failedIn(await run({}, {}, key))).toEqual([]);
  });

  it('passes in a version that is not the newest', async () => {
    const outcomes = await run({ newer: true });
    expect(failedIn(outcomes)).toEqual([]);
  });

  it('passes where a person would have to approve its calls', async () => {
    expect(failedIn(await run({ kind: 'destructive' }))).toEqual([]);
  });

  it('passes where anyone may call', async () => {
    expect(failedIn(await run({ scopes: [] }))).toEqual([]);
  });

  it('takes the principal of the suite, and of a case', async () => {
    const nobody = { id: 'nobody', scopes: [] };
    const ann = { id: 'ann', scopes: ['parcels:read', 'parcels:write'] };
    const args = { country: 'FRA', weight_g: 1 };
    expect(failedIn(await run({}, { principal: ann }))).toEqual([]);
    expect(failedIn(await run({}, { valid: [{ args, principal: ann }] }))).toEqual([]);
    expect(failedIn(await run({}, { valid: [{ args, principal: nobody }] }))).toEqual([
      NAMES.bound,
      NAMES.valid,
    ]);
    const invalid = [{ args: {}, path: '/country', principal: nobody }];
    expect(failedIn(await run({}, { invalid }))).toEqual(['refuses {} at "/country"']);
    const failures = [{ args: { ...args, country: 'ATA' }, code: 'no_carrier', retryable: false }];
    expect(
      failedIn(await run({}, { failures: failures.map((one) => ({ ...one, principal: nobody })) })),
    ).toEqual([NAMES.final]);
  });

  it('is run on its examples where no valid input is listed', async () => {
    const outcomes = await run({}, { valid: [] });
    expect(failedIn(outcomes)).toEqual([]);
    expect(outcomes.map(({ name }) => name)).not.toContain(NAMES.valid);
  });
});

describe('a tool that breaks its contract fails', () => {
  it('where a rule was removed from its DTO', async () => {
    expect(failedIn(await run({ input: LooseInput }))).toEqual([NAMES.pattern]);
  });

  it('where its handler throws', async () => {
    const failing = () => {
      throw new TypeError('the service is not there');
    };
    expect(failedIn(await run({ quote: failing }))).toEqual([
      NAMES.bound,
      NAMES.examples,
      NAMES.valid,
      NAMES.final,
      NAMES.retryable,
    ]);
  });

  it.each<[string, Partial<Quote>]>([
    ['breaks a bound', { price_minor: -1 }],
    ['is of another type', { currency: 'USD' }],
    ['has a field more', Object({ secret: 'x' })],
  ])('where its output %s', async (_, changed) => {
    const changing = (input: QuoteInput) => ({ ...quote(input), ...changed });
    expect(failedIn(await run({ quote: changing }))).toEqual([NAMES.bound, NAMES.examples, NAMES.valid]);
  });

  it('where what leaves the toolkit is not what its handler answered', async () => {
    const interceptor: Interceptor = {
      stage: 'resolve',
      async run(_, next) {
        const result = await next();
        return result.success ? { success: true, result: { price_minor: 1.5, currency: 'EUR' } } : result;
      },
    };
    const outcomes = await run({ interceptors: [interceptor] });
    expect(failedIn(outcomes)).toEqual([NAMES.bound, NAMES.examples, NAMES.valid]);
  });

  it('where it turns a retryable failure into a final one, and the reverse', async () => {
    const [final, retryable] = CASES.failures;
    const failures = [final, retryable].flatMap((one) =>
      one === undefined ? [] : [{ ...one, retryable: !one.retryable }],
    );
    expect(failedIn(await run({}, { failures }))).toEqual([
      "fails on { country: 'ATA', weight_g: 1 } with a retryable no_carrier",
      "fails on { country: 'ISL', weight_g: 1 } with a final carrier_busy",
    ]);
  });

  it('where it fails with another code, or does not fail', async () => {
    const failures = [
      { args: { country: 'ATA', weight_g: 1 }, code: 'no_route', retryable: false },
      { args: { country: 'FRA', weight_g: 1 }, code: 'no_carrier', retryable: false },
    ];
    expect(failedIn(await run({}, { failures }))).toHaveLength(2);
  });

  it('where nobody may call it', async () => {
    expect(failedIn(await run({ scopes: undefined }))).toEqual(
      Object.values(NAMES).filter((name) => name !== NAMES.schemas && name !== NAMES.scopes),
    );
  });

  it('where its principal lacks a scope', async () => {
    const principal = { id: 'ann', scopes: ['parcels:write'] };
    expect(failedIn(await run({}, { principal }))).toEqual(
      Object.values(NAMES).filter((name) => name !== NAMES.schemas && name !== NAMES.scopes),
    );
  });

  it('where something else than its scopes lets callers in', async () => {
    const open: Interceptor = {
      stage: 'authorise',
      run: async () => ({ success: true, result: { price_minor: 1, currency: 'EUR' } }),
    };
    expect(failedIn(await run({ interceptors: [open] }))).toContain(NAMES.scopes);
  });

  it('where it refuses an example of its own', async () => {
    class Shown {
      @JSONSchema({ description: 'Country', examples: ['deu'] })
      @Matches(/^[A-Z]{3}$/)
      country!: string;

      @JSONSchema({ description: 'Weight', examples: [500] })
      @IsInt()
      @Min(1)
      @Max(30_000)
      weight_g!: number;
    }
    expect(failedIn(await run({ input: Shown }))).toEqual([NAMES.examples]);
  });

  it('where it refuses a valid input', async () => {
    const outcomes = await run({}, { valid: [{ country: 'FRA', weight_g: 0 }] });
    expect(failedIn(outcomes)).toEqual([NAMES.bound, "runs on { country: 'FRA', weight_g: 0 }"]);
  });
});
