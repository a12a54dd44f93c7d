/**
 * The forms for text that follows a public standard: addresses, identifiers, codes, dates.
 * Invariant: see form.ts.
 */
import {
  IsBIC,
  IsBtcAddress,
  IsCreditCard,
  IsCurrency,
  IsDataURI,
  IsDateString,
  IsEAN,
  IsEmail,
  IsEthereumAddress,
  IsFirebasePushId,
  IsFQDN,
  IsHash,
  IsIBAN,
  IsIdentityCard,
  IsIP,
  IsISBN,
  IsISIN,
  IsISO4217CurrencyCode,
  IsISO6391,
  IsISO8601,
  IsISO31661Alpha2,
  IsISO31661Alpha3,
  IsISO31661Numeric,
  IsISRC,
  IsISSN,
  IsJWT,
  IsLatLong,
  IsLocale,
  IsMACAddress,
  IsMagnetURI,
  IsMimeType,
  IsMobilePhone,
  IsMongoId,
  IsPassportNumber,
  IsPhoneNumber,
  IsPort,
  IsPostalCode,
  IsRFC3339,
  IsSemVer,
  IsTaxId,
  IsTimeZone,
  IsUrl,
  IsUUID,
  type ValidationOptions,
} from 'class-validator';
import { formsOf } from './form';

/** class-validator's types leave out the locale that its code knows as `any`. */
function anyIdentityCard(options?: ValidationOptions): PropertyDecorator {
  return Reflect.apply(IsIdentityCard, undefined, ['any', options]);
}

const EMAILS = ['a@b.co', 'user+tag@example.com', '"quoted"@example.com', 'ünï@example.com'];
const NO_EMAILS = ['', 'a@b', 'a@b..com', '@b.co', 'a b@c.de', 'a@localhost'];
const URLS = ['https://b.co/', 'http://example.com/a?b=c#d', 'ftp://example.com', 'example.com'];
const NO_URLS = ['', 'http://', 'http://localhost', '//b.co', 'javascript:alert(1)', 'http://b.co/ x'];
const V4 = ['127.0.0.1', '0.0.0.0', '255.255.255.255'];
const V6 = ['::1', '2001:db8::1', 'fe80::1%eth0', '::ffff:1.2.3.4'];
const NO_IPS = ['', '256.0.0.1', '1.2.3', '01.2.3.4', ':::1', '2001:db8::g'];
const UUID4 = ['6f1c1d1e-0000-4000-8000-000000000001', '550E8400-E29B-41D4-A716-446655440000'];
const UUIDS = [...UUID4, '018f6f5e-7c1a-7def-8abc-0123456789ab', 'a0eebc99-9c0b-11eb-a8b3-0242ac130003'];
const NO_UUIDS = ['', '550e8400e29b41d4a716446655440000', 'urn:uuid:550e8400-e29b-41d4-a716-446655440000'];
const ISO_DATES = ['2024-02-29', '2024-02-29T10:00:00Z', '2024-W05-3', '2024-060', '2024-01-31T10:00'];
const NO_ISO_DATES = ['', '2024-13-01', '24-01-01', '2024-01-32', 'soon', '2024-1-1'];

