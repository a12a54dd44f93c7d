/**
 * Watches what the compiled entries load.
 * Invariant: the root loads no optional peer, no database driver and no model package.
 */
import { type Application, makeApplication } from '../fixtures/installed-package';

const OPTIONAL =
  /node_modules\/(@langchain|langchain|@modelcontextprotocol|@opentelemetry|jose|zod|libsql|pg|kysely|tsyringe)\//;

const BINDING = `
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredTool } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent } from 'langchain';
import { createToolkit } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
export async function bind(model: BaseChatModel) {
  const tools: StructuredTool[] = toLangChainTools(await createToolkit({ discover: {} }));
  return [new ToolNode(tools), model.bindTools?.(tools), createAgent({ model, tools })];
}
`;

let application: Application;
beforeAll(() => {
  application = makeApplication();
}, 60_000);
afterAll(() => application.remove());

function filesLoadedBy(entry: string): string[] {
  application.write(
    'load.js',
    `require('${entry}'); console.log(JSON.stringify(Object.keys(require.cache)));`,
  );
  const files: unknown = JSON.parse(application.run('load.js'));
  return Array.isArray(files) ? files.map((file) => String(file).replaceAll('\\', '/')) : [];
}

describe('the compiled entries', () => {
  it('load no optional peer from the root', () => {
    const files = filesLoadedBy('toolcrib');
    expect(files.filter((file) => OPTIONAL.test(file))).toEqual([]);
    expect(files.some((file) => file.includes('node_modules/ajv/'))).toBe(true);
  });

  it('load LangChain from toolcrib/langgraph', () => {
    expect(filesLoadedBy('toolcrib/langgraph').some((file) => OPTIONAL.test(file))).toBe(true);
  });

  it('load the MCP SDK from toolcrib/mcp, and jose only where tokens are JWTs', () => {
    const files = filesLoadedBy('toolcrib/mcp');
    expect(files.some((file) => file.includes('node_modules/@modelcontextprotocol/server/'))).toBe(true);
    expect(files.filter((file) => /node_modules\/(jose|express|@langchain)\//.test(file))).toEqual([]);
  });

  it('load no optional peer for the command line, until it serves', () => {
    expect(
      filesLoadedBy('./node_modules/toolcrib/dist/cli/program.js').filter((file) => OPTIONAL.test(file)),
    ).toEqual([]);
  });

  it.each(['sqlite', 'postgres'])('load no driver from toolcrib/stores/%s', (store) => {
    const files = filesLoadedBy(`toolcrib/stores/${store}`);
    expect(files.filter((file) => /node_modules\/(@?libsql|pg)\//.test(file))).toEqual([]);
    expect(files.some((file) => file.includes('node_modules/kysely/'))).toBe(true);
  });

  it('work by import from an ES module', () => {
    application.write(
      'load.mjs',
      "import { createToolkit } from 'toolcrib'; import { toLangChainTools } from 'toolcrib/langgraph'; import { createMcpHandler } from 'toolcrib/mcp'; import { SqliteLedger } from 'toolcrib/stores/sqlite'; console.log(typeof createToolkit, typeof toLangChainTools, typeof createMcpHandler, typeof SqliteLedger);",
    );
    expect(application.run('load.mjs').trim()).toBe('function function function function');
  });

  it.each([
    ['an ES module', 'module'],
    ['a CommonJS module', 'commonjs'],
  ])('have the types that LangChain asks for in %s', (_, type) => {
    application.write(`${type}/package.json`, JSON.stringify({ type }));
    application.write(`${type}/bind.ts`, BINDING);
    expect(() => application.compile()).not.toThrow();
  });
});
