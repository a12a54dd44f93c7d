/**
 * Secrets that a name gives away: `name=value`, `"name": "value"`, header fields, flags, elements and SQL.
 * Invariant: a value is masked whole, with the quotes around it, and nothing else of the text; where a quote is
 * not closed, the value runs to the end of its line.
 */
import { type Detector, MASK, masking } from './detector';
import { isProse, isSecretName, isWholeLine } from './secret-names';

/** What stands between a name and its value; the name is read backwards from here, and counts by its end. */
const SEPARATOR = /(?:=>|%3[Dd]|[=:：])[^\S\r\n]{0,8}/g;
const NAME_CHARACTER = /[\p{L}\p{N}_.$-]/u;
const BLANK = /[^\S\r\n]/;
const FIRST_OF_TWO = /\b(?:api|access|secret|private|auth|account|signing|subscription|license|mot de) $/i;
const MAX_NAME = 80;
const MAX_GAP = 8;
const FLAG = /((?<![\p{L}\p{N}-])--?[a-z][a-z0-9-]{1,60})([^\S\r\n]{1,8})(?=[^\s-])/giu;
const ELEMENT = /(<[a-z][a-z0-9:_.-]{1,60})((?:\s[^<>]{0,200})?>)(?=[^\s<])/gi;
const ATTRIBUTE =
  /(["'][a-z0-9:_.-]{2,60})(\\{0,8}["'],?\s{0,8}\\{0,8}["']?value\\{0,8}["']?\s{0,4}[=:]\s{0,4})(?=\\{0,8}["'])/gi;
/** SQL's and .netrc's words, and what a person would write: a quoted or marked word right after the name. */
const STATEMENT = /(\b(?:password|passwd|identified by))(\s{1,8})(?=["'])/gi;
const NETRC = /(\blogin\s{1,8}\S{1,200}\s{1,8}password)(\s{1,8})(?=\S)/gi;
const CURL = /(\s(?:-u|--user|--proxy-user))(\s{1,4}|=)(?=["']?[^\s:"'-][^\s:"']{0,100}:\S)/g;

/** What a person would write; a word after it is a word about it. */
const SPOKEN =
  /(\b(?:password|passcode|passphrase|token|secret|api key) (?:is|was) ["'`]?)[^\s"'`,;.)]{5,}/gi;
/** `API key provided: Zq8vT3…`, where only the look of the value tells it from a word. */
const SHOWN =
  /(\b(?:password|passphrase|token|secret|(?:api|access|secret) key)(?: (?:provided|supplied|given|received|used))?:? ["'`]?)[A-Za-z0-9_.~+/=-]{10,}/gi;
const RUNS = /[a-z]+|[A-Z]+|\d+/g;
const MIN_DIGITS = 2;
const MIN_RUNS = 0.55;
const COMMAND =
  /(\b(?:docker login|sshpass|mysql[a-z]{0,10}|mongo[a-z]{0,10}|redis-cli)\s(?:[^\r\n]{0,200}?\s)?-[pa])(\s{0,2})(?=[^\s-])/g;

/** Values, from where the text stands; each takes what it can and does not go back. */
const DOUBLE = /"(?:[^"\\\r\n]|\\[^\r\n])*(?:"|$|(?=[\r\n\\]))/y;
const SINGLE = /'(?:[^'\\\r\n]|''|\\[^\r\n])*(?:'|$|(?=[\r\n\\]))/y;
/** A list of texts, as JSON and Node write header fields; it may go over lines. */
const LIST = /\[\s{0,80}\\{0,8}["'][^\]]*\]?/y;
const BACKTICK = /`[^`\r\n]*`?/y;
const ESCAPE = /\\+(?=["'])/y;
/** Of a header field, credentials of one word; others run to the end of the line. */
const SCHEME = /(?:bearer|basic|ssws)\s{1,4}[^\s"'\\,;)\]}]+/iy;
const LINE = /[^\r\n"'\\]+/y;
const VARIABLE = /[^\s"'`]+/y;
const ELEMENT_TEXT = /[^<]+/y;
/** A value of an ODBC string, in which a semicolon may stand. */
const BRACED = /\{[^}\r\n]*\}?/y;
/** Up to a mark that ends it; one that text follows at once, and no further name, is a part of a password. */
const BARE = /(?:[^\s"'`\\&;,<>)}\]]|[,)}\]](?=[\p{L}\p{N}])(?![\p{L}\p{N}_.-]{1,40}["']?[^\S\r\n]?[=:]))+/uy;

const ENVIRONMENT_NAME = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/;
const TRAILING = /[.,;:!?)\]}]{1,8}$/;
const LETTERS = /^[\p{L}\p{M}]{1,40}$/u;
const PLACEHOLDER = /^(?:\*+|x{3,}|\.{3}|…|<.*|\$\{.*|%[a-z]|\{\{.*|same-origin|SIG[A-Z]+)$/i;
const LACKING = /\b(?:unexpected|invalid|expected|illegal|missing|required|unset|without) $/i;
const NAME_ALONE = /^[\p{L}_]{1,60}$/u;
/** `pass: 12` counts, but for the three digits of a card's code. */
const COUNT = /^\d{1,3}$/;
const CARD_CODE = /cv[vc]2?$/i;
/** What is done with what a scope names. */
const SCOPE_END =
  /^(?:[a-z_-]{1,40}[:.]){0,4}(?:read|write|admin|create|delete|update|manage|list|view|all|any|rotate|reset|revoke|issue|exchange|verify|validate|change|use|grant|refresh|execute|run|\*)[.,;:!?)\]]{0,4}$/;
const FIRST_PART = /^\S*/;
const PLACE = /^\/\S*:$/;
/** The start of a JSON Pointer, up to its last segment. */
const POINTER = /(?:^|[\s"'([;])\/(?:[^\s/]{1,80}\/){0,20}$/;
const MAX_BEFORE = 200;
const MAX_JUDGED = 300;
const WORKING_FOLDER = /^(?:old)?pwd$/i;
const PATH = /^(?:\/|[A-Z]:[\\/])/;
const SAYS = /[\p{L}\p{N}]/u;
const GOES_ON = /^[^\S\r\n]\p{L}/u;

function read(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** A value of JSON within JSON: up to a quote that as many backslashes precede as the first. */
function escapedAt(text: string, at: number): string {
  const opening = read(ESCAPE, text, at);
  const quote = text[at + opening.length];
  if (opening === '' || quote === undefined) return '';
  let slashes = 0;
  let place = at + opening.length + 1;
  for (; place < text.length && text[place] !== '\n'; place += 1) {
    if (text[place] === quote && slashes === opening.length) return text.slice(at, place + 1);
    slashes = text[place] === '\\' ? slashes + 1 : 0;
  }
  return text.slice(at, place);
}

/** A header field to the end of its line, or of the text that quotes it; its own parts may be quoted too. */
function fieldAt(text: string, at: number): string {
  const scheme = read(SCHEME, text, at);
  if (scheme !== '') return scheme;
  let end = at + read(LINE, text, at).length;
  while (text[end] === '"' && text[end - 1] === '=') {
    end += read(DOUBLE, text, end).length;
    end += read(LINE, text, end).length;
  }
  return text.slice(at, end);
}

/** The value at a place; its quotes belong to it. */
function valueAt(text: string, at: number, bare: RegExp): string {
  const first = text[at];
  if (first === '"') return read(DOUBLE, text, at);
  if (first === "'") return read(SINGLE, text, at);
  if (first === '`') return read(BACKTICK, text, at);
  if (first === '\\') return escapedAt(text, at);
  if (first === '[') {
    const list = read(LIST, text, at);
    if (list !== '') return list;
  }
  if (first === '{' && text[at - 1] === '=') return read(BRACED, text, at);
  return bare === LINE ? fieldAt(text, at) : read(bare, text, at);
}

const QUOTES = /^(?:\[\s{0,80})?\\{0,8}["'`]|\\{0,8}["'`]$/g;

/** A name that may have a value. */
interface Named {
  readonly name: string;
  readonly separator: string;
  /** Where the name starts, and where its value does. */
  readonly from: number;
  readonly to: number;
}

/** What stands around a name and its value. */
interface Surroundings {
  readonly before: string;
  readonly after: string;
}

/** Whether a value, with the words around it, is a secret and not words about one. */
function isSecretValue({ name, separator }: Named, value: string, { before, after }: Surroundings): boolean {
  const inner = value.replace(QUOTES, '');
  if (!SAYS.test(inner) || inner.startsWith(MASK.slice(0, -1)) || PLACEHOLDER.test(inner) || isProse(inner)) {
    return false;
  }
  if (LACKING.test(before) && NAME_ALONE.test(inner)) return false;
  // `/password: Pflichtfeld` says what is wrong at a place, and so does `orders.token: /id: …` of a tool.
  if (/[:：]\s/.test(separator) && (POINTER.test(before) || PLACE.test(inner))) return false;
  const isQuoted = inner !== value;
  if (separator === ':' && !isQuoted && SCOPE_END.test(FIRST_PART.exec(inner)?.[0] ?? '')) return false;
  if (COUNT.test(inner) && !CARD_CODE.test(name)) return false;
  if (WORKING_FOLDER.test(name) && PATH.test(inner)) return false;
  if (isQuoted || !/[:：]\s/.test(separator) || !LETTERS.test(inner.replace(TRAILING, ''))) return true;
  // After `Kennwort: bitte ändern` a sentence goes on.
  return !GOES_ON.test(after);
}

function bareForm(name: string, separator: string): RegExp {
  if (isWholeLine(name)) return LINE;
  return ENVIRONMENT_NAME.test(name) && separator === '=' ? VARIABLE : BARE;
}

/** Goes back from a place over characters of a kind, but not far. */
function back(text: string, from: number, kind: RegExp, most: number): number {
  let at = from;
  while (at > 0 && from - at < most && kind.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** The name before a separator: `name`, `"name"`, `[name]`, `\\"name\\"` and `API key`. */
function nameBefore(text: string, separatorAt: number): { readonly name: string; readonly from: number } {
  const unspaced = back(text, separatorAt, BLANK, MAX_GAP);
  const unquoted = back(text, back(text, unspaced, /\]/, 1), /["'`]/, 1);
  const end = back(text, unquoted, /\\/, MAX_GAP);
  const start = back(text, end, NAME_CHARACTER, MAX_NAME);
  const [first = ''] = FIRST_OF_TWO.exec(text.slice(Math.max(0, start - 14), start)) ?? [];
  return { name: first + text.slice(start, end), from: start - first.length };
}

function* namesBySeparator(text: string, start: () => number): Generator<Named> {
  for (const found of restarting(text, SEPARATOR, start)) {
    const separator = found[0];
    yield { ...nameBefore(text, found.index), separator, to: found.index + separator.length };
  }
}

/** The matches of a pattern, each from where the last value ended. */
function* restarting(text: string, pattern: RegExp, start: () => number): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const next = pattern.lastIndex;
    yield found;
    pattern.lastIndex = Math.max(next, start());
  }
}

function namesByPattern(finder: RegExp) {
  return function* names(text: string, start: () => number): Generator<Named> {
    for (const found of restarting(text, finder, start)) {
      const [match, name = '', separator = ''] = found;
      yield { name, separator, from: found.index, to: found.index + match.length };
    }
  };
}

type FormOf = (name: string, separator: string) => RegExp;
type FindNames = (text: string, start: () => number) => Iterable<Named>;

function trimmed(value: string, form: RegExp): string {
  return form === VARIABLE ? value.replace(TRAILING, '') : form === LINE ? value.trimEnd() : value;
}

/** Goes from name to name, and masks the values of those that say so. */
function maskValues(
  text: string,
  find: FindNames,
  formOf: FormOf,
  isNamed: (name: string) => boolean,
): string {
  let scrubbed = '';
  let at = 0;
  for (const found of find(text, () => at)) {
    const { name, separator, from, to } = found;
    if (!isNamed(name)) continue;
    const form = formOf(name, separator);
    // A value that stays is read again by the names within it, so it is judged by its start.
    const ahead = text.slice(to - 1, to + MAX_JUDGED);
    const start = trimmed(valueAt(ahead, 1, form), form);
    const before = text.slice(Math.max(0, from - MAX_BEFORE), from);
    if (!isSecretValue(found, start, { before, after: ahead.slice(start.length + 1, start.length + 3) }))
      continue;
    const value = trimmed(valueAt(text, to, form), form);
    scrubbed += `${text.slice(at, to)}${MASK}`;
    at = to + value.length;
  }
  return scrubbed + text.slice(at);
}

function byPattern(
  finder: RegExp,
  form: RegExp,
  isNamed: (name: string) => boolean = isSecretName,
): Detector {
  return {
    patterns: [finder, form],
    scrub: (text) => maskValues(text, namesByPattern(finder), () => form, isNamed),
  };
}

const always = (): boolean => true;

/** Letters and digits that change all the time, as in no name: `OrderLine2Item`. */
function looksRandom(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  const runs = text.match(RUNS)?.length ?? 0;
  return digits >= MIN_DIGITS && /[a-z]/.test(text) && /[A-Z]/.test(text) && runs / text.length > MIN_RUNS;
}

/** Masks the values of names that say that they hold a secret. */
export const namedValues: readonly Detector[] = [
  {
    patterns: [
      SEPARATOR,
      NAME_CHARACTER,
      DOUBLE,
      SINGLE,
      BACKTICK,
      LIST,
      ESCAPE,
      SCHEME,
      LINE,
      VARIABLE,
      BARE,
    ],
    scrub: (text) => maskValues(text, namesBySeparator, bareForm, isSecretName),
  },
  byPattern(FLAG, VARIABLE),
  byPattern(ELEMENT, ELEMENT_TEXT),
  byPattern(ATTRIBUTE, BARE),
  byPattern(STATEMENT, BARE, always),
  byPattern(NETRC, VARIABLE, always),
  byPattern(CURL, VARIABLE, always),
  byPattern(COMMAND, VARIABLE, always),
  masking(SHOWN, looksRandom),
  masking(SPOKEN, (secret) => /^[^\d]/.test(secret) && /\d/.test(secret)),
];
