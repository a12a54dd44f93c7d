/**
 * The time that scrubbing takes, and that doing it twice changes nothing.
 * Invariant: every pattern that scrubbing tries on a text is cleared by the judge of slow patterns.
 */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Scrubber } from '../../../src/invocation/scrub';
import { slowPattern } from '../../../src/schema/patterns/slow-pattern';

const scrubber = new Scrubber({ values: ['violet-Anchor:41/ridge', 'a+b(c)*d'] });
const patterns = scrubber.detectors.flatMap((detector) => detector.patterns);

/** What detectors look for, in pieces, with what may stand between. */
const PIECES: readonly string[] = [
  ...[
    'password',
    'pass',
    'token',
    'API key',
    'Authorization',
    'cookie',
    'code',
    '/secret',
    '--password',
    '<pwd>',
  ],
  ...[
    '=',
    ': ',
    '=>',
    '%3D',
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    '\n',
    ' ',
    ',',
    ';',
    '&',
    '?',
    '<',
    '>',
    '[',
    ']',
    '{',
    '}',
    '…',
  ],
  ...['https://', 'postgres://', 'u:p', '@', 'host', '.example', '.org', '/', ':', '5432', '#', '%40'],
  ...[
    'Bearer ',
    'Basic ',
    'eyJhbGciOiJI',
    '.',
    'sk_live_',
    'AKIA',
    'xoxb-',
    'ghp_',
    '0123456789AB',
    'abcdefghijklmnop',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'PuTTY-User-Key-File-2: ',
    'Private-MAC: ab',
  ],
  ...[
    '4111 1111 1111 1111',
    '4111',
    '-',
    'violet-Anchor:41/ridge',
    'a+b(c)*d',
    '[redacted]',
    '[redacted',
    'redacted]',
  ],
  ...[
    '\u200B',
    '\u202E',
    '\u200D',
    '\uFE0F',
    '\u{E0041}',
    '\u00AD',
    'é',
    '東京',
    '👩',
    '\uD800',
    'must not be empty',
    'x',
  ],
];

describe('the time of scrubbing', () => {
  it('has patterns to judge', () => {
    expect(patterns.length).toBeGreaterThan(50);
  });

  it.each(patterns.map((pattern) => [String(pattern).slice(0, 60), pattern] as const))(
    'is linear in %s',
    (_text, pattern) => {
      expect(slowPattern(pattern.source, pattern.flags)).toBeUndefined();
    },
  );

  // A regular expression that goes back without end holds up every timer, so a context of its own stops it.
  it.each([
    'a',
    'a=',
    'a.',
    'é東',
    'password="',
    'pwd=\\"',
    '-eyJ',
    'a://',
    'a@a.',
    '4 ',
    ' -u a',
    '\u200D',
    '<a ',
    'authorization: is ',
    'pwd=["is ',
    'pwd=\\"a\\" ',
    'pwd="is \\"',
    'token=x,',
  ])(
    'comes to an end on a megabyte of %j',
    (piece) => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      const scrub = () => scrubber.text(text).length;
      expect(runInNewContext('scrub()', { scrub }, { timeout: 30_000 })).toBeGreaterThanOrEqual(0);
    },
    40_000,
  );
});

describe('scrubbing twice', () => {
  const texts = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, fc.string()), {
    maxLength: 14,
  });

  it('is the same as once', () => {
    fc.assert(
      fc.property(texts, (pieces) => {
        const once = scrubber.text(pieces.join(''));
        expect(scrubber.text(once)).toBe(once);
      }),
      { seed: 5, numRuns: 3_000 },
    );
  });

  it('is the same as once for values', () => {
    const keys = fc.constantFrom('password', 'note', 'Bearer t0k-EXAMPLE', 'list');
    const values = fc.dictionary(
      keys,
      fc.oneof(
        texts.map((pieces) => pieces.join('')),
        fc.integer(),
        fc.constant(null),
      ),
    );
    fc.assert(
      fc.property(fc.array(values), (value) => {
        const once = scrubber.json(value);
        expect(scrubber.json(once)).toEqual(once);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('is the same as once for a text that is too long to go whole', () => {
    const once = scrubber.text('so it was, pwd=a '.repeat(100_000));
    expect(once.length).toBeLessThan(65_537);
    expect(scrubber.text(once)).toBe(once);
  });
});
