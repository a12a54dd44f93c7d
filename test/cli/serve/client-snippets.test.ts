/**
 * What `toolcrib serve --print-config` gives clients.
 * Invariant: a snippet has no value of a variable, and starts the server that the options describe.
 */
import { OrderDesk } from '../order-desk';
import { makeWorkspace, type Workspace, workspaceOfClasses } from '../workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

const AUTH = ['--auth-issuer', 'https://as.example', '--auth-resource', 'https://tools.example/mcp'];

describe('--print-config', () => {
  const print = async (argv: readonly string[]) => {
    const { exitCode, stdout, json } = await desk.run(['--json', 'serve', '--print-config', ...argv]);
    expect([exitCode, stdout.length > 0]).toEqual([0, true]);
    return json();
  };
  const config = () => `${desk.folder}/toolcrib.config.js`;

  it('gives every client the command that starts the server from any folder', async () => {
    const args = [
      'toolcrib',
      '--config',
      config(),
      'serve',
      '--stdio',
      '--principal',
      'local',
      '--scopes',
      'a:b',
    ];
    const plain = { command: 'node', args };
    const typed = { type: 'stdio', ...plain };
    expect(await print(['--stdio', '--scopes', 'a:b'])).toEqual([
      {
        client: 'Claude Desktop',
        file: 'claude_desktop_config.json',
        snippet: { mcpServers: { toolcrib: plain } },
      },
      { client: 'Claude Code', file: '.mcp.json', snippet: { mcpServers: { toolcrib: typed } } },
      { client: 'VS Code', file: '.vscode/mcp.json', snippet: { servers: { toolcrib: typed } } },
      { client: 'Cursor', file: '.cursor/mcp.json', snippet: { mcpServers: { toolcrib: plain } } },
      {
        client: 'MCP Inspector',
        snippet: `npx @modelcontextprotocol/inspector -- node ${args.join(' ')}`,
      },
    ]);
  });

  it('starts an installed package in its project, with the name and the variables of the server', async () => {
    const project = makeWorkspace();
    try {
      project.write('node_modules/toolcrib/package.json', '{}');
      project.write(
        'toolcrib.config.js',
        'module.exports = { key: process.env.API_KEY, id: process.env["ID"] };',
      );
      const argv = [
        '--server-name',
        'shop',
        '--conceal-tools',
        '--no-client-approval',
        '--instructions',
        "It's it",
      ];
      const { json } = await project.run(['--json', 'serve', '--print-config', '--stdio', ...argv]);
      const given = [
        '--server-name',
        'shop',
        '--server-version',
        '0.0.0',
        ...argv.slice(4),
        ...argv.slice(2, 4),
      ];
      const start = ['serve', '--stdio', ...given];
      const args = ['toolcrib', '--config', 'toolcrib.config.js', ...start];
      const anywhere = ['toolcrib', '--config', `${project.folder}/toolcrib.config.js`, ...start];
      const variables = (before: string, after: string) => ({
        API_KEY: `${before}API_KEY${after}`,
        ID: `${before}ID${after}`,
      });
      expect(json()).toEqual([
        expect.objectContaining({
          client: 'Claude Desktop',
          snippet: { mcpServers: { shop: { command: 'node', args: anywhere, env: variables('<', '>') } } },
        }),
        expect.objectContaining({
          snippet: {
            mcpServers: { shop: { type: 'stdio', command: 'npx', args, env: variables('${', '}') } },
          },
        }),
        expect.objectContaining({
          snippet: {
            servers: { shop: { type: 'stdio', command: 'npx', args, env: variables('${env:', '}') } },
          },
        }),
        expect.objectContaining({
          snippet: {
            mcpServers: { shop: { command: 'node', args: anywhere, env: variables('${env:', '}') } },
          },
        }),
        {
          client: 'MCP Inspector',
          snippet: expect.stringContaining(
            'inspector -- npx toolcrib --config toolcrib.config.js serve --stdio',
          ),
        },
      ]);
      expect(JSON.stringify(json())).toContain("'It'\\\\''s it'");
    } finally {
      project.remove();
    }
  });

  it('tells how Claude Desktop and the Inspector reach a URL', async () => {
    const snippets = await print(['--http', '127.0.0.1:3000']);
    expect(snippets).toEqual(
      expect.arrayContaining([
        { client: 'Claude Desktop', note: expect.stringContaining('http://127.0.0.1:3000/mcp') },
        {
          client: 'MCP Inspector',
          snippet:
            'npx @modelcontextprotocol/inspector --transport http --server-url http://127.0.0.1:3000/mcp',
        },
      ]),
    );
  });

  it.each([
    ['http://127.0.0.1:3000/mcp', ['--http', '127.0.0.1:3000']],
    ['http://[::1]:3000/tools', ['--http', '[::1]:3000', '--path', '/tools']],
    ['http://localhost:3000/mcp', ['--http', '0.0.0.0:3000', '--without-auth']],
    ['https://tools.example/mcp', ['--http', '0.0.0.0:3000', ...AUTH]],
  ])('gives clients the URL %s', async (url, argv) => {
    expect(await print(argv)).toContainEqual({
      client: 'VS Code',
      file: '.vscode/mcp.json',
      snippet: { servers: { toolcrib: { type: 'http', url } } },
    });
  });

  it('prints the same for people', async () => {
    const { exitCode, stdout } = await desk.run(['serve', '--print-config', '--http', '127.0.0.1:3000']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('VS Code, in .vscode/mcp.json:\n{\n  "servers": {');
  });
});