const ADDRESSES = formsOf('text', [
  ['IsEmail', (o) => IsEmail({}, o), EMAILS, NO_EMAILS],
  [
    'IsEmail({require_tld:false})',
    (o) => IsEmail({ require_tld: false }, o),
    [...EMAILS, 'a@localhost'],
    ['', 'a@'],
  ],
  [
    'IsFQDN',
    (o) => IsFQDN({}, o),
    ['example.com', 'a.b.co', 'xn--80ak6aa92e.com'],
    ['', 'localhost', 'a_b.co', '-a.co'],
  ],
  ['IsUrl', (o) => IsUrl({}, o), URLS, NO_URLS],
  [
    'IsUrl({require_protocol})',
    (o) => IsUrl({ require_protocol: true }, o),
    URLS.slice(0, 3),
    ['example.com', ''],
  ],
  [
    'IsUrl({protocols:[https]})',
    (o) => IsUrl({ protocols: ['https'] }, o),
    ['https://b.co/', 'b.co'],
    URLS.slice(1, 3),
  ],
  ['IsIP', (o) => IsIP(undefined, o), [...V4, ...V6], NO_IPS],
  ['IsIP(4)', (o) => IsIP(4, o), V4, [...V6, ...NO_IPS]],
  ['IsIP("4")', (o) => IsIP('4', o), V4, [...V6, ...NO_IPS]],
  ['IsIP(6)', (o) => IsIP(6, o), V6, [...V4, ...NO_IPS]],
  ['IsIP("6")', (o) => IsIP('6', o), V6, [...V4, ...NO_IPS]],
  ['IsPort', (o) => IsPort(o), ['0', '80', '65535', '8080'], ['', '65536', '080', '-1', '1.5']],
  [
    'IsMACAddress',
    (o) => IsMACAddress({}, o),
    ['01:02:03:04:05:ab', '01-02-03-04-05-AB'],
    ['', '01:02:03:04:05', '0102'],
  ],
  [
    'IsMagnetURI',
    (o) => IsMagnetURI(o),
    [`magnet:?xt=urn:btih:${'a1'.repeat(20)}`],
    ['', 'magnet:?xt=urn:btih:a'],
  ],
  [
    'IsDataURI',
    (o) => IsDataURI(o),
    ['data:,a', 'data:text/plain;base64,YQ==', 'data:text/plain,a'],
    ['', 'data:', 'dat:,a'],
  ],
  [
    'IsMimeType',
    (o) => IsMimeType(o),
    ['text/plain', 'application/json', 'text/html; charset=utf-8'],
    ['', 'text', 'text/'],
  ],
  [
    'IsLatLong',
    (o) => IsLatLong(o),
    ['1.5,2', '-90,180', '(45.5, 90)', '+1,-1'],
    ['', '91,0', '1', '1,181', '(1,2'],
  ],
]);

