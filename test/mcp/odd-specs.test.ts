/**
 * Specs that no decorator would make, as they come from code without types.
 * Invariant: the list is always answered with every sound tool, whatever another spec holds.
 */
import fc from 'fast-check';
import { createToolkit, type ToolSpec } from 'toolcrib';
import { createMcpHandler } from 'toolcrib/mcp';
import { makeSpec } from '../fixtures/hand-made-spec';
import { rpc } from '../fixtures/mcp-rpc';
import { type LogEntry, recordingLogger } from '../fixtures/recorded-toolkit';

const circular: Record<string, unknown> = {};
circular.self = circular;

async function serve(log: LogEntry[] = []) {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger(log) });
  toolkit.registry.update((draft) => draft.register(makeSpec('sound')));
  return { toolkit, handler: createMcpHandler(toolkit) };
}

/** A spec with members that its type does not allow. */
function oddSpec(overrides: object): ToolSpec {
  return Object.freeze({ ...makeSpec('odd'), ...overrides });
}

async function listed(handler: Awaited<ReturnType<typeof serve>>['handler']): Promise<string[]> {
  const { body } = await rpc(handler, 'tools/list');
  return Object(body).result.tools.map(({ name }: { name: string }) => name);
}

const { input, output } = makeSpec('any');

it.each<[string, object]>([
  ['a BigInt', { owner: 10n }],
  ['a function', { owner: () => 1 }],
  ['a circular object', { owner: circular }],
  ['a map', { owner: new Map() }],
  ['what is no number in JSON', { owner: Number.NaN }],
  ['a BigInt for what to use instead', { deprecated: 10n }],
  ['a BigInt in a schema', { input: { ...input, schema: { type: 'object', default: 10n } } }],
  ['a circular schema', { input: { ...input, schema: { type: 'object', properties: circular } } }],
  [
    'a circular schema of the output',
    { output: { ...output, schema: { type: 'object', allOf: [circular] } } },
  ],
  ['a BigInt among the rules', { input: { ...input, validatorOnlyRules: [10n] } }],
  ['scopes that are null', { scopes: null }],
  ['no input', { input: undefined }],
  ['no side effect', { sideEffect: undefined }],
  ['no source and a BigInt', { owner: 10n, source: undefined }],
])('leaves out a tool with %s alone, says so once, and refuses it at the start', async (_, overrides) => {
  const log: LogEntry[] = [];
  const { toolkit, handler } = await serve(log);
  toolkit.registry.update((draft) => draft.register(oddSpec(overrides)));
  expect(await listed(handler)).toEqual(['sound']);
  toolkit.registry.update((draft) => draft.register(makeSpec('another')));
  expect(await listed(handler)).toEqual(['another', 'sound']);
  expect(log.filter(({ level }) => level === 'error')).toMatchObject([{ fields: { tool: 'odd@1.0.0' } }]);
  expect(() => createMcpHandler(toolkit)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code: 'illegal_schema' })] }),
  );
});

it('serves a schema with members that are undefined, and one whose zero has a sign', async () => {
  const { toolkit, handler } = await serve();
  const schema = { type: 'object', description: undefined, properties: { n: { minimum: -0 } } };
  toolkit.registry.update((draft) => draft.register(oddSpec({ input: { ...input, schema } })));
  expect(await listed(handler)).toEqual(['odd', 'sound']);
});

it('goes on with the list as it was described, whatever becomes of the schema', async () => {
  const { toolkit, handler } = await serve();
  const schema: Record<string, unknown> = { type: 'object' };
  toolkit.registry.update((draft) => draft.register(oddSpec({ input: { ...input, schema } })));
  schema.default = 10n;
  expect(await listed(handler)).toEqual(['odd', 'sound']);
});

it('says once that a pinned version is gone', async () => {
  const log: LogEntry[] = [];
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger(log) });
  toolkit.registry.update((draft) => draft.register(makeSpec('a')));
  createMcpHandler(toolkit, { versions: { a: '^1' } });
  toolkit.registry.update((draft) => draft.remove('a@1.0.0'));
  for (const name of ['b', 'c']) toolkit.registry.update((draft) => draft.register(makeSpec(name)));
  expect(log.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { tool: 'a', range: '^1' } },
  ]);
});

const odd = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.constantFrom<unknown>(circular, () => 1, Symbol('s'), new (class Own {})()),
);
const MEMBERS = ['title', 'description', 'owner', 'scopes', 'sideEffect', 'input', 'output', 'deprecated'];

it('answers the list with every sound tool, whatever the members of another spec are', async () => {
  const { toolkit, handler } = await serve();
  const schema = odd.map((value) => ({ ...input, schema: value }));
  const overrides = fc.oneof(
    fc.dictionary(fc.constantFrom(...MEMBERS, 'source', 'timeoutMs', 'preview'), odd, { maxKeys: 3 }),
    fc
      .oneof(
        schema,
        odd.map((value) => ({ ...input, schema: { type: 'object', properties: { a: value } } })),
      )
      .map((value) => ({ input: value })),
    odd.map((value) => ({ output: { ...output, schema: { type: 'object', properties: value } } })),
  );
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(overrides, async (given) => {
      try {
        toolkit.registry.update((draft) => draft.register(oddSpec(given)));
      } catch {
        return;
      }
      taken += 1;
      try {
        expect(await listed(handler)).toContain('sound');
      } finally {
        toolkit.registry.update((draft) => draft.remove('odd@1.0.0'));
      }
    }),
    { seed: 11, numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(200);
});
