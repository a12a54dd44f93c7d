/**
 * Which names say that their value is a secret, and which values are words about one.
 * Invariant: a name counts by its last words, so `tokens`, `keyboard` and `passwordLength` name no secret.
 */

/** Ends of names, written together in lower case. */
const ENDS: readonly string[] = [
  ...[
    'password',
    'passwd',
    'passphrase',
    'passcode',
    'pwd',
    'userpass',
    'dbpass',
    'secret',
    'token',
    'apikey',
  ],
  ...['accesskey', 'secretkey', 'privatekey', 'signingkey', 'signaturekey', 'encryptionkey', 'masterkey'],
  ...[
    'accountkey',
    'authkey',
    'sharedkey',
    'sharedaccesskey',
    'functionskey',
    'subscriptionkey',
    'applicationkey',
  ],
  ...[
    'appkey',
    'consumerkey',
    'licensekey',
    'hmackey',
    'webhookkey',
    'storagekey',
    'sessionkey',
    'servicekey',
  ],
  ...['rolekey', 'adminkey', 'clientkey', 'accesskeyid', 'connectionkey', 'primarykeysecret', 'signature'],
  ...[
    'credential',
    'credentials',
    'authorization',
    'cookie',
    'cookies',
    'sessionid',
    'sessid',
    'csrf',
    'connectsid',
    'jwt',
  ],
  ...['contraseña', 'senha', 'passwort', 'kennwort', 'motdepasse', 'пароль', '密码', '密碼', 'パスワード'],
  ...['비밀번호', 'hasło', 'wachtwoord', 'lösenord', 'şifre'],
];
/** Names too short to be the end of another word: the whole last word counts. */
const WORDS = new Set(['pass', 'sig', 'otp', 'totp', 'cvv', 'cvc', 'cvv2', 'pin', 'bearer', 'psk', 'pw']);
/** What may follow the naming word without changing what it names. */
const TAILS = new Set(
  'value confirm confirmation old new current prod dev test live staging base64 b64 text plain raw base'.split(
    ' ',
  ),
);
/** Tokens that say where to go on, and nothing else. */
const CURSORS = /(?:page|next|sync|cursor|continuation|resume|start|skip|delta|unexpected|invalid)_?token$/i;
const CAMEL = /([\p{Ll}\p{N}])(\p{Lu})/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/u;
const DIGITS_AT_END = /(?<=\p{L})\d{1,3}$/u;

/** Tells whether a name says that its value is a secret. */
export function isSecretName(name: string): boolean {
  const short = name.slice(-100);
  if (CURSORS.test(short)) return false;
  const words = short
    .replace(CAMEL, '$1_$2')
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  while (words.length > 1 && (TAILS.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  const last = words.at(-1)?.replace(DIGITS_AT_END, '') ?? '';
  if (WORDS.has(last)) return last !== 'pin' || words.length === 1;
  const compact = words.slice(-4, -1).join('') + last;
  return ENDS.some((end) => compact.endsWith(end));
}

/** Tells whether a name's value goes on to the end of the line: header fields with many parts. */
export function isWholeLine(name: string): boolean {
  return /(?:authorization|cookie)$/i.test(name);
}

const PROSE =
  /^(?:a|an|the|is|are|was|were|be|been|must|should|shall|may|can|cannot|could|will|would|has|have|had|does|do|did|not|no|too|at|of|for|from|in|on|to|by|with|and|or|use|set|see|required|optional|missing|invalid|expired|revoked|wrong|incorrect|malformed|rejected|refused|denied|unknown|unauthorized|unset|empty|null|nil|none|undefined|true|false|nan|yes|string|number|integer|boolean|object|array|property|expected|unexpected|function|please|your|this|that|each|only|failed|failure|error|ok|valid|needs|contains|exceeds|longer|shorter|length|mismatch|mismatched|void|any|disabled|enabled|include|omit|accepted|consent|off|generated|created|deleted|updated|changed)$/i;
const FIRST_WORD = /^\p{L}{1,20}(?=$|\s|[.,:;!?)]+(?:\s|$))/u;

/** Words of at most this length with digits among them make no sentence: `a b c9`. */
const MAX_LETTERS = 3;
const MAX_MIXED = 4;
const MAX_PHRASE = 100;
const MIXED = /\p{L}\p{N}|\p{N}\p{L}/u;
const KNOWN_MIXED =
  /^(?:[2m]fa|v\d{1,2}|utf8|md5|sha1|b64|s3|ec2|ip[46]|x509|\d+(?:ms|[smhdkb]|kb|mb|st|nd|rd|th))$/i;

/** A password of several short words, of which the first may be a word of a sentence by chance. */
function isShortWords(value: string): boolean {
  const words = value
    .slice(0, MAX_PHRASE)
    .split(SEPARATORS)
    .filter((word) => word !== '');
  const isMixed = (word: string) => MIXED.test(word) && !KNOWN_MIXED.test(word);
  const isShort = (word: string) => word.length <= (MIXED.test(word) ? MAX_MIXED : MAX_LETTERS);
  return words.length > 1 && words.every(isShort) && words.some(isMixed);
}

/** Tells whether a value is words about a secret and not a secret: `must not be empty`, `expired`, `true`. */
export function isProse(value: string): boolean {
  const [first] = FIRST_WORD.exec(value) ?? [];
  return first !== undefined && PROSE.test(first) && !isShortWords(value);
}
