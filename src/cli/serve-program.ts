/**
 * The command `toolcrib serve`, with its options.
 * Invariant: what is wrong with the options is said before anything is opened.
 */
import { type Command, Option } from 'commander';
import { type ServeFlags, serve, toServePlan } from './commands/serve';
import type { OpenToolkit, Source } from './configuration';
import type { Io } from './io';
import { collect, scopesOption, toMs } from './options';
import { toAddress } from './serve/address';
import { printSnippets } from './serve/client-snippets';
import { SEALED } from './serve/process';

const AFTER_HELP = `
Without --auth-issuer there is no authentication: calls hold the scopes of --scopes, none where it is left out, and
--http listens on this machine alone. With it scopes come from tokens. For --auth-introspect the credentials of this
server are taken from the variables TOOLCRIB_CLIENT_ID and TOOLCRIB_CLIENT_SECRET. Several processes behind one proxy
take the same TOOLCRIB_REQUEST_STATE_KEY, of 32 bytes at least, which signs what they ask people.
SIGINT or SIGTERM lets the calls that run end first; a second one ends at once.`;

/** Adds the command that serves the tools over MCP. */
export function addServe(
  program: Command,
  argv: readonly string[],
  io: Io,
  withTools: (use: (toolkit: OpenToolkit) => Promise<number>) => Promise<void>,
  end: (exitCode: number) => void,
): void {
  program
    .command('serve')
    .description('serve the tools over MCP, until it is asked to end')
    .addOption(new Option('--stdio', 'over standard input and output').conflicts('http'))
    .addOption(new Option('--http <host:port>', 'over HTTP; port 0 is any free one').argParser(toAddress))
    .option('--path <path>', 'where MCP is served; left out: /mcp')
    .addOption(scopesOption())
    .option('--principal <id>', 'the id of the caller')
    .option('--auth-issuer <url>', 'the authorization server whose tokens are taken')
    .option(
      '--auth-resource <url>',
      'the URL at which clients reach this server, for which tokens are issued',
    )
    .option('--auth-introspect <url>', 'ask this endpoint about tokens, which are JWTs otherwise')
    .option('--allowed-host <name>', 'a name under which the server is reached; may be repeated', collect)
    .option('--allowed-origin <name>', 'a host whose pages may call the server; may be repeated', collect)
    .option('--without-auth', 'listen for other machines too, though whoever reaches it may call')
    .option('--server-name <name>', 'how the server names itself to clients; left out: toolcrib')
    .option('--server-version <version>', 'its version; left out, beside a name: 0.0.0')
    .option('--instructions <text>', 'tells models how the tools go together')
    .option('--conceal-tools', 'answer calls of tools that the caller may not call as unknown ones')
    .option('--no-client-approval', 'the person at the client may not approve calls')
    .addOption(
      new Option(
        '--close-timeout <ms>',
        'how long calls that run may take at the end; left out: 30000',
      ).argParser(toMs),
    )
    .option('--verbose', 'say on standard error why tokens are refused, and who is nobody')
    .option('--print-config', 'print what common clients need to find the server, and end')
    .addOption(new Option(SEALED).hideHelp())
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: ServeFlags) => {
      const plan = toServePlan(flags, io.env);
      const { json, ...source } = program.opts<Source & { readonly json?: boolean }>();
      if (flags.printConfig === true) end(printSnippets(plan, source, json === true, io));
      else if (plan.transport === 'stdio' && flags.sealed !== true) end(await io.serving.runSealed(argv));
      else await withTools((toolkit) => serve(toolkit, plan, io));
    });
}
