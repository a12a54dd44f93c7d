/**
 * Schemas that `toolcrib schema` has exported, in the hands of others.
 * Invariant: the official SDK takes every file as it is, FastMCP without its `$schema`, and both accept and refuse what
 * toolcrib does.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, fromJsonSchema } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import fc from 'fast-check';
import { type JsonSchema, schemaInputContract } from 'toolcrib';
import { forAllAwaited } from '../fixtures/for-all';
import { acceptedBy } from '../fixtures/schema-values';
import { ROOT } from '../guard/source-files';

const FOLDER = join(ROOT, 'samples/schemas');
const SCHEMAS = readdirSync(FOLDER).map((file): readonly [string, JsonSchema] => {
  const schema = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  return [file.replace(/@.*/, ''), schema];
});

/** Arguments that fit a schema, as they are and with one thing wrong, and any others. */
function argumentsFor(schema: JsonSchema) {
  const right = acceptedBy(schema);
  const others = fc.dictionary(fc.string(), fc.jsonValue());
  const wrong = fc.tuple(right, others).map(([one, other]) => ({ ...Object(one), ...other }));
  return fc.oneof(right, wrong, others);
}

describe('the official SDK', () => {
  it.each(SCHEMAS)('judges like toolcrib, by the schema of %s', async (_name, schema) => {
    const ours = schemaInputContract(schema);
    const { validate } = fromJsonSchema({ ...schema })['~standard'];
    const verdicts = new Set<boolean>();
    await forAllAwaited(argumentsFor(schema), async (args) => {
      const theirs = await validate(args);
      const isTaken = (await ours.parse(args)).ok;
      expect(theirs.issues === undefined).toBe(isTaken);
      verdicts.add(isTaken);
    });
    expect([...verdicts].toSorted()).toEqual([false, true]);
  });
});

describe('FastMCP', () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  beforeAll(async () => {
    const server = join(ROOT, 'test/fixtures/mcp/fastmcp-server.mjs');
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [server, FOLDER], stderr: 'ignore' }),
    );
  });
  afterAll(() => client.close());

  it('advertises the very schemas', async () => {
    const { tools } = await client.listTools();
    const told = tools.map(({ name, inputSchema }) => [name, inputSchema]);
    expect(told).toEqual(SCHEMAS.map(([name, { $schema, ...schema }]) => [name, schema]));
  });

  it.each(SCHEMAS)('judges like toolcrib, by the schema of %s', async (name, schema) => {
    const ours = schemaInputContract(schema);
    await forAllAwaited(argumentsFor(schema), async (args) => {
      const refused = await client.callTool({ name, arguments: Object(args) }).then(
        ({ isError }) => isError === true,
        () => true,
      );
      expect(refused).toBe(!(await ours.parse(args)).ok);
    });
  });
});