const IDENTIFIERS = formsOf('text', [
  ['IsUUID', (o) => IsUUID(undefined, o), UUIDS, NO_UUIDS],
  ['IsUUID("4")', (o) => IsUUID('4', o), UUID4, [...UUIDS.slice(2), ...NO_UUIDS]],
  ['IsUUID("all")', (o) => IsUUID('all', o), UUIDS, NO_UUIDS],
  [
    'IsMongoId',
    (o) => IsMongoId(o),
    ['507f1f77bcf86cd799439011', 'A'.repeat(24)],
    ['', 'a'.repeat(23), 'g'.repeat(24)],
  ],
  ['IsFirebasePushId', (o) => IsFirebasePushId(o), ['-M-Jh_1KAH5rYJF_7kY1'], ['', '-M-Jh_1KAH5rYJF_7kY']],
  [
    'IsJWT',
    (o) => IsJWT(o),
    ['eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln', 'eyJhIjoxfQ.eyJhIjoxfQ.eyJhIjoxfQ'],
    ['', 'a.b', 'a.b.c.d', 'a b.c.d'],
  ],
  [
    'IsHash("md5")',
    (o) => IsHash('md5', o),
    ['d41d8cd98f00b204e9800998ecf8427e', 'A'.repeat(32)],
    ['', 'a'.repeat(31)],
  ],
  [
    'IsISBN',
    (o) => IsISBN(undefined, o),
    ['9783161484100', '316148410X', '978-3-16-148410-0'],
    ['', '9783161484101'],
  ],
  ['IsISIN', (o) => IsISIN(o), ['US0378331005', 'DE000BAY0017'], ['', 'US0378331006', 'US037833100']],
  ['IsISSN', (o) => IsISSN({}, o), ['0378-5955', '03785955', '2434-561X'], ['', '0378-5954', '0378-595']],
  ['IsISRC', (o) => IsISRC(o), ['USAT29900609', 'GBAYE6800011'], ['', 'USAT2990060', 'usat29900609']],
  [
    'IsEAN',
    (o) => IsEAN(o),
    ['4012345678901', '73513537', '14012345678908'],
    ['', '4012345678902', '7351353'],
  ],
  [
    'IsIBAN',
    (o) => IsIBAN(undefined, o),
    ['DE89370400440532013000', 'GB82WEST12345698765432'],
    ['', 'DE89370400440532013001'],
  ],
  ['IsBIC', (o) => IsBIC(o), ['DEUTDEFF', 'DEUTDEFF500', 'SBICKEN1345'], ['', 'DEUTDEF', 'DEUTXXFF9']],
  [
    'IsCreditCard',
    (o) => IsCreditCard(o),
    ['4111111111111111', '5555 5555 5555 4444'],
    ['', '4111111111111112', '411'],
  ],
  ['IsBtcAddress', (o) => IsBtcAddress(o), ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'], ['', '1A1zP1', 'xyz']],
  [
    'IsEthereumAddress',
    (o) => IsEthereumAddress(o),
    [`0x${'0'.repeat(40)}`, `0x${'aF'.repeat(20)}`],
    ['', '0x0', `0x${'g'.repeat(40)}`],
  ],
  ['IsIdentityCard("any")', (o) => anyIdentityCard(o), ['95830573S', 'X1234567L'], ['', '12345678A', 'abc']],
  [
    'IsPassportNumber("DE")',
    (o) => IsPassportNumber('DE', o),
    ['C01X00T47', 'c01x00t47'],
    ['', 'A01X00T47', 'C01X00T4'],
  ],
  ['IsTaxId("en-US")', (o) => IsTaxId('en-US', o), ['01-1234567', '12-3456789'], ['', '07-1234567', '1234']],
  ['IsSemVer', (o) => IsSemVer(o), ['1.0.0', '1.2.3-rc.1+b.5', '0.0.1'], ['', '1.0', '01.0.0', 'v1.0.0']],
]);

const CODES = formsOf('text', [
  ['IsCurrency', (o) => IsCurrency({}, o), ['$1.00', '1,234.50', '-$1', '12'], ['', '1.234', '$', '1,23']],
  [
    'IsISO4217CurrencyCode',
    (o) => IsISO4217CurrencyCode(o),
    ['EUR', 'usd', 'JPY'],
    ['', 'EU', 'XYZ', 'EURO'],
  ],
  ['IsISO6391', (o) => IsISO6391(o), ['en', 'de', 'fr'], ['', 'EN', 'xx', 'eng']],
  ['IsISO31661Alpha2', (o) => IsISO31661Alpha2(o), ['DE', 'us', 'FR'], ['', 'XX', 'D', 'DEU']],
  ['IsISO31661Alpha3', (o) => IsISO31661Alpha3(o), ['DEU', 'usa', 'FRA'], ['', 'DE', 'XXX']],
  ['IsISO31661Numeric', (o) => IsISO31661Numeric(o), ['276', '840', '004'], ['', '27', '999', 276]],
  ['IsLocale', (o) => IsLocale(o), ['en', 'de-DE', 'zh-Hans-CN', 'en_US'], ['', 'e', 'en-', '12']],
  ['IsTimeZone', (o) => IsTimeZone(o), ['UTC', 'Europe/Berlin', 'utc'], ['', 'Europe', 'Mars/Base']],
  [
    'IsMobilePhone',
    (o) => IsMobilePhone(undefined, {}, o),
    ['+4915123456789', '+14155552671'],
    ['', '12', 'abc'],
  ],
  [
    'IsPhoneNumber("US")',
    (o) => IsPhoneNumber('US', o),
    ['+14155552671', '(415) 555-2671'],
    ['', '123', '+49 30 1'],
  ],
  [
    'IsPhoneNumber()',
    (o) => IsPhoneNumber(undefined, o),
    ['+14155552671', '+493012345678'],
    ['', '4155552671', '+1'],
  ],
  ['IsPostalCode("any")', (o) => IsPostalCode('any', o), ['10115', '90210-1234', 'SW1A 1AA'], ['', 'x']],
  ['IsPostalCode()', (o) => IsPostalCode(undefined, o), [], ['', '10115']],
  ['IsISO8601', (o) => IsISO8601({}, o), [...ISO_DATES, '2024-02-30'], NO_ISO_DATES],
  ['IsISO8601({strict})', (o) => IsISO8601({ strict: true }, o), ISO_DATES, ['2024-02-30', ...NO_ISO_DATES]],
  ['IsDateString', (o) => IsDateString({}, o), [...ISO_DATES, '2024-02-30'], NO_ISO_DATES],
  [
    'IsRFC3339',
    (o) => IsRFC3339(o),
    ['2024-02-29T10:00:00Z', '2024-02-29 10:00:00.5+02:00'],
    ['', '2024-02-29', 'soon'],
  ],
]);

/** The forms for standards. */
export const CODE_FORMS = [...ADDRESSES, ...IDENTIFIERS, ...CODES];
