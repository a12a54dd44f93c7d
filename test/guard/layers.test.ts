/**
 * Holds the imports of the source against the rank table: the architecture, as a test.
 * Invariant: a file imports only from rooms of a strictly lower rank, or from its own room.
 */
import { importsOf, listFiles } from './source-files';

const RANKS: { readonly [room: string]: number } = {
  errors: 0,
  contract: 1,
  metadata: 2,
  decorators: 3,
  schema: 3,
  validation: 4,
  discovery: 5,
  registry: 6,
  invocation: 7,
  'toolkit.ts': 8,
  'base-tool.ts': 9,
  langgraph: 9,
  mcp: 9,
  stores: 9,
  telemetry: 9,
  cli: 10,
  testing: 10,
  'index.ts': 11,
};

function roomOf(file: string): string {
  return file.split('/')[1] ?? '';
}

const files = listFiles('src');
const edges = files.flatMap((file) =>
  importsOf(file)
    .filter((imported) => imported.startsWith('src/'))
    .map((imported) => ({ file, imported })),
);

describe('the rooms of src', () => {
  it('are all in the table', () => {
    expect(files.map(roomOf).filter((room) => !(room in RANKS))).toEqual([]);
  });

  it('are all resolved', () => {
    expect(edges.filter(({ imported }) => !files.includes(imported))).toEqual([]);
    expect(edges.length).toBeGreaterThan(100);
  });

  it('import only from lower ranks', () => {
    const wrong = edges.filter(({ file, imported }) => {
      const [from, to] = [roomOf(file), roomOf(imported)];
      return from !== to && !((RANKS[to] ?? 99) < (RANKS[from] ?? -1));
    });
    expect(wrong).toEqual([]);
  });

  it('never import an index from inside', () => {
    expect(edges.filter(({ imported }) => imported.endsWith('/index.ts'))).toEqual([]);
  });

  it('have no cycle of files, types included', () => {
    const imports = new Map(files.map((file) => [file, edges.filter((edge) => edge.file === file)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const { imported } of imports.get(file) ?? []) walk(imported, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(cycles).toEqual([]);
  });
});
