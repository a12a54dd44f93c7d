/**
 * Takes secrets and personal data out of text before it leaves in an error or a log.
 * Invariant: a text that holds none comes out unchanged, scrubbing twice gives the same as once, and the time
 * grows with the length alone.
 */
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { type Detector, MASK } from './scrub/detector';
import { invisible } from './scrub/invisible';
import { knownSecrets, type RedactOptions } from './scrub/known-secrets';
import { namedValues } from './scrub/named-values';
import { cards, emails } from './scrub/personal';
import { privateKeys } from './scrub/private-keys';
import { isProse, isSecretName } from './scrub/secret-names';
import { tokens } from './scrub/tokens';
import { bareUserInformation, userInformation, webhooks } from './scrub/urls';

/** In characters. A longer text would hold up all other calls, and nobody reads it. */
const MAX_TEXT = 65_536;
const MAX_SECRET = 8_192;
/** A second round finds nothing as a rule; a text that changes once more after this many is masked whole. */
const MAX_ROUNDS = 6;
/** A number below this is a count rather than a code, whatever its name. */
const MIN_SECRET_NUMBER = 1_000;
/** An id of one word: a credential in it is one that the application named, or tells by its form. */
const WORD = /^[\w-]*$/;
/** No credential that tells by its form is a word of fewer characters. */
const SHORTEST_TOKEN = 15;
/** RFC 9562, section 4. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What who judges a call has to see as it is. */
const SHOWN_TO_REVIEWERS: ReadonlySet<Detector> = new Set([invisible, cards, emails]);

/** Keys of what says by its own text what the value beside it is. */
const NAMING = new Set(['name', 'key', 'field', 'header', 'param', 'parameter', 'path', 'property']);
const NAMED = new Set(['value', 'rejectedValue']);

/** Masks secrets in texts and values. */
export class Scrubber {
  /** What looks for secrets, in its order: what holds others comes first. */
  get detectors(): readonly Detector[] {
    return this.looksFor;
  }

  private looksFor: readonly Detector[];
  private readonly known: readonly Detector[];
  private readonly inWords: readonly Detector[];
  private readonly personal: ReadonlySet<Detector> = new Set([cards, emails]);

  /** @throws TypeError when an option is unknown, or a secret is too short to be masked. */
  constructor(options: RedactOptions = {}) {
    const known = knownSecrets(options);
    this.known = known === undefined ? [] : [known];
    this.inWords = [...this.known, ...tokens];
    this.looksFor = [
      invisible,
      ...this.known,
      privateKeys,
      userInformation,
      bareUserInformation,
      ...webhooks,
      ...namedValues,
      ...tokens,
      cards,
      ...(options.emails === false ? [] : [emails]),
    ];
  }

  /** Makes one that masks credentials alone: it keeps personal data, and takes no invisible character out. */
  forReviewers(): Scrubber {
    const reviewers = new Scrubber();
    reviewers.looksFor = this.looksFor.filter((one) => !SHOWN_TO_REVIEWERS.has(one));
    return reviewers;
  }

  /** Masks the secrets of a text, and takes out what is invisible. Of a longer text the end is left out. */
  text(given: string): string {
    if (given.length <= MAX_TEXT) return this.settled(given);
    // Where a text is cut, half a secret would be missed: so much of its end goes too.
    const scrubbed = this.settled(given.slice(0, MAX_TEXT)).slice(0, -MAX_SECRET);
    return this.settled(`${scrubbed.slice(0, MAX_TEXT - MAX_SECRET)}…`);
  }

  /**
   * Masks the credentials of an id, of which no more than 65,536 characters are kept; what tells of a person, as an
   * address does, is left, since ids name persons.
   */
  id(given: string): string {
    const id = given.slice(0, MAX_TEXT);
    if (UUID.test(id)) return this.settled(id, this.known);
    if (WORD.test(id)) return this.settled(id, id.length < SHORTEST_TOKEN ? this.known : this.inWords);
    return this.settled(
      id,
      this.detectors.filter((one) => !this.personal.has(one)),
    );
  }

  /** Goes over a text until nothing changes. */
  private settled(given: string, detectors = this.detectors): string {
    let text = given;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const scrubbed = detectors.reduce((one, detector) => detector.scrub(one), text);
      if (scrubbed === text) return text;
      text = scrubbed;
    }
    return MASK;
  }

  /** Masks the secrets of every text of a JSON value, and every value whose key names a secret. */
  json(value: JsonValue, key = ''): JsonValue {
    const isSecret = key !== '' && isSecretName(key);
    if (typeof value === 'string') {
      const text = this.text(value);
      return isSecret && text !== '' && !isProse(text) ? MASK : text;
    }
    if (typeof value === 'number') return isSecret && Math.abs(value) >= MIN_SECRET_NUMBER ? MASK : value;
    if (typeof value !== 'object' || value === null) return value;
    // What stands within a secret is one, unless its own key says otherwise: `cookies: { a: 'x' }`.
    if (Array.isArray(value)) {
      const isEntries = value.every((part) => Array.isArray(part) && part.length === 2);
      return value.map((part) => (isEntries ? this.entry(part, key) : this.json(part, key)));
    }
    // A header field, a variable or a refused field may also be `{ name: 'password', value: 'x' }`.
    const entries = Object.entries(value);
    const [, named] = entries.find(([name, said]) => NAMING.has(name) && typeof said === 'string') ?? [];
    const nameOf = (name: string) => (NAMED.has(name) && typeof named === 'string' ? named : name);
    const parts = new Map<string, JsonValue>();
    for (const [name, part] of entries) {
      const text = this.text(name);
      // Two keys that are masked alike would leave one value alone.
      const shown = parts.has(text) ? `${text} ${parts.size + 1}` : text;
      parts.set(shown, this.json(part, isSecret ? `${name}.${key}` : nameOf(name)));
    }
    return Object.fromEntries(parts);
  }

  /** One of `[['x-api-key', 'x'], ['accept', 'y']]`, as headers and maps are listed. */
  private entry(pair: JsonValue, key: string): JsonValue {
    const [name, value] = Array.isArray(pair) ? pair : [];
    return typeof name === 'string' && value !== undefined && isSecretName(name)
      ? [this.text(name), this.json(value, name)]
      : this.json(pair, key);
  }

  /** Masks the secrets of everything that a failure says. */
  body({ code, message, retryable, detail, retryAfterMs }: ToolErrorBody): ToolErrorBody {
    return {
      code: this.text(code),
      message: this.text(message),
      retryable,
      ...(detail === undefined ? {} : { detail: this.json(detail) }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
}

const unconfigured = new Scrubber();

/** Masks the secrets of a text outside any toolkit, where no application has named its own. */
export function scrubText(text: string): string {
  return unconfigured.text(text);
}
