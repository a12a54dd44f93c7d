/**
 * The rules on what networks know: addresses, names and media.
 * Invariant: both cases of a letter stand in a class wherever class-validator ignores case.
 */
import {
  IsDataURI,
  IsEmail,
  IsFQDN,
  IsIP,
  IsMACAddress,
  IsMagnetURI,
  IsMimeType,
  IsPort,
  IsUrl,
  isMACAddress,
} from 'class-validator';
import {
  type Contribution,
  exactPattern,
  knownOptions,
  patternRule,
  type Rule,
  TEXT,
  validatorOnly,
  widerPattern,
} from './rule';

/** A pattern for a word of ASCII in any case. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const GROUP = '[0-9a-fA-F]{1,4}';

/** What may follow a number of groups, each with its colon, in an IPv6 address that omits groups. */
function afterGroups(count: number): string {
  const left = 7 - count;
  if (left === 0) return '(?::)';
  const embedded = left === 1 ? IPV4 : `(?::${GROUP}){0,${left - 2}}:${IPV4}`;
  return `(?:(?::${GROUP}){1,${left}}|${embedded}|:)`;
}

const IPV6 = `(?:${[
  `(?:${GROUP}:){7}(?:${GROUP}|:)`,
  ...[6, 5, 4, 3, 2, 1].map((count) => `(?:${GROUP}:){${count}}${afterGroups(count)}`),
  `:(?:(?::${GROUP}){1,7}|(?::${GROUP}){0,5}:${IPV4}|:)`,
].join('|')})(?:%[0-9a-zA-Z.]+)?`;

function contributeIp([version]: readonly unknown[]): Contribution {
  if (!version) return exactPattern(`^(?:${IPV4}|${IPV6})$`);
  if (String(version) === '4') return exactPattern(`^${IPV4}$`);
  return String(version) === '6' ? exactPattern(`^${IPV6}$`) : validatorOnly(TEXT);
}

const PAIR = '[0-9a-fA-F]{2}';
const QUAD = '[0-9a-fA-F]{4}';

function contributeMac([constraint]: readonly unknown[]): Contribution {
  const options = knownOptions(constraint, 'eui', 'no_colons', 'no_separators');
  if (options === undefined) return validatorOnly(TEXT);
  const eui = options.eui ? String(options.eui) : '';
  const isBare = Boolean(options.no_colons || options.no_separators);
  const forms = new Map([
    ['48', isBare ? '[0-9a-fA-F]{12}' : `${PAIR}([-:\\s])(?:${PAIR}\\1){4}${PAIR}|(?:${QUAD}\\.){2}${QUAD}`],
    ['64', isBare ? '[0-9a-fA-F]{16}' : `${PAIR}([-:\\s])(?:${PAIR}\\1){6}${PAIR}|(?:${QUAD}\\.){3}${QUAD}`],
  ]).get(eui);
  if (forms !== undefined) return exactPattern(`^(?:${forms})$`);
  return exactPattern(
    isBare
      ? '^(?:[0-9a-fA-F]{12}|[0-9a-fA-F]{16})$'
      : `^(?:${PAIR}([-:\\s])(?:${PAIR}\\1){4}(?:${PAIR}\\1${PAIR}\\1)?${PAIR}|(?:${QUAD}\\.){2,3}${QUAD})$`,
  );
}

const MEDIA = ['application', 'audio', 'font', 'image', 'message', 'model', 'multipart', 'text', 'video'];
const SUBTYPE = '[a-zA-Z0-9.+-]{1,100}';
const PARAMETER = '(?:"[a-zA-Z0-9.+\\s-]{0,70}"|[a-zA-Z0-9.+-]{0,70})(?:\\s?\\([a-zA-Z0-9.+\\s-]{1,20}\\))?';
const CHARSET = anyCase('charset');
const MIME_TYPE = [
  `(?:${MEDIA.map(anyCase).join('|')})/[\\w.+-]{1,100}`,
  `${anyCase('text')}/${SUBTYPE};\\s?${CHARSET}=${PARAMETER}`,
  `${anyCase('multipart')}/${SUBTYPE}(?:;\\s?(?:${anyCase('boundary')}|${CHARSET})=${PARAMETER}){1,2}`,
].join('|');

