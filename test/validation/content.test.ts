/**
 * Which blocks of content leave, and in which form.
 * Invariant: what leaves is in MCP's shapes and frozen, and its bytes are counted as its JSON has them.
 */
import * as fc from 'fast-check';
import { toContent } from '../../src/validation/content';
import { anyValue } from '../fixtures/any-value';
import { forAll } from '../fixtures/for-all';
import { watchProcess } from '../torture/host';

const BOUND = 10_000;
const png = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'file:///a.txt', name: 'a' };

function refusalOf(given: unknown, bound = BOUND): unknown {
  const outcome = toContent(given, bound);
  return outcome.ok ? undefined : outcome.violations.map(({ path, rule }) => `${path} ${rule}`).join();
}

const no = (): never => {
  throw new Error('hostile');
};

describe('a sound block', () => {
  const annotations = {
    audience: ['user', 'assistant'],
    priority: 0.5,
    lastModified: '2026-07-28T10:00:00Z',
  };
  it.each<[string, object]>([
    ['text', { type: 'text', text: '' }],
    ['text with annotations', { type: 'text', text: 'x', annotations }],
    ['text with what nobody sees', { type: 'text', text: 'a\u202eb\u0000' }],
    ['an image', png],
    ['a sound', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations }],
    ['a link', link],
    ['a whole link', { ...link, title: 't', description: 'd', mimeType: 'text/plain', size: 0, annotations }],
    ['a link by another scheme', { ...link, uri: 'urn:isbn:0451450523' }],
    ['a resource of text', { type: 'resource', resource: { uri: 'test://a?b=%20#c', text: 'x' } }],
    [
      'a resource of data',
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/csv; charset=utf-8', blob: '' } },
    ],
  ])('leaves as it is: %s', (_, block) => {
    const outcome = toContent([block], BOUND);
    expect(outcome).toEqual({
      ok: true,
      content: [block],
      bytes: Buffer.byteLength(JSON.stringify([block])),
    });
  });

  it('leaves without the sign of a zero', () => {
    const outcome = toContent([{ ...link, size: -0, annotations: { priority: -0 } }], BOUND);
    expect(outcome).toMatchObject({ content: [{ size: 0, annotations: { priority: 0 } }] });
  });

  it('leaves without members that are undefined', () => {
    const outcome = toContent([{ ...png, annotations: undefined }], BOUND);
    expect(outcome.ok && Object.keys(outcome.content[0] ?? {})).toEqual(['type', 'data', 'mimeType']);
  });

  it('leaves bytes as base64, also those of a part of a buffer', () => {
    forAll(fc.tuple(fc.uint8Array({ minLength: 1 }), fc.nat(9)), ([bytes, offset]) => {
      const larger = new Uint8Array(bytes.length + offset + 5).fill(255);
      larger.set(bytes, offset);
      const part = larger.subarray(offset, offset + bytes.length);
      const data = Buffer.from(bytes).toString('base64');
      for (const given of [bytes, part, Buffer.from(bytes)]) {
        expect(toContent([{ ...png, data: given }], BOUND)).toMatchObject({ content: [{ ...png, data }] });
      }
    });
  });

  it('is copied and frozen throughout', () => {
    const block = { ...link, annotations: { audience: ['user'] } };
    const blob = { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } };
    const blocks = [block, blob];
    const outcome = toContent(blocks, BOUND);
    const before = JSON.stringify(outcome);
    block.name = 'changed';
    block.annotations.audience.push('assistant');
    blob.resource.blob = 'BBBB';
    blocks.length = 0;
    expect(JSON.stringify(outcome)).toBe(before);
    const parts = outcome.ok ? [outcome.content, ...outcome.content] : [];
    const [, first, second] = parts;
    const inner = [Object(first).annotations, Object(first).annotations.audience, Object(second).resource];
    expect([...parts, ...inner].every((part) => Object.isFrozen(part))).toBe(true);
  });
});

it('takes no list that copies itself into something else', () => {
  const audience = Object.assign(['user'], { slice: () => ({ filter: () => ({ length: 1, other: 1 }) }) });
  expect(toContent([{ type: 'text', text: 'x', annotations: { audience } }], BOUND)).toMatchObject({
    content: [{ annotations: { audience: ['user'] } }],
  });
});

