/**
 * What to write into the configuration of common MCP clients, so that they find a server.
 * Invariant: a snippet holds no secret, and starts the server from any folder.
 */
import { resolve } from 'node:path';
import { CliError } from '../cli-error';
import { type Source, toFile } from '../configuration';
import type { Io } from '../io';
import { plain, toJsonText } from '../text';
import { type HttpPlan, toUrl } from './over-http';
import type { StdioPlan } from './over-stdio';

type ServePlan = StdioPlan | HttpPlan;

/** How a client reaches the server. */
type Reached =
  | { readonly transport: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly transport: 'http'; readonly url: string };

/** What one client is given. */
interface ClientSnippet {
  readonly client: string;
  /** The file that it belongs into; undefined: it is run in a shell. */
  readonly file?: string;
  readonly snippet: object | string;
}

const NAME = 'toolcrib';

/** Makes the snippets of all clients. In them the server is called toolcrib. */
function toSnippets(reached: Reached): readonly ClientSnippet[] {
  const isStdio = reached.transport === 'stdio';
  const plain = isStdio ? { command: reached.command, args: reached.args } : { url: reached.url };
  const typed = { type: reached.transport, ...plain };
  return [
    // Claude Desktop takes no URL from its file: one adds a connector in its settings.
    ...(isStdio
      ? [
          {
            client: 'Claude Desktop',
            file: 'claude_desktop_config.json',
            snippet: { mcpServers: { [NAME]: plain } },
          },
        ]
      : []),
    { client: 'Claude Code', file: '.mcp.json', snippet: { mcpServers: { [NAME]: typed } } },
    { client: 'VS Code', file: '.vscode/mcp.json', snippet: { servers: { [NAME]: typed } } },
    { client: 'Cursor', file: '.cursor/mcp.json', snippet: { mcpServers: { [NAME]: plain } } },
    // It reads the file of Claude Code.
    {
      client: 'MCP Inspector',
      snippet: `npx @modelcontextprotocol/inspector --config .mcp.json --server ${NAME}`,
    },
  ];
}

function toText(snippets: readonly ClientSnippet[]): string {
  return snippets
    .map(({ client, file, snippet }) => {
      const head = file === undefined ? client : `${client}, in ${file}`;
      return plain(`${head}:\n${typeof snippet === 'string' ? `${snippet}\n` : toJsonText(snippet)}`);
    })
    .join('\n');
}

/** The options that open the same tools from any folder. */
function toSourceOptions(source: Source, io: Io): readonly string[] {
  const { patterns, cwd = '.' } = source;
  if (patterns === undefined) return ['--config', toFile(source, io)];
  return ['--patterns', ...patterns, '--cwd', resolve(io.cwd, cwd)];
}

function toReached(plan: ServePlan, source: Source, io: Io): Reached {
  if (plan.transport === 'http') {
    const { address, path, auth } = plan;
    if (auth === undefined && address.port === 0) {
      throw new CliError('illegal_option', '--print-config takes the port that clients use; 0 is none.');
    }
    return { transport: 'http', url: auth?.resource ?? toUrl(address, path) };
  }
  const [command = '', ...script] = io.serving.command;
  const { principal } = plan;
  const grant =
    principal === undefined
      ? []
      : ['--principal', principal.id, ...principal.scopes.flatMap((scope) => ['--scopes', scope])];
  return {
    transport: 'stdio',
    command,
    args: [...script, ...toSourceOptions(source, io), 'serve', '--stdio', ...grant],
  };
}

/**
 * Prints the snippets of all clients, with `json` as an array.
 *
 * @throws CliError `missing_config` or `illegal_option`.
 */
export function printSnippets(plan: ServePlan, source: Source, json: boolean, io: Io): number {
  const snippets = toSnippets(toReached(plan, source, io));
  io.stdout(json ? toJsonText(snippets) : toText(snippets));
  return 0;
}
