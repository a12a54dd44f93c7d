/**
 * Which regular expressions are refused for the time that they can take.
 * Invariant: what can take more than linear time is slow; the usual forms of validation that cannot are not.
 */
import { slowPattern } from '../../../src/schema/patterns/slow-pattern';
import { atEachDepth } from './stack-depth';

/** The compiler's target knows no literal of this flag. */
const SETS = 'v';

const SAFE: readonly RegExp[] = [
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+([\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*))?$/,
  /^v?\d+\.\d+\.\d+(-[\w.]+)?$/,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
  /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  /^[\w.+-]+@[\w-]+\.[\w.-]+$/,
  /^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/,
  /^\+?[1-9]\d{1,14}$/,
  /^\+?[0-9 ()-]{7,20}$/,
  /^\(?\d{3}\)?[-. ]?\d{3}[-. ]?\d{4}$/,
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/,
  /^ORD-\d{4}$/,
  /ORD-\d{4}/,
  /^-?\d+(\.\d+)?$/,
  /^\$?\d{1,3}(,\d{3})*(\.\d{2})?$/,
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i,
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
  /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$/,
  /^(?=.*?[A-Z])(?=.*?[a-z])(?=.*?[0-9])(?=.*?[#?!@$%^&*-]).{8,}$/,
  /^.{1,80}$/,
  /^\d{1,20}-\d{1,20}$/,
  /\d{1,20}-\d{1,20}/,
  /^https?:\/\/[^\s/$.?#].[^\s]*$/i,
  /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/,
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  /^[\w-]+\.[\w-]+\.[\w-]+$/,
  /^\/(?:[^/]+\/)*[^/]*$/,
  /^\s*\S+\s*$/,
  /^\S(?:.*\S)?$/,
  /^[A-Z][a-z]+(?: [A-Z][a-z]+)*$/,
  /^\p{L}[\p{L} '-]*$/u,
  /^(?!.*\.\.)[a-z.]+$/,
  /^(?!-)[a-z0-9-]+(?<!-)$/,
  /^\w+(?:, ?\w+)*$/,
  /^"(?:[^"\\]|\\.)*"$/,
  /^(["']).*\1$/,
  /^(?:[^"]|"")*"$/,
  /^\S+$/,
  new RegExp('^[\\p{L}--[a-z]]+$', SETS),
  /^.{0,100}foo.{0,100}bar.{0,100}$/,
  /^.{0,200}:.*$/,
  /[a-z]+/,
  /\S/,
  /a+b/y,
  /^a+b/m,
  /^\/\/.*$/m,
  /^- .+$/m,
  /^(?:\d{1,3}\.){3}\d{1,3}$/,
  /^\d{1,3}(?:,\d{3})*(?:\.\d{1,2})?$/,
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/,
  /^\+?[0-9]{1,3}[- ]?(?:[0-9]{2,4}[- ]?){2,4}$/,
  /^(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/,
  /^#(?:[0-9a-f]{3}){1,2}$/i,
  /^#?([a-f0-9]{6}|[a-f0-9]{3}|[a-f0-9]{8})$/i,
  /^[A-Z]{1,3}-?\d{1,6}$/,
  /^[0-9a-f]{128}$/,
  /^[0-9a-f]{2000}$/,
  /\w{20,}/,
  /^\w{20,}$/,
  /^[0-9a-f]{40}(?:,[0-9a-f]{40}){0,9}$/,
  /^(?:[a-fA-F0-9]{1,4}:){7}[a-fA-F0-9]{1,4}$/,
  /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/,
  /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/,
  /^P(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/,
  /^(?:\w{1,10} ){0,9}\w{1,10}$/,
  /^[A-Za-z]{1,12}\d{0,12}[A-Za-z0-9]{0,12}$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:,(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)){0,6}$/,
  /^(?=.*\d)(?=.*[a-z])(?=.{0,100}foo.{0,100}bar).*$/,
];

const SLOW: readonly RegExp[] = [
  /^(a+)+$/,
  /^(a|a)*$/,
  /^(a|aa)+$/,
  /^(\d+)*$/,
  /^(?:\w+\s?)+$/,
  /^(.*a){10}$/,
  /^(\w+\.?)+@\w+$/,
  /^(([a-z])+.)+[A-Z]([a-z])+$/,
  /^(?=(a+)+$)/,
  /^(?!(a+)+b)/,
  /(a*)*\1b/,
  /^([a-z]+|[a-z0-9]+)*$/,
  /^(?:a|b|ab)*c$/,
  /^(?:[a-z]{1,50}-?){1,50}$/,
  /^(?:[a-z]{1,10}-?){1,10}$/,
  /^(?:\w{0,10}\s?){8}$/,
  /^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a{20}$/,
  /^(a?){30}a{30}$/,
  /^(a{0,30}){30}b/,
  /^(?:K|\u212A)+$/iu,
  /^\d+\d+$/,
  /^a*a*b/,
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  /^.+@.+$/,
  /^\s*\w*\s*\w*\s*$/,
  /^.*,.*,.*,x$/,
  /^a{0,500}a{0,500}a{0,500}$/,
  /a+b/,
  /\s+$/,
  /\w*\d/,
  /^\s+b/m,
  /^[^b]+b/m,
  /^a*|a+b/m,
  /a{1,300}b/,
  /^a{0,300}a*$/,
  /^(?:a{1,20},)*(?:a{1,20},)*$/,
  /(?<=a+)b/,
  /(?=.*a)b/,
  /^(?:(?=.*z).)*$/,
  /^\w+(?=.*x)/,
  /^(\w*)\1$/,
  /(.)+\1/,
];

/** Each count is small, and no text of one character alone shows how they multiply. */
const COUNTED: readonly string[] = [
  '(?:(?:\\d+,){1,9};?){1,9}$',
  '(?:(?:[A-Z]\\d){1,10}-?){1,10}$',
  '(?:(?:[a-z]{2}\\d){0,12}\\s?){0,12}$',
  `${'(?:[a-z]\\d)?'.repeat(40)}$`,
  `${'(?:[a-z]{20}\\d)?'.repeat(40)}$`,
  `${'(?:ab){0,12}'.repeat(10)}$`,
  '(?:(?:\\w+ ){0,9}){0,9}$',
  '(?:a|ab|b){40}$',
  '(?:a{14}b|aaaaaaaaaaaaaab)+$',
  '(?:(?:a?|b?){12}){2}$',
  '(?:(?:a?|b?){12}){2}\\b',
  '(?:a|b|ab){40}',
  '(?:a|b|ab){40,}',
  '(?:a|b|ab){400}',
  '(?:a|b|ab){400,}',
  `(?=[ab]{3}c)${'(?:ab|a|b)?'.repeat(30)}$`,
];

describe('a slow pattern', () => {
  it.each(SAFE)('is not %p', ({ source, flags }) => {
    expect(slowPattern(source, flags)).toBeUndefined();
  });

  it.each(SLOW)('is %p', ({ source, flags }) => {
    expect(slowPattern(source, flags)).toEqual(expect.any(String));
  });

  it.each(COUNTED)('is one with counts that multiply: ^%s', (source) => {
    for (const around of [`^${source}`, `^(?=${source})`, `^a(?!b${source})`, `^^(?:${source})`]) {
      expect(slowPattern(around, '')).toEqual(expect.any(String));
    }
    expect(slowPattern(`^${source}`, 'm')).toEqual(expect.any(String));
  });

  it('is one whose lookarounds take long for each of the ways to them', () => {
    const [ways, slower] = ['(?:a|b|ab){0,5}', '(?:[ab]a?){0,12}'];
    expect(slowPattern(`^${ways}c$`, '')).toBeUndefined();
    expect(slowPattern(`^(?=${slower}c)`, '')).toBeUndefined();
    expect(slowPattern(`^${slower}(?=${slower}c)`, '')).toEqual(expect.any(String));
    expect(slowPattern(`^(?=${slower}(?=${slower}c))`, '')).toEqual(expect.any(String));
    expect(slowPattern(`^(?:[A-Z]\\d)?(?<=x(?:(?:[A-Z]\\d){1,10}-?){1,10})$`, '')).toEqual(
      expect.any(String),
    );
  });

  it('is one that cannot be checked, as its classes hold strings', () => {
    expect(slowPattern('^[\\q{ab|a|b}]+$', SETS)).toContain('\\q{ab|a|b}');
    expect(slowPattern('^[\\p{RGI_Emoji}\\p{L}\\p{M}\\u200d]+$', SETS)).toContain('\\p{RGI_Emoji}');
    expect(slowPattern('^\\p{RGI_Emoji}$', SETS)).toEqual(expect.any(String));
  });

  it('is one that is too long, or has too many ways, to be looked at', () => {
    expect(slowPattern('a'.repeat(2_000), '')).toBeUndefined();
    expect(slowPattern('a'.repeat(2_001), '')).toEqual(expect.any(String));
    for (const source of [
      '(?=.{0,12}a.{0,12}b.{0,12}c)'.repeat(60),
      '(?:(?:a{1,9}){1,9}){1,9}',
      'a?b?c?d?'.repeat(240),
      '.*a'.repeat(600),
    ]) {
      expect(slowPattern(`^(?:${source})+$`, '')).toEqual(expect.any(String));
    }
  });

  it('is read by its own flags', () => {
    expect(slowPattern('^(?:[\\p{L}--[a-z]]|[a-z])+$', 'v')).toBeUndefined();
    expect(slowPattern('^(?:[\\p{L}]|[a-z])+$', 'v')).toEqual(expect.any(String));
    expect(slowPattern('^(?:a|A)+$', '')).toBeUndefined();
    expect(slowPattern('^(?:a|A)+$', 'i')).toEqual(expect.any(String));
  });

  it('is one that cannot be parsed', () => {
    expect(slowPattern('(', '')).toEqual(expect.any(String));
    expect(slowPattern('a+b', 'uv')).toEqual(expect.any(String));
  });

  it('is one that is nested too deep for the stack that is left', () => {
    const nested = `${'('.repeat(200)}a${')'.repeat(200)}`;
    expect(slowPattern(nested, '')).toBeUndefined();
    expect(atEachDepth(() => slowPattern(nested, ''))).toContainEqual(expect.any(String));
  });

  it('is told by the part that makes it slow', () => {
    expect(slowPattern('^x(a+)+$', '')).toContain('a+');
    expect(slowPattern('a+b', '')).toContain('^');
  });
});