it('hears the promises in what it refuses, also those that getters make', async () => {
  const rejected = () => Promise.reject(new Error('S3CR3T'));
  const watch = watchProcess();
  const getter = (name: string, made: () => unknown) =>
    Object.defineProperty({ type: 'text', text: 'x' }, name, { get: made, enumerable: true });
  const given = [
    rejected(),
    [png, rejected()],
    [{ type: 'text', text: rejected() }],
    [getter('type', rejected)],
    [getter('text', rejected)],
    [getter('annotations', () => ({ audience: [rejected()] }))],
  ];
  for (const blocks of given) expect(toContent(blocks, BOUND).ok).toBe(false);
  await new Promise(setImmediate);
  watch.stop();
  expect(watch.seen).toEqual([]);
});

describe('a refused block', () => {
  const at = (block: object): unknown => refusalOf([png, block]);
  it.each<[string, object, string]>([
    ['of no type', {}, 'type'],
    ['of a type that is not known', { type: 'video', data: 'AAAA', mimeType: 'video/mp4' }, 'type'],
    ['that is a list', [png], 'type'],
    ['with text that is none', { type: 'text', text: 7 }, 'text'],
    ['with a member that is not known', { ...png, _meta: {} }, '_meta'],
    ['with data that is a number', { ...png, data: 7 }, 'data'],
    ['with data that is another view', { ...png, data: new Uint16Array(4) }, 'data'],
    ['with data that is a list', { ...png, data: [1, 2, 3] }, 'data'],
    ['with data that is promised', { ...png, data: Promise.resolve('AAAA') }, 'data'],
    ['without data', { ...png, data: new Uint8Array() }, 'data'],
    ['with base64 of another alphabet', { ...png, data: 'ab-_' }, 'data'],
    ['with base64 that is not padded', { ...png, data: 'abcde' }, 'data'],
    ['with base64 in lines', { ...png, data: 'AAA\nAAAA' }, 'data'],
    ['with padding inside', { ...png, data: 'A=AA' }, 'data'],
    ['with padding alone', { ...png, data: '====' }, 'data'],
    ['with a data URL', { ...png, data: 'data:image/png;base64,AAAA' }, 'data'],
    ['without a media type', { type: 'image', data: 'AAAA' }, 'mimeType'],
    ['with a media type that is none', { ...png, mimeType: 'png' }, 'mimeType'],
    ['with a media type and a line feed', { ...png, mimeType: 'image/png\n' }, 'mimeType'],
    ['with the media type of a sound', { ...png, mimeType: 'audio/wav' }, 'mimeType'],
    ['with a relative URI', { ...link, uri: '/a.txt' }, 'uri'],
    ['with a URI and a blank', { ...link, uri: 'file:///a b' }, 'uri'],
    ['with a URI and a control', { ...link, uri: 'file:///a\u202eb' }, 'uri'],
    ['without a name', { ...link, name: undefined }, 'name'],
    ['with a size that is none', { ...link, size: -1 }, 'size'],
    ['without a resource', { type: 'resource' }, 'resource'],
    ['with a resource of neither', { type: 'resource', resource: { uri: 'a:b' } }, 'resource'],
    [
      'with a resource of both',
      { type: 'resource', resource: { uri: 'a:b', text: '', blob: '' } },
      'resource',
    ],
    ['with a bad blob', { type: 'resource', resource: { uri: 'a:b', blob: '!' } }, 'resource/blob'],
    ['with annotations that are none', { ...png, annotations: [] }, 'annotations'],
    ['with an unknown annotation', { ...png, annotations: { a: 1 } }, 'annotations/a'],
    ['for nobody that is known', { ...png, annotations: { audience: ['ann'] } }, 'annotations/audience'],
    ['of too high a priority', { ...png, annotations: { priority: 2 } }, 'annotations/priority'],
    ['of a priority that is none', { ...png, annotations: { priority: Number.NaN } }, 'annotations/priority'],
    ['of no time', { ...png, annotations: { lastModified: 'today' } }, 'annotations/lastModified'],
  ])('is told by its place: one %s', (_, block, place) => {
    expect(at(block)).toBe(`/content/1/${place} isContent`);
  });

  it.each<[string, object]>([
    ['a getter throws', Object.defineProperty({ ...png }, 'data', { get: no, enumerable: true })],
    ['its keys cannot be listed', new Proxy(png, { ownKeys: no })],
    ['nothing of it can be read', new Proxy(png, { get: no, has: no })],
  ])('is told by its number where %s', (_, block) => {
    expect(at(block)).toBe('/content/1 isContent');
  });

  it('is told as the whole where there is no list', () => {
    for (const given of [undefined, null, 'x', png, { length: 1, 0: png }]) {
      expect(refusalOf(given)).toBe('/content isContent');
    }
  });

  it('never makes the check throw, whatever it is', () => {
    forAll(anyValue, (value) => {
      expect(typeof toContent([value], BOUND).ok).toBe('boolean');
      expect(typeof toContent(value, BOUND).ok).toBe('boolean');
    });
  });
});

