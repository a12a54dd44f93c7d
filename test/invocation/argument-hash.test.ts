/**
 * The argument hash: SHA-256 over the canonical JSON (RFC 8785) of the arguments that were validated.
 * Invariant: two calls have one hash exactly when their arguments are the same JSON.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type RecordedToolkit, toolkitRunning } from '../fixtures/recorded-toolkit';

/** RFC 8785: members sorted by UTF-16 code units, scalars as JSON.stringify writes them. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same JSON with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

let toolkit: RecordedToolkit;
let hash: string | undefined;

async function hashOf(args: unknown): Promise<string | undefined> {
  hash = undefined;
  await toolkit.run(args);
  return hash;
}

beforeAll(async () => {
  toolkit = await toolkitRunning(() => 'done', {
    interceptors: [
      {
        stage: 'execute',
        run: (call, next) => {
          hash = call.argumentHash;
          return next();
        },
      },
    ],
  });
});

const freeForm = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });

it('is the SHA-256 of the canonical JSON, in hexadecimal', async () => {
  expect(await hashOf({ note: 'é', id: 7 })).toBe(sha256('{"id":7,"note":"é"}'));
});

it('follows RFC 8785 for any JSON, and does not depend on the order of keys', async () => {
  await fc.assert(
    fc.asyncProperty(freeForm, fc.integer(), async (free, id) => {
      const args = { id, free };
      const straight = await hashOf(args);
      fc.pre(straight !== undefined);
      expect(straight).toBe(sha256(canonical(args)));
      expect(await hashOf(reversed(args))).toBe(straight);
    }),
    { seed: 8785, numRuns: 200 },
  );
});

it('differs for different arguments', async () => {
  await fc.assert(
    fc.asyncProperty(freeForm, freeForm, async (one, other) => {
      fc.pre(canonical(one) !== canonical(other));
      const [first, second] = [await hashOf({ free: one }), await hashOf({ free: other })];
      fc.pre(first !== undefined && second !== undefined);
      expect(first).not.toBe(second);
    }),
    { seed: 8785, numRuns: 200 },
  );
});

it('tells the order of arrays, and a number from its text', async () => {
  expect(await hashOf({ free: { list: [1, 2] } })).not.toBe(await hashOf({ free: { list: [2, 1] } }));
  expect(await hashOf({ free: { n: 1 } })).not.toBe(await hashOf({ free: { n: '1' } }));
});

it('is that of {} for arguments left out, null and undefined members', async () => {
  const empty = sha256('{}');
  expect(await hashOf({})).toBe(empty);
  expect(await hashOf(null)).toBe(empty);
  expect(await hashOf({ note: undefined })).toBe(empty);
  await toolkit.toolkit.invoke('test.run', undefined);
  expect(hash).toBe(empty);
});

it('is that of the validated arguments, even where the caller changes its object during the call', async () => {
  const args = { id: 7 };
  const late: (string | undefined)[] = [];
  const { run } = await toolkitRunning(
    () => {
      args.id = 8;
    },
    {
      interceptors: [
        {
          stage: 'check_output',
          run: (call, next) => {
            late.push(call.argumentHash);
            return next();
          },
        },
      ],
    },
  );
  await run(args);
  expect(late).toEqual([sha256('{"id":7}')]);
});
