/**
 * What to write into the configuration of common MCP clients, so that they find a server.
 * Invariant: a snippet holds no secret, and starts the server from the folder that its client starts servers in.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CliError } from '../cli-error';
import { type Source, toFile } from '../configuration';
import type { Io } from '../io';
import { plain, toJsonText } from '../text';
import { type HttpPlan, toUrl } from './over-http';
import type { StdioPlan } from './over-stdio';

type ServePlan = StdioPlan | HttpPlan;

/** What a server without a name is called. */
const NAME = 'toolcrib';

/** What starts a server. */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** How a client reaches the server. */
type Reached =
  | {
      readonly transport: 'stdio';
      /** For clients that start it in any folder. */
      readonly anywhere: Command;
      /** For clients that start it in the project's. */
      readonly inProject: Command;
      /** Variables that the configuration reads. */
      readonly variables: readonly string[];
    }
  | { readonly transport: 'http'; readonly url: string };

/** What one client is given. */
interface ClientSnippet {
  readonly client: string;
  /** The file that it belongs into; undefined: it is run in a shell. */
  readonly file?: string;
  /** undefined: what is to be done is in `note`. */
  readonly snippet?: object | string;
  readonly note?: string;
}

/** How a client writes the value of a variable of its own environment. */
type Placeholder = (name: string) => string;

const inBraces: Placeholder = (name) => `\${${name}}`;
const ofEnv: Placeholder = (name) => `\${env:${name}}`;
// It does not read variables.
const toFillIn: Placeholder = (name) => `<${name}>`;

/** An argument as a POSIX shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function toServer(reached: Reached, place: 'anywhere' | 'inProject', placeholder: Placeholder): object {
  if (reached.transport === 'http') return { url: reached.url };
  const { variables } = reached;
  const env = Object.fromEntries(variables.map((name) => [name, placeholder(name)]));
  return { ...reached[place], ...(variables.length === 0 ? {} : { env }) };
}

function toDesktop(reached: Reached, name: string): ClientSnippet {
  const client = 'Claude Desktop';
  if (reached.transport === 'http') {
    const note = `It takes no URL from its file. Add a custom connector in its settings, under Connectors, with ${reached.url}; the URL has to be https, and reached from the internet.`;
    return { client, note };
  }
  const server = toServer(reached, 'anywhere', toFillIn);
  return { client, file: 'claude_desktop_config.json', snippet: { mcpServers: { [name]: server } } };
}

function toInspection(reached: Reached): string {
  const run = 'npx @modelcontextprotocol/inspector';
  if (reached.transport === 'http') return `${run} --transport http --server-url ${quoted(reached.url)}`;
  const { command, args } = reached.inProject;
  return `${run} -- ${[command, ...args].map(quoted).join(' ')}`;
}

/** Makes the snippets of all clients. */
function toSnippets(reached: Reached, name: string): readonly ClientSnippet[] {
  const type = reached.transport;
  const code = { type, ...toServer(reached, 'inProject', inBraces) };
  const visual = { type, ...toServer(reached, 'inProject', ofEnv) };
  // In which folder it starts servers is not written down.
  const cursor = toServer(reached, 'anywhere', ofEnv);
  return [
    toDesktop(reached, name),
    { client: 'Claude Code', file: '.mcp.json', snippet: { mcpServers: { [name]: code } } },
    { client: 'VS Code', file: '.vscode/mcp.json', snippet: { servers: { [name]: visual } } },
    { client: 'Cursor', file: '.cursor/mcp.json', snippet: { mcpServers: { [name]: cursor } } },
    { client: 'MCP Inspector', snippet: toInspection(reached) },
  ];
}

function toText(snippets: readonly ClientSnippet[]): string {
  return snippets
    .map(({ client, file, snippet, note }) => {
      const head = file === undefined ? client : `${client}, in ${file}`;
      const lines = typeof snippet === 'object' ? toJsonText(snippet) : `${snippet ?? note}\n`;
      return plain(`${head}:\n${lines}`);
    })
    .join('\n');
}

/** The options that open the same tools, from any folder or from that of the project. */
function toSourceOptions(source: Source, io: Io, place: (path: string) => string): readonly string[] {
  const { patterns, cwd = '.' } = source;
  if (patterns === undefined) return ['--config', place(toFile(source, io))];
  return ['--patterns', ...patterns, '--cwd', place(resolve(io.cwd, cwd))];
}

/** The options that make the same server. */
function toServerOptions({ principal, door }: StdioPlan): readonly string[] {
  const { serverInfo, instructions, concealTools, clientApproves } = door;
  return [
    ...(principal === undefined ? [] : ['--principal', principal.id]),
    ...(principal?.scopes ?? []).flatMap((scope) => ['--scopes', scope]),
    ...(serverInfo === undefined ? [] : ['--server-name', serverInfo.name]),
    ...(serverInfo === undefined ? [] : ['--server-version', serverInfo.version]),
    ...(instructions === undefined ? [] : ['--instructions', instructions]),
    ...(concealTools === true ? ['--conceal-tools'] : []),
    ...(clientApproves === false ? ['--no-client-approval'] : []),
  ];
}

/** The variables that a configuration names: clients start servers without most of their own. */
function variablesOf(source: Source, io: Io): readonly string[] {
  if (source.patterns !== undefined) return [];
  const text = readFileSync(toFile(source, io), 'utf8');
  const found = [...text.matchAll(/\bprocess\.env(?:\.|\[['"])([A-Za-z_]\w*)/g)];
  return [...new Set(found.flatMap(([, name]) => name ?? []))];
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
  const options = ['serve', '--stdio', ...toServerOptions(plan)];
  const here = (path: string) => relative(io.cwd, path) || '.';
  const anywhere = { command, args: [...script, ...toSourceOptions(source, io, String), ...options] };
  const isInstalled = existsSync(join(io.cwd, 'node_modules', 'toolcrib'));
  const inProject = isInstalled
    ? { command: 'npx', args: ['toolcrib', ...toSourceOptions(source, io, here), ...options] }
    : anywhere;
  return { transport: 'stdio', anywhere, inProject, variables: variablesOf(source, io) };
}

/**
 * Prints the snippets of all clients, with `json` as an array.
 *
 * @throws CliError `missing_config` or `illegal_option`.
 */
export function printSnippets(plan: ServePlan, source: Source, json: boolean, io: Io): number {
  const snippets = toSnippets(toReached(plan, source, io), plan.door.serverInfo?.name ?? NAME);
  io.stdout(json ? toJsonText(snippets) : toText(snippets));
  return 0;
}