const URN_HASHES = ['aich', 'bitprint', 'btih', 'ed2k', 'ed2khash', 'kzhash', 'md5', 'sha1', 'tree:tiger'];
const MAGNET =
  `^magnet:\\?(?:[\\s\\S]*[^?&]&)?${anyCase('xt')}(?:\\.1)?=${anyCase('urn')}:` +
  `(?:(?:${URN_HASHES.map(anyCase).join('|')}):[a-zA-Z0-9]{32}(?:[a-zA-Z0-9]{8})?` +
  `|${anyCase('btmh')}:1220[a-zA-Z0-9]{64})(?:$|&)`;

const DATA_URI =
  '^\\s*data:(?:[a-zA-Z]+/[a-zA-Z0-9.+_-]+)?(?:;[a-zA-Z-]+=[a-zA-Z0-9-]+)*' +
  `(?:;${anyCase('base')}64)?\\s*,[\\w!$&'()*+,;=.~:@/?%\\s-]*$`;

const PORT = '^(?:-0|\\+?(?:0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))$';

/** The rules on what networks know. */
export const NETWORK_RULES: readonly Rule[] = [
  {
    decorator: IsEmail(),
    near: ['a@b', '"a b"@b.co', 'ü@exäm.de', 'a@b.co\n', 'A <a@b.co>', '@b.co', 'a@'],
    contribute: ([options]) =>
      knownOptions(options) === undefined ? validatorOnly(TEXT) : widerPattern('[^@]@[^@]+$'),
  },
  {
    decorator: IsUrl(),
    near: ['b.co', 'http://b.co/a?b#c', 'http://localhost', 'mailto:a@b.co', 'ftp://b.co', 'http://b.co/ a'],
    contribute: () => widerPattern('^[^\\s<>]+$'),
  },
  {
    decorator: IsFQDN(),
    near: ['b.co', 'localhost', 'a_b.co', '*.b.co', 'b.co.', '-b.co', 'exäm.de', 'b.c'],
    contribute: ([options]) =>
      knownOptions(options) === undefined ? validatorOnly(TEXT) : widerPattern('^[^ _.]+(?:\\.[^ _.]+)+$'),
  },
  {
    decorator: IsIP(),
    near: [
      '127.0.0.1',
      '127.0.0.256',
      '01.0.0.1',
      '::',
      '::1',
      '1::8',
      'fe80::1%eth0',
      '::1.2.3.4',
      '1:2:3:4:5:6:7:8',
      ':::',
    ],
    contribute: contributeIp,
  },
  {
    decorator: IsMACAddress(),
    near: [
      '01:23:45:67:89:ab',
      '01-23-45-67-89-AB',
      '01 23-45 67 89 ab',
      '0123.4567.89ab',
      '0123456789ab',
      '01:23:45:67:89:ab:cd:ef',
    ],
    contribute: contributeMac,
    predicate: (value, [options]) => isMACAddress(value, { ...(typeof options === 'object' ? options : {}) }),
  },
  patternRule(IsPort(), PORT, ['0', '-0', '+80', '080', '65535', '65536', '-1', '8e1']),
  patternRule(IsDataURI(), DATA_URI, [
    'data:,',
    ' data:text/plain;charset=utf-8;Base64 ,a,b ',
    'data:text;base64,a',
    'data:text/plain;base64;a=b,c',
    'DATA:,',
    'data:,é',
  ]),
  patternRule(IsMagnetURI(), MAGNET, [
    `magnet:?xt=urn:btih:${'a'.repeat(40)}`,
    `magnet:?dn=a&XT.1=URN:SHA1:${'A'.repeat(32)}&x`,
    `magnet:?&xt=urn:md5:${'a'.repeat(32)}`,
    `magnet:?xt=urn:md5:${'a'.repeat(33)}`,
    `MAGNET:?xt=urn:md5:${'a'.repeat(32)}`,
  ]),
  patternRule(IsMimeType(), `^(?:${MIME_TYPE})$`, [
    'text/plain',
    'TEXT/Plain; charset="utf 8" (a)',
    'multipart/form-data; boundary=a; charset=b',
    'multipart/a;boundary=a;boundary=b;charset=c',
    'image/a_b',
    'text/a_b;charset=utf-8',
    'text',
  ]),
];
