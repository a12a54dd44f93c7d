/**
 * What tells content from data.
 * Invariant: only what `content` made is content, and it is no part of a result.
 */
import { content } from 'toolcrib';
import { contentPartsOf, sizeOfBase64 } from '../../src/contract/content';
import { anyValue } from '../fixtures/any-value';
import { forAll } from '../fixtures/for-all';

describe('contentPartsOf', () => {
  it('finds blocks and result', () => {
    const blocks = [{ type: 'text', text: 'x' } as const];
    expect(contentPartsOf(content(blocks, 7))).toEqual({ blocks, result: 7 });
    expect(contentPartsOf(content(blocks))).toEqual({ blocks, result: null });
    expect(contentPartsOf(content(blocks, undefined))).toEqual({ blocks, result: null });
  });

  it('finds none in whatever else there is', () => {
    forAll(anyValue, (value) => contentPartsOf(value) === undefined);
    const no = () => {
      throw new Error('hostile');
    };
    for (const value of [
      { content: [{ type: 'text', text: 'x' }], isError: true },
      { blocks: [], result: null },
      JSON.parse('{"toolcrib.content":{"blocks":[],"result":1}}'),
      new Proxy({}, { has: no, get: no }),
      new Proxy(content([]), { get: no }),
      { [Symbol.for('toolcrib.content')]: null },
    ]) {
      expect(contentPartsOf(value)).toBeUndefined();
    }
  });

  it('is not written as a part of JSON', () => {
    expect(() => JSON.stringify({ inside: content([]) })).toThrow(TypeError);
  });
});

describe('sizeOfBase64', () => {
  it('is the number of bytes', () => {
    for (let size = 0; size < 100; size += 1) {
      expect(sizeOfBase64(Buffer.alloc(size, 0xfb).toString('base64'))).toBe(size);
    }
  });
});
