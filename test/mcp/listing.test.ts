/**
 * `tools/list` over the wire: pages, cursors, and what a caller sees.
 * Invariant: walking the pages gives every tool that the caller may call once, in order, whatever the page size.
 */
import fc from 'fast-check';
import { createToolkit, type ToolSpec } from 'toolcrib';
import { createMcpHandler, type McpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { makeSpec } from '../fixtures/hand-made-spec';
import { rpc } from '../fixtures/mcp-rpc';
import { recordingLogger } from '../fixtures/recorded-toolkit';

async function serve(specs: readonly ToolSpec[], options: McpHandlerOptions = {}) {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
  toolkit.registry.update((draft) => specs.forEach(draft.register));
  return { toolkit, handler: createMcpHandler(toolkit, options) };
}

interface Page {
  readonly tools: readonly { readonly name: string }[];
  readonly nextCursor?: string;
  readonly ttlMs?: number;
  readonly cacheScope?: string;
}

async function page(handler: McpHandler, cursor?: string, headers = {}): Promise<Page> {
  const { body } = await rpc(handler, 'tools/list', cursor === undefined ? {} : { cursor }, { headers });
  return Object(body).result;
}

async function walk(handler: McpHandler, headers = {}): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await page(handler, cursor, headers);
    names.push(...tools.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return names;
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), { maxLength: 25 });

it('gives every tool once, in order, for any tools and any size of a page', async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 1, max: 9 }), async (given, pageSize) => {
      const { handler } = await serve(
        given.map((name) => makeSpec(name)),
        { pageSize },
      );
      expect(await walk(handler)).toEqual([...given].sort());
    }),
    { seed: 7, numRuns: 40 },
  );
});

it('misses no tool that was there all the time, and repeats none, when tools come and go between pages', async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.infiniteStream(fc.nat(24)), async (given, picks) => {
      const { toolkit, handler } = await serve(
        given.map((name) => makeSpec(name)),
        { pageSize: 3 },
      );
      const [gone, seen] = [new Set<string>(), [] as string[]];
      let cursor: string | undefined;
      do {
        const { tools, nextCursor } = await page(handler, cursor);
        seen.push(...tools.map(({ name }) => name));
        cursor = nextCursor;
        const victim = given[picks.next().value ?? 0];
        if (victim === undefined || gone.has(victim)) continue;
        gone.add(victim);
        toolkit.registry.update((draft) => draft.remove(`${victim}@1.0.0`));
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(given.filter((name) => !gone.has(name))));
    }),
    { seed: 8, numRuns: 40 },
  );
});

it.each(['', 'x', 'YWZ0ZXI', 'bm90IG91cnM', '🙂', 'a'.repeat(5_000), '%00', 'YWZ0ZXI6='])(
  'refuses the cursor %j by -32602',
  async (cursor) => {
    const { handler } = await serve([makeSpec('a')]);
    const { body } = await rpc(handler, 'tools/list', { cursor });
    expect(body).toMatchObject({ error: { code: -32602 } });
  },
);

it('answers any text for a cursor with a page or with -32602', async () => {
  const { handler } = await serve([makeSpec('a'), makeSpec('b')], { pageSize: 1 });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })),
      async (cursor) => {
        const { body } = await rpc(handler, 'tools/list', { cursor });
        const { result, error } = Object(body);
        expect(result === undefined ? error.code : Array.isArray(result.tools)).toBe(
          result === undefined ? -32602 : true,
        );
      },
    ),
    { seed: 9, numRuns: 100 },
  );
});

it('shows callers what they may call, and lets no shared cache keep it', async () => {
  const specs = [
    makeSpec('open'),
    makeSpec('read', '1.0.0', { scopes: ['r'] }),
    makeSpec('shut', '1.0.0', { scopes: undefined }),
  ];
  const { handler } = await serve(specs, {
    listTtlMs: 5_000,
    principal: (request) => ({ id: 'u', scopes: [request.headers.get('x-scope') ?? ''] }),
  });
  expect(await page(handler)).toMatchObject({
    tools: [{ name: 'open' }],
    ttlMs: 5_000,
    cacheScope: 'private',
  });
  expect(await walk(handler, { 'x-scope': 'r' })).toEqual(['open', 'read']);
});

it('lets shared caches keep what everybody sees', async () => {
  const { handler } = await serve([makeSpec('open')]);
  expect(await page(handler)).toMatchObject({ ttlMs: 0, cacheScope: 'public' });
});

it('serves one version a name, the highest or the pinned one, and goes on when a pin is gone', async () => {
  const specs = [makeSpec('a', '1.0.0'), makeSpec('a', '2.0.0'), makeSpec('b')];
  const { handler, toolkit } = await serve(specs, { versions: { a: '^1' } });
  expect(await page(handler)).toMatchObject({
    tools: [{ name: 'a', _meta: { version: '1.0.0' } }, { name: 'b' }],
  });
  toolkit.registry.update((draft) => draft.remove('a@1.0.0'));
  expect(await walk(handler)).toEqual(['b']);
  const gone = await rpc(handler, 'tools/call', { name: 'a', arguments: {} });
  expect(gone.body).toMatchObject({ error: { code: -32602 } });
  const newest = await serve(specs);
  expect(await page(newest.handler)).toMatchObject({ tools: [{ _meta: { version: '2.0.0' } }, {}] });
});

it('refuses a pin that there is not at the start', async () => {
  await expect(serve([makeSpec('a')], { versions: { a: '^2' } })).rejects.toMatchObject({
    problems: [{ code: 'unknown_version' }],
  });
});
