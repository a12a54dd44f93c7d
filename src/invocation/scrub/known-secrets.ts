/**
 * Secrets that the application names: values, and variables of its environment.
 * Invariant: a secret is found as it stands and as URLs, JSON and Base64 write it, also within other text; none is ever said, not even
 * in the error about an option.
 */
import { refuseNoLists, refuseUnknownKeys } from '../../discovery/check-options';
import { type Detector, masking } from './detector';

/** What an application says about the secrets that leave in no error and no log. */
export interface RedactOptions {
  /** Secrets that no form gives away, each of at least 6 characters. */
  readonly values?: readonly string[];
  /**
   * Names of environment variables, read when the toolkit is created; one that is unset or empty hides nothing,
   * and is warned of.
   */
  readonly environment?: readonly string[];
  /** False keeps e-mail addresses in errors and logs; left out: they are masked. */
  readonly emails?: boolean;
}

const OPTIONS: readonly (keyof RedactOptions)[] = ['values', 'environment', 'emails'];
/** A shorter text stands in too many words. */
const MIN_LENGTH = 6;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

function refuseShort(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim().length >= MIN_LENGTH) return value;
  throw new TypeError(
    `createToolkit: ${name} is no text of at least ${MIN_LENGTH} characters, so masking it would spoil words; leave it out.`,
  );
}

function literal(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}

/** A character as URLs write it, whose hexadecimal digits may be of either case. */
function inUrls(character: string): readonly string[] {
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const encoded = bytes.map(
    (byte) => `%${byte.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`,
  );
  return [encoded.join(''), ...(character === ' ' ? ['\\+'] : [])];
}

/** A character as it stands, or as JSON or any encoder of URLs writes it: they differ in what they leave. */
function patternOf(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const inJson = [JSON.stringify(character).slice(1, -1), ...(character === '/' ? ['\\/'] : [])];
  return `(?:${[...inUrls(character), ...inJson.map(literal), literal(character)].join('|')})`;
}

/** What Base64 makes of a secret: of all of it, and of what does not depend on the text around it. */
function inBase64(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((before) => {
    const length = before + bytes.length;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor((length * 8) / 6));
  });
  const all = [bytes.toString('base64').replace(/=+$/, ''), ...within];
  return all.map((text) => text.replace(/\+/g, '[+-]').replace(/\//g, '[/_]'));
}

function formsOf(secret: string): readonly string[] {
  const texts = [...new Set([secret, secret.trim()])];
  return [...texts.map((text) => [...text].map(patternOf).join('')), ...texts.flatMap(inBase64)];
}

/** The variables that are named and hide nothing, since they are unset or empty. */
export function unsetVariables({ environment = [] }: RedactOptions): readonly string[] {
  return environment.filter((name) => (process.env[name] ?? '') === '');
}

/**
 * Makes the detector of what the application names; undefined where it names nothing.
 *
 * @throws TypeError on an unknown option, on a list that is none, and on a secret that is too short.
 */
export function knownSecrets(options: RedactOptions): Detector | undefined {
  refuseUnknownKeys('createToolkit: redact', options, OPTIONS);
  refuseNoLists('createToolkit: redact', options, ['values', 'environment']);
  const values = (options.values ?? []).map((value, index) => refuseShort(value, `redact.values[${index}]`));
  const unset = unsetVariables(options);
  const named = (options.environment ?? [])
    .filter((name) => !unset.includes(name))
    .map((name) => refuseShort(process.env[name], `the variable ${name}`));
  const secrets = [...new Set([...values, ...named])].sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return undefined;
  return masking(new RegExp(secrets.flatMap(formsOf).join('|'), 'g'));
}
