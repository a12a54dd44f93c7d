/**
 * Outputs that JSON.stringify would write as `{}`, as a heap of numbers, or not at all.
 * Invariant: what has no JSON form is invalid_output with its place, never an empty success.
 */
import { Readable, Writable } from 'node:stream';
import { runOnce } from '../fixtures/recorded-toolkit';

function* generate(): Generator<number> {
  yield 1;
}
async function* generateLater(): AsyncGenerator<number> {
  yield 1;
}

const OPAQUE: readonly (readonly [string, () => unknown])[] = [
  ['a generator', generate],
  ['an async generator', generateLater],
  ['a readable stream', () => Readable.from(['secret'])],
  ['a writable stream', () => new Writable()],
  ['a web stream', () => new ReadableStream()],
  ['a typed array', () => new Float64Array([1, 2])],
  ['bytes', () => Buffer.from('secret')],
  ['a DataView', () => new DataView(new ArrayBuffer(2))],
  ['an ArrayBuffer', () => new ArrayBuffer(2)],
  ['a SharedArrayBuffer', () => new SharedArrayBuffer(2)],
  ['URLSearchParams', () => new URLSearchParams('q=secret')],
  ['Headers', () => new Headers({ a: 'secret' })],
  ['a Response', () => new Response('secret')],
  ['a Blob', () => new Blob(['secret'])],
  ['the entries of a Map', () => new Map([['a', 1]]).entries()],
  ['the values of a Set', () => new Set([1]).values()],
  ['the elements of an array', () => [1].values()],
  ['a Proxy around a Map', () => new Proxy(new Map([['a', 1]]), {})],
  ['a Proxy around a Set', () => new Proxy(new Set([1]), {})],
  ['a WeakRef', () => new WeakRef({ a: 1 })],
  ['an AbortSignal', () => AbortSignal.abort('secret')],
  ['an AbortController', () => new AbortController()],
];

/** The place, in short, at which a tool's answer is refused. */
function refusedAt(path: string): object {
  return {
    success: false,
    error: { code: 'invalid_output', retryable: false, detail: { violations: [{ path, rule: 'isJson' }] } },
  };
}

it.each(OPAQUE)('ENV-10: is refused where it stands: %s', async (_, make) => {
  const whole = await runOnce(() => make());
  expect(whole.result).toMatchObject(refusedAt(''));
  const inside = await runOnce(() => ({ 'a/b': [1, make()] }));
  expect(inside.result).toMatchObject(refusedAt('/a~1b/1'));
  expect(JSON.stringify([whole, inside])).not.toContain('secret');
});

it.each([
  ['a function', () => 'secret'],
  ['a class', class {}],
  ['a symbol', Symbol('secret')],
])('ENV-10: is refused on its own: %s', async (_, output) => {
  const { result } = await runOnce(() => output);
  expect(result).toMatchObject(refusedAt(''));
  expect((await runOnce(() => [output])).result).toMatchObject(refusedAt('/0'));
  expect(JSON.stringify(result)).not.toContain('secret');
});

it('ENV-10: is refused before it is walked through, however large', async () => {
  for (const output of [new Uint8Array(400_000_000), { rows: new Float64Array(40_000_000) }]) {
    const { result } = await runOnce(() => output);
    expect(result).toMatchObject({ error: { code: 'invalid_output' } });
  }
});