/** A block with some members as they should be, and some not. */
function nearly(members: { readonly [name: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<unknown> {
  const off: { [name: string]: fc.Arbitrary<unknown> } = {};
  for (const [name, good] of Object.entries(members)) {
    off[name] = fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: anyValue });
  }
  return fc.record(off, { requiredKeys: ['type'] });
}

describe('a block that is nearly one', () => {
  const mimeType = fc.constantFrom('image/png', 'audio/wav', 'text/plain');
  const data = fc.oneof(fc.base64String({ minLength: 1 }), fc.uint8Array({ minLength: 1 }));
  const annotations = nearly({ type: fc.constant(undefined), priority: fc.double({ min: 0, max: 1 }) });
  const uri = fc.webUrl();
  const resource = nearly({ type: fc.constant(undefined), uri, mimeType, text: fc.string() });
  const block = fc.oneof(
    nearly({ type: fc.constant('text'), text: fc.string(), annotations }),
    nearly({ type: fc.constantFrom('image', 'audio'), data, mimeType, annotations }),
    nearly({ type: fc.constant('resource_link'), uri, name: fc.string(), size: fc.nat(), annotations }),
    nearly({ type: fc.constant('resource'), resource, annotations }),
  );

  it('is refused by its number, or leaves as JSON of exactly the bytes that are counted', () => {
    const counts = { left: 0, refused: 0 };
    forAll(
      fc.array(block, { minLength: 1, maxLength: 3 }),
      (blocks) => {
        const outcome = toContent(blocks, BOUND);
        if (outcome.ok) {
          counts.left += 1;
          const text = JSON.stringify(outcome.content);
          expect(JSON.parse(text)).toEqual(outcome.content);
          expect(outcome.bytes).toBe(Buffer.byteLength(text));
          // What has left may be answered again, as it is.
          expect(toContent(outcome.content, BOUND)).toEqual(outcome);
        } else {
          counts.refused += 1;
          expect(outcome.violations[0]?.path).toMatch(/^\/content\/[0-2]/);
        }
      },
      2_000,
    );
    expect(Math.min(counts.left, counts.refused)).toBeGreaterThan(200);
  });
});

describe('the bound', () => {
  it('is met to the byte', () => {
    forAll(fc.array(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), { minLength: 1 }), (texts) => {
      const blocks = texts.map((text) => ({ type: 'text', text }));
      const bytes = Buffer.byteLength(JSON.stringify(blocks));
      expect(toContent(blocks, bytes)).toMatchObject({ ok: true, bytes });
      expect(refusalOf(blocks, bytes - 1)).toBe(`/content/${blocks.length - 1} maxBytes`);
    });
  });

  it('refuses data before it is encoded', () => {
    const data = new Uint8Array(3 * BOUND);
    Object.defineProperty(data, 'buffer', { get: no });
    expect(refusalOf([png, { ...png, data }])).toBe('/content/1/data maxBytes');
    expect(refusalOf([png, { ...png, data: 'A'.repeat(4 * BOUND) }])).toBe('/content/1/data maxBytes');
  });

  it('ends a list without end', () => {
    const endless = new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : png) });
    expect(refusalOf(endless)).toMatch(/^\/content\/\d+(\/data)? maxBytes$/);
  });
});
