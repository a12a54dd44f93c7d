/**
 * Which regular expressions are refused for the time that they can take.
 * Invariant: what can take more than linear time is slow; the usual forms of validation that cannot are not.
 */
import { slowPattern } from '../../../src/schema/patterns/slow-pattern';

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
  /^a+b/m,
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

describe('a slow pattern', () => {
  it.each(SAFE)('is not %p', ({ source, flags }) => {
    expect(slowPattern(source, flags)).toBeUndefined();
  });

  it.each(SLOW)('is %p', ({ source, flags }) => {
    expect(slowPattern(source, flags)).toEqual(expect.any(String));
  });

  it('is one that is too long, or has too many ways, to be looked at', () => {
    expect(slowPattern('a'.repeat(2_000), '')).toBeUndefined();
    expect(slowPattern('a'.repeat(2_001), '')).toEqual(expect.any(String));
    for (const source of ['(?:(?:a{1,9}){1,9}){1,9}', 'a?b?c?d?'.repeat(240), '.*a'.repeat(600)]) {
      expect(slowPattern(`^(?:${source})+$`, '')).toEqual(expect.any(String));
    }
  });

  it('is read by its own flags', () => {
    expect(slowPattern('^(?:[\\p{L}--[a-z]]|[a-z])+$', 'v')).toBeUndefined();
    expect(slowPattern('^(?:[\\p{L}]|[a-z])+$', 'v')).toEqual(expect.any(String));
    expect(slowPattern('^(?:a|A)+$', '')).toBeUndefined();
    expect(slowPattern('^(?:a|A)+$', 'i')).toEqual(expect.any(String));
  });

  it('is none that is no regular expression', () => {
    expect(slowPattern('(', '')).toBeUndefined();
    expect(slowPattern('a+b', 'uv')).toBeUndefined();
  });

  it('is told by the part that makes it slow', () => {
    expect(slowPattern('^x(a+)+$', '')).toContain('a+');
    expect(slowPattern('a+b', '')).toContain('^');
  });
});
