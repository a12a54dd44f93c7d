/**
 * Secrets that a name gives away: `name=value`, `"name": "value"`, header fields, flags, elements and SQL.
 * Invariant: a value is masked whole, with the quotes around it, and nothing else of the text; where a quote is
 * not closed, the value runs to the end of its line.
 */
import { type Detector, MASK } from './detector';
import { isProse, isSecretName, isWholeLine } from './secret-names';

/** A name, how it is closed, and what stands between it and its value. A name counts by its end. */
const NAME =
  /((?:\b(?:api|access|secret|private|auth|account|signing|subscription|license|mot de) )?[\p{L}\p{N}_.$-]{2,80})(\\{0,8}["'`]?\]?[^\S\r\n]{0,8}(?:=>|%3[Dd]|[=:：])[^\S\r\n]{0,8})/giu;
const FLAG = /((?<![\p{L}\p{N}-])--?[a-z][a-z0-9-]{1,60})([^\S\r\n]{1,8})(?=[^\s-])/giu;
const ELEMENT = /(<[a-z][a-z0-9:_.-]{1,60})((?:\s[^<>]{0,200})?>)(?=[^\s<])/gi;
const ATTRIBUTE = /(["'][a-z0-9:_.-]{2,60})(["']\s{1,8}value\s{0,4}=\s{0,4})(?=["'])/gi;
/** SQL's and .netrc's words, and what a person would write: a quoted or marked word right after the name. */
const STATEMENT = /(\b(?:password|passwd|identified by))(\s{1,8})(?=["'])/gi;
const NETRC = /(\blogin\s{1,8}\S{1,200}\s{1,8}password)(\s{1,8})(?=\S)/gi;
const CURL = /(\s(?:-u|--user|--proxy-user))(\s{1,4})(?=["']?[^\s:"'-][^\s:"']{0,100}:\S)/g;

/** Values, from where the text stands; each takes what it can and does not go back. */
const DOUBLE = /"(?:[^"\\\r\n]|\\[^\r\n])*(?:"|$|(?=[\r\n\\]))/y;
const SINGLE = /'(?:[^'\\\r\n]|\\[^\r\n])*(?:'|$|(?=[\r\n\\]))/y;
const BACKTICK = /`[^`\r\n]*`?/y;
const ESCAPE = /\\+(?=["'])/y;
const LINE = /[^\r\n"'\\]+/y;
const VARIABLE = /[^\s"'`]+/y;
const ELEMENT_TEXT = /[^<]+/y;
const BARE = /[^\s"'`\\&;,<>)}\]]+/y;

const ENVIRONMENT_NAME = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/;
const TRAILING = /[.,;:!?)\]}]{1,8}$/;
const LETTERS = /^[\p{L}\p{M}]{1,40}$/u;
const PLACEHOLDER = /^(?:\*+|x{3,}|\.{3}|…|<.*|\$\{.*|%[a-z]|\{\{.*)$/i;
const UNEXPECTED = /\b(?:unexpected|invalid|expected|illegal) $/i;
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
  const newline = text.indexOf('\n', at);
  const limit = newline < 0 ? text.length : newline;
  let slashes = 0;
  for (let place = at + opening.length + 1; place < limit; place += 1) {
    if (text[place] === quote && slashes === opening.length) return text.slice(at, place + 1);
    slashes = text[place] === '\\' ? slashes + 1 : 0;
  }
  return text.slice(at, limit);
}

/** The value at a place; its quotes belong to it. */
function valueAt(text: string, at: number, bare: RegExp): string {
  const first = text[at];
  if (first === '"') return read(DOUBLE, text, at);
  if (first === "'") return read(SINGLE, text, at);
  if (first === '`') return read(BACKTICK, text, at);
  if (first === '\\') return escapedAt(text, at);
  return read(bare, text, at);
}

const QUOTES = /^(?:\\*["'`])|(?:\\*["'`])$/g;

/** What stands around a name and its value. */
interface Surroundings {
  readonly before: string;
  readonly after: string;
}

/** Whether a value, with the words around it, is a secret and not words about one. */
function isSecretValue(separator: string, value: string, { before, after }: Surroundings): boolean {
  const inner = value.replace(QUOTES, '');
  if (!SAYS.test(inner) || inner.startsWith(MASK.slice(0, -1)) || PLACEHOLDER.test(inner) || isProse(inner)) {
    return false;
  }
  if (UNEXPECTED.test(before)) return false;
  if (inner !== value || !/[:：]\s/.test(separator) || !LETTERS.test(inner.replace(TRAILING, '')))
    return true;
  // `/password: Pflichtfeld` names a place in a value, and after `Kennwort: bitte ändern` a sentence goes on.
  return !before.endsWith('/') && !GOES_ON.test(after);
}

function bareForm(name: string, separator: string): RegExp {
  if (isWholeLine(name)) return LINE;
  return ENVIRONMENT_NAME.test(name) && separator === '=' ? VARIABLE : BARE;
}

/** Goes from name to name, and masks the values of those that say so. */
function maskValues(
  text: string,
  finder: RegExp,
  formOf: (name: string, separator: string) => RegExp,
): string {
  let scrubbed = '';
  let at = 0;
  finder.lastIndex = 0;
  for (let found = finder.exec(text); found !== null; found = finder.exec(text)) {
    const [match, name = '', separator = ''] = found;
    const start = found.index + match.length;
    if (finder !== CURL && finder !== STATEMENT && !isSecretName(name)) continue;
    const form = formOf(name, separator);
    const whole = valueAt(text, start, form);
    const value = form === VARIABLE ? whole.replace(TRAILING, '') : form === LINE ? whole.trimEnd() : whole;
    const isMasked = isSecretValue(separator, value, {
      before: text.slice(Math.max(0, found.index - 12), found.index),
      after: text.slice(start + value.length, start + value.length + 2),
    });
    if (isMasked) {
      scrubbed += `${text.slice(at, start)}${MASK}`;
      at = start + value.length;
    }
    // Behind a value that stays there may be another name, but none within what was masked.
    if (isMasked) finder.lastIndex = at;
  }
  return scrubbed + text.slice(at);
}

function detector(finder: RegExp, formOf: (name: string, separator: string) => RegExp): Detector {
  return { patterns: [finder], scrub: (text) => maskValues(text, finder, formOf) };
}

/** Masks the values of names that say that they hold a secret. */
export const namedValues: readonly Detector[] = [
  { ...detector(NAME, bareForm), patterns: [NAME, DOUBLE, SINGLE, BACKTICK, ESCAPE, LINE, VARIABLE, BARE] },
  detector(FLAG, () => VARIABLE),
  { ...detector(ELEMENT, () => ELEMENT_TEXT), patterns: [ELEMENT, ELEMENT_TEXT] },
  detector(ATTRIBUTE, () => BARE),
  detector(STATEMENT, () => BARE),
  detector(NETRC, () => VARIABLE),
  detector(CURL, () => VARIABLE),
];
