/**
 * The rules on numbers and bytes written as text.
 * Invariant: an option that a row does not read makes its rule validator-only.
 */
import {
  IsBase32,
  IsBase58,
  IsBase64,
  IsBooleanString,
  IsCurrency,
  IsDecimal,
  IsHash,
  IsHexadecimal,
  IsNumberString,
  IsOctal,
} from 'class-validator';
import {
  type Contribution,
  exact,
  exactPattern,
  knownOptions,
  patternRule,
  type Rule,
  TEXT,
  validatorOnly,
} from './rule';

const HASH_LENGTHS: ReadonlyMap<unknown, number> = new Map([
  ['md4', 32],
  ['md5', 32],
  ['sha1', 40],
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
  ['ripemd128', 32],
  ['ripemd160', 40],
  ['tiger128', 32],
  ['tiger160', 40],
  ['tiger192', 48],
  ['crc32', 8],
  ['crc32b', 8],
]);

function contributeHash([algorithm]: readonly unknown[]): Contribution {
  const length = HASH_LENGTHS.get(algorithm);
  return length === undefined ? validatorOnly(TEXT) : exactPattern(`^[0-9a-fA-F]{${length}}$`);
}

function contributeBase64([constraint]: readonly unknown[]): Contribution {
  const options = knownOptions(constraint, 'urlSafe', 'padding');
  if (options === undefined) return validatorOnly(TEXT);
  const one = options.urlSafe ? '[A-Za-z0-9_-]' : '[A-Za-z0-9+/]';
  const isPadded = 'padding' in options ? options.padding : !options.urlSafe;
  return exactPattern(isPadded ? `^(?:${one}{4})*(?:${one}{2}==|${one}{3}=)?$` : `^${one}*$`);
}

function contributeNumberString([constraint]: readonly unknown[]): Contribution {
  const options = knownOptions(constraint, 'no_symbols');
  if (options === undefined) return validatorOnly(TEXT);
  return exactPattern(options.no_symbols ? '^[0-9]+$' : '^[+-]?(?:[0-9]*\\.)?[0-9]+$');
}

/** The form that a pattern describes when no option is set. */
function plainOnly(pattern: string): Rule['contribute'] {
  return ([options]) => (knownOptions(options) === undefined ? validatorOnly(TEXT) : exactPattern(pattern));
}

const DOLLARS = '(?:0|[1-9]\\d*|[1-9]\\d{0,2}(?:,\\d{3})+)';

/** The rules on numbers and bytes written as text. */
export const NUMERAL_RULES: readonly Rule[] = [
  {
    decorator: IsBooleanString(),
    near: ['true', 'false', '0', '1', 'TRUE', 'yes'],
    contribute: () => exact({ ...TEXT, enum: ['true', 'false', '1', '0'] }),
  },
  {
    decorator: IsNumberString(),
    near: ['1', '+1', '-1.5', '.5', '1.', '1,5', '1e3', '１'],
    contribute: contributeNumberString,
  },
  {
    decorator: IsDecimal(),
    near: ['1', '+1', '-1.5', '.5', '1.', '1,5', '- ', '1e3', '1.234'],
    contribute: plainOnly('^[+-]?(?:[0-9]*\\.)?[0-9]+$'),
  },
  {
    decorator: IsCurrency(),
    near: ['$1', '-$1,000.00', '1000.00', '1,00', '.10', '$', '-', '01', '$-1', '1.0'],
    contribute: plainOnly(`^-?\\$?(?:${DOLLARS}(?:\\.\\d{2})?|\\.\\d{2})$`),
  },
  patternRule(IsHexadecimal(), '^(?:0[xXhH])?[0-9a-fA-F]+$', ['0x', '0xF', '0hf', 'fF0', 'g', 'f\n']),
  patternRule(IsOctal(), '^(?:0[oO])?[0-7]+$', ['0o7', '0O', '07', '8']),
  {
    decorator: IsHash('md5'),
    near: ['a', 'F', 'g'].flatMap((one) => [8, 32, 40, 48, 64, 96, 128].map((length) => one.repeat(length))),
    contribute: contributeHash,
  },
  patternRule(IsBase32(), '^(?=(?:.{8})+$)[A-Z2-7]+=*$', ['AAAAAAAA', 'A=======', 'A======', 'a=======']),
  patternRule(IsBase58(), '^[A-HJ-NP-Za-km-z1-9]*$', ['', 'A1z', 'I', 'O', 'l', '0']),
  {
    decorator: IsBase64(),
    near: ['', 'AAAA', 'AA==', 'AAA=', 'A===', 'AAA', 'AA', '-_AA', '+/AA', 'AAAA\n'],
    contribute: contributeBase64,
  },
];
