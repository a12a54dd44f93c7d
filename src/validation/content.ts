/**
 * Turns the blocks that a handler answered into those that leave, or says what is wrong with which.
 * Invariant: what comes out is a frozen copy in MCP's shapes, with nothing in it that the shapes do not name; a
 * block that does not fit the bound is refused, before it is encoded, and never cut.
 */
import { types } from 'node:util';
import type { ContentAnnotations, ContentBlock, EmbeddedResource, ResourceLink } from '../contract/content';
import { hush } from '../contract/hush';
import { childPointer, cutPointer } from '../contract/pointer';
import type { Refused } from '../contract/schema';

/** What leaves, and how many bytes its JSON takes; none where there are no blocks. */
export type ContentOutcome =
  | { readonly ok: true; readonly content: readonly ContentBlock[]; readonly bytes: number }
  | Refused;

const TOKEN = '[A-Za-z0-9][\\w!#$&^.+-]{0,126}';
/** RFC 6838, section 4.2, with parameters in printable ASCII. */
const MIME_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: ?;[ -~]{1,200})?$`);
/** RFC 3986, absolute; other characters are percent-encoded. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

class BadBlock extends Error {
  constructor(
    readonly path: string,
    message: string,
    readonly rule = 'isContent',
  ) {
    super(message);
  }
}

function lengthOf(bytes: Uint8Array): number {
  return 4 * Math.ceil(bytes.byteLength / 3);
}

/** The members of one object of a block: each is read once, and one that is not known is refused. */
class Members {
  private readonly values: ReadonlyMap<string, unknown>;

  constructor(
    given: unknown,
    readonly path: string,
    known: readonly string[],
  ) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new BadBlock(path, `expected an object with ${known.join(', ')}`);
    }
    const values = Object.entries(given).filter(([, value]) => value !== undefined);
    // Getters may have made promises, which nobody else can hear.
    for (const [, value] of values) hush(value);
    const unknown = values.find(([name]) => !known.includes(name));
    if (unknown !== undefined) {
      throw new BadBlock(this.at(unknown[0]), `there is no such member; there are ${known.join(', ')}`);
    }
    this.values = new Map(values);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  get(name: string): unknown {
    return this.values.get(name);
  }

  at(name: string): string {
    return childPointer(this.path, name);
  }

  text(name: string, form?: RegExp, what = 'text'): string {
    const value = this.get(name);
    if (typeof value === 'string' && (form === undefined || form.test(value))) return value;
    throw new BadBlock(this.at(name), `expected ${what}`);
  }

  /** A text that may be left out. */
  optional<K extends string>(name: K, form?: RegExp, what?: string): { readonly [N in K]?: string } {
    const found: { [N in K]?: string } = {};
    return this.has(name) ? Object.assign(found, { [name]: this.text(name, form, what) }) : found;
  }

  /** Bytes, or base64 text of at most so many characters. */
  data(name: string, room: number): string {
    const value = this.get(name);
    const isBytes = types.isUint8Array(value);
    if (!isBytes && typeof value !== 'string') {
      throw new BadBlock(this.at(name), 'expected a Uint8Array or base64 text');
    }
    if ((isBytes ? lengthOf(value) : value.length) > room) throw tooLarge(this.at(name));
    if (isBytes) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    if (value.length % 4 === 0 && !NOT_BASE64.test(value.replace(/={1,2}$/, ''))) return value;
    throw new BadBlock(
      this.at(name),
      'expected base64 of the standard alphabet, padded (RFC 4648, section 4)',
    );
  }
}

function tooLarge(path: string): BadBlock {
  return new BadBlock(path, 'the answer takes too many bytes; link to it instead', 'maxBytes');
}

function isAudience(value: unknown): value is 'user' | 'assistant' {
  return value === 'user' || value === 'assistant';
}

function toAnnotations(block: Members): { readonly annotations?: ContentAnnotations } {
  if (!block.has('annotations')) return {};
  const given = new Members(block.get('annotations'), block.at('annotations'), [
    'audience',
    'priority',
    'lastModified',
  ]);
  const found: { audience?: readonly ('user' | 'assistant')[]; priority?: number; lastModified?: string } =
    {};
  if (given.has('audience')) {
    const audience = given.get('audience');
    // A copy made by the list itself could be anything.
    const length = Array.isArray(audience) ? Math.min(audience.length, 3) : 0;
    const listed = Array.from({ length }, (_, at): unknown => Object(audience)[at]);
    const known = listed.filter(isAudience);
    if (!Array.isArray(audience) || known.length !== audience.length) {
      throw new BadBlock(given.at('audience'), "expected a list of 'user' and 'assistant'");
    }
    found.audience = Object.freeze(known);
  }
  if (given.has('priority')) {
    const priority = given.get('priority');
    if (typeof priority !== 'number' || !(priority >= 0 && priority <= 1)) {
      throw new BadBlock(given.at('priority'), 'expected a number from 0 to 1');
    }
    // JSON has a zero without a sign.
    found.priority = Math.abs(priority);
  }
  Object.assign(found, given.optional('lastModified', ISO_TIME, 'an ISO 8601 time'));
  return { annotations: Object.freeze(found) };
}

function toMedia(type: 'image' | 'audio', given: unknown, path: string, room: number): ContentBlock {
  const block = new Members(given, path, ['type', 'data', 'mimeType', 'annotations']);
  const form = new RegExp(`^${type}/`);
  const mimeType = block.text('mimeType', MIME_TYPE, 'a media type');
  if (!form.test(mimeType)) throw new BadBlock(block.at('mimeType'), `expected ${type}/…`);
  const data = block.data('data', room);
  // Model APIs refuse the whole request for an empty one.
  if (data === '') throw new BadBlock(block.at('data'), 'expected data and got none');
  return { type, data, mimeType, ...toAnnotations(block) };
}

function toLink(given: unknown, path: string): ResourceLink {
  const known = ['type', 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'annotations'];
  const block = new Members(given, path, known);
  const size = block.get('size');
  if (block.has('size') && !(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0)) {
    throw new BadBlock(block.at('size'), 'expected a number of bytes');
  }
  return {
    type: 'resource_link',
    uri: block.text('uri', URI, 'an absolute URI, percent-encoded'),
    name: block.text('name'),
    ...block.optional('title'),
    ...block.optional('description'),
    ...block.optional('mimeType', MIME_TYPE, 'a media type'),
    ...(typeof size === 'number' ? { size: Math.abs(size) } : {}),
    ...toAnnotations(block),
  };
}

function toResource(given: unknown, path: string, room: number): EmbeddedResource {
  const block = new Members(given, path, ['type', 'resource', 'annotations']);
  const inner = new Members(block.get('resource'), block.at('resource'), ['uri', 'mimeType', 'text', 'blob']);
  if (inner.has('text') === inner.has('blob')) {
    throw new BadBlock(block.at('resource'), 'expected either text or blob');
  }
  const head = {
    uri: inner.text('uri', URI, 'an absolute URI, percent-encoded'),
    ...inner.optional('mimeType', MIME_TYPE, 'a media type'),
  };
  const resource = inner.has('text')
    ? { ...head, text: inner.text('text') }
    : { ...head, blob: inner.data('blob', room) };
  return { type: 'resource', resource: Object.freeze(resource), ...toAnnotations(block) };
}

function toText(given: unknown, path: string): ContentBlock {
  const block = new Members(given, path, ['type', 'text', 'annotations']);
  return { type: 'text', text: block.text('text'), ...toAnnotations(block) };
}

function toBlock(given: unknown, path: string, room: number): ContentBlock {
  const type = typeof given === 'object' && given !== null && 'type' in given ? given.type : undefined;
  switch (type) {
    case 'text':
      return toText(given, path);
    case 'image':
    case 'audio':
      return toMedia(type, given, path, room);
    case 'resource_link':
      return toLink(given, path);
    case 'resource':
      return toResource(given, path, room);
    default:
      hush(type);
      throw new BadBlock(
        childPointer(path, 'type'),
        'expected text, image, audio, resource_link or resource',
      );
  }
}

function refuse(index: number, error: unknown): Refused {
  const path = `/content/${index}`;
  const bad = error instanceof BadBlock ? error : new BadBlock(path, 'reading the block threw');
  const message = `block ${index} of the content: ${bad.message}`;
  return { ok: false, violations: [{ path: cutPointer(bad.path), rule: bad.rule, message }] };
}

/** Takes the blocks of an answer that may take `maxBytes` of UTF-8 as JSON. */
export function toContent(given: unknown, maxBytes: number): ContentOutcome {
  let index = 0;
  // The brackets; each block brings its comma, but for the first.
  let bytes = 1;
  try {
    if (!Array.isArray(given)) throw new BadBlock('/content', 'expected a list of blocks');
    const content: ContentBlock[] = [];
    for (; index < given.length; index += 1) {
      const path = `/content/${index}`;
      const item: unknown = given[index];
      const block = Object.freeze(toBlock(item, path, maxBytes - bytes));
      bytes += Buffer.byteLength(JSON.stringify(block)) + 1;
      if (bytes > maxBytes) throw tooLarge(path);
      content.push(block);
    }
    return { ok: true, content: Object.freeze(content), bytes: content.length === 0 ? 0 : bytes };
  } catch (error) {
    hush(given);
    return refuse(index, error);
  }
}
