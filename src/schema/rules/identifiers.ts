/**
 * The rules on identifiers that machines make.
 * Invariant: both cases of a letter stand in a class wherever class-validator ignores case; a rule with a check
 * digit is validator-only, and its pattern is the form without the check.
 */
import {
  IsBtcAddress,
  IsCreditCard,
  IsEAN,
  IsEthereumAddress,
  IsFirebasePushId,
  IsISBN,
  IsISIN,
  IsISRC,
  IsISSN,
  IsJWT,
  IsMongoId,
  IsSemVer,
  IsUUID,
} from 'class-validator';
import {
  type Contribution,
  exactPattern,
  patternRule,
  type Rule,
  TEXT,
  validatorOnly,
  widerPattern,
} from './rule';

const HEX = '[0-9a-fA-F]';
const NIL = '0{8}-(?:0{4}-){3}0{12}';
const MAX = '[fF]{8}-(?:[fF]{4}-){3}[fF]{12}';

function uuidOf(version: string): string {
  return `${HEX}{8}-${HEX}{4}-${version}${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}`;
}

const UUIDS: ReadonlyMap<string, string> = new Map([
  ...[...'12345678'].map((version) => [version, uuidOf(version)] as const),
  ['nil', NIL],
  ['max', MAX],
  ['loose', `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`],
  ['all', `(?:${uuidOf('[1-8]')}|${NIL}|${MAX})`],
]);

function contributeUuid([constraint]: readonly unknown[]): Contribution {
  const versions: readonly unknown[] = Array.isArray(constraint) ? constraint : [constraint];
  const forms = versions.map((version) => UUIDS.get(String(version ?? 'all')));
  const known = forms.filter((form) => form !== undefined);
  if (known.length === 0 || known.length < forms.length) return validatorOnly(TEXT);
  return exactPattern(known.length === 1 ? `^${known.join('')}$` : `^(?:${known.join('|')})$`);
}

function contributeIsbn([version]: readonly unknown[]): Contribution {
  const nine = '^[\\s-]*(?:[0-9][\\s-]*){9}';
  if (String(version) === '10') return widerPattern(`${nine}[0-9X][\\s-]*$`);
  if (String(version) === '13') return widerPattern(`${nine}(?:[0-9][\\s-]*){4}$`);
  return version
    ? validatorOnly(TEXT)
    : widerPattern(`${nine}(?:X[\\s-]*|[0-9][\\s-]*(?:(?:[0-9][\\s-]*){3})?)$`);
}

function wider(decorator: PropertyDecorator, pattern: string, near: readonly unknown[]): Rule {
  return { decorator, near, contribute: () => widerPattern(pattern) };
}

const BECH32 = '(?:bc1|tb1)p?[ac-hj-np-z02-9]{39,58}';
const BASE58 = '[123m][A-HJ-NP-Za-km-z1-9]{25,39}';
const PRE_RELEASE = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const BUILD = '[0-9a-zA-Z-]+';

/** The rules on identifiers that machines make. */
export const IDENTIFIER_RULES: readonly Rule[] = [
  {
    decorator: IsUUID(),
    near: [
      '00000000-0000-0000-0000-000000000000',
      'FFFFFFFF-ffff-ffff-ffff-ffffffffffff',
      '550e8400-e29b-01d4-a716-446655440000',
      '550e8400-e29b-41d4-c716-446655440000',
      '550e8400e29b41d4a716446655440000',
      ...[...'12345678'].map((version) => `550E8400-e29b-${version}1d4-a716-446655440000`),
    ],
    contribute: contributeUuid,
  },
  patternRule(IsMongoId(), `^(?:${HEX}{24}|0[xXhH]${HEX}{22})$`, [
    '507f1f77bcf86cd799439011',
    `0x${'F'.repeat(22)}`,
    'a'.repeat(23),
    'g'.repeat(24),
  ]),
  patternRule(IsFirebasePushId(), '^[a-zA-Z0-9_-]{20}$', ['-Kz_'.repeat(5), 'a'.repeat(19), '+'.repeat(20)]),
  patternRule(IsEthereumAddress(), `^0[xX]${HEX}{40}$`, [
    `0x${'aF'.repeat(20)}`,
    `0X${'0'.repeat(40)}`,
    'a'.repeat(42),
    `0x${'g'.repeat(40)}`,
  ]),
  patternRule(IsBtcAddress(), `^(?:${BECH32}|${BASE58})$`, [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    `bc1p${'q'.repeat(58)}`,
    `bc1q${'q'.repeat(58)}`,
    `4${'A'.repeat(30)}`,
  ]),
  patternRule(IsISRC(), '^[A-Z]{2}[0-9A-Z]{3}\\d{7}$', ['USRC17607839', 'usrc17607839', 'USRC1760783']),
  patternRule(IsJWT(), '^[\\w-]*\\.[\\w-]*\\.[\\w-]*$', [
    'a.b.c',
    '..',
    'a.b',
    'a.b.c.d',
    'a=.b.c',
    'a.b.c\n',
  ]),
  patternRule(
    IsSemVer(),
    '^(?:(?:0|[1-9]\\d*)\\.){2}(?:0|[1-9]\\d*)' +
      `(?:-${PRE_RELEASE}(?:\\.${PRE_RELEASE})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`,
    ['1.2.3', '01.2.3', '1.2', '1.2.3-A.0', '1.2.3-01', '1.2.3+B.01', '1.2.3-', 'v1.2.3'],
  ),
  // Only texts of digits pass the check digit, whatever the expressions on the issuers admit.
  wider(IsCreditCard(), '^[- ]*(?:[0-9][- ]*)+$', ['4111 1111-1111 1111', '4111111111111112', '5100', 'a']),
  wider(IsEAN(), '^(?:\\d{8}|\\d{13}|\\d{14})$', ['73513537', '73513536', '4006381333931', '00012345600012']),
  {
    decorator: IsISBN(),
    near: ['0-306-40615-2', '9780306406157', '9780306406158', '080442957X'],
    contribute: contributeIsbn,
  },
  wider(IsISIN(), '^[A-Z]{2}[0-9A-Z]{9}[0-9]$', ['US0378331005', 'US0378331004', 'us0378331005']),
  wider(IsISSN(), '^\\d{4}-?\\d{3}[\\dxX]$', [
    '0378-5955',
    '03785955',
    '0378-5954',
    '2434-561X',
    '2434-561x',
  ]),
];
