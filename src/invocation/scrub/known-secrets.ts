/**
 * Secrets that the application names: values, and variables of its environment.
 * Invariant: a secret is found as it stands and as URLs, JSON and Base64 write it; none is ever said, not even
 * in the error about an option.
 */
import { refuseNoLists, refuseUnknownKeys } from '../../discovery/check-options';
import { type Detector, masking } from './detector';

/** What an application says about the secrets that leave in no error and no log. */
export interface RedactOptions {
  /** Secrets that no form gives away, each of at least 6 characters. */
  readonly values?: readonly string[];
  /** Names of environment variables, read when the toolkit is created; one that is unset or empty hides nothing. */
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

function formsOf(secret: string): readonly string[] {
  // Through bytes, since half a surrogate pair has no form in a URL.
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, secret.trim(), encodeURIComponent(bytes.toString()), json, base64];
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
  const named = (options.environment ?? []).flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === '' ? [] : [refuseShort(value, `the variable ${name}`)];
  });
  const forms = [...new Set([...values, ...named].flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return undefined;
  return masking(new RegExp(forms.map((form) => form.replace(SPECIAL, '\\$&')).join('|'), 'g'));
}
