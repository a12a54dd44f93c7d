/**
 * `toolcrib serve`: the tools over MCP, until somebody asks it to end.
 * Invariant: without authentication nobody holds a scope that the options do not grant, and no other machine reaches
 * the server unless the options say that it may.
 */
import type { McpOptions } from '../../mcp/options';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { toPrincipal } from '../options';
import { type Address, isLoopback, isWildcard, toUrlHost } from '../serve/address';
import { loadMcp } from '../serve/load-mcp';
import { talkative, warnOfUnneeded } from '../serve/log';
import { type HttpPlan, serveHttp } from '../serve/over-http';
import { type StdioPlan, serveStdio } from '../serve/over-stdio';

/** The options, as they are given. */
export interface ServeFlags {
  readonly stdio?: boolean;
  readonly http?: Address;
  readonly path?: string;
  readonly scopes?: readonly string[];
  readonly principal?: string;
  readonly authIssuer?: string;
  readonly authResource?: string;
  readonly authIntrospect?: string;
  readonly allowedHost?: readonly string[];
  readonly allowedOrigin?: readonly string[];
  readonly withoutAuth?: boolean;
  readonly serverName?: string;
  readonly serverVersion?: string;
  readonly instructions?: string;
  readonly concealTools?: boolean;
  /** False by `--no-client-approval`. */
  readonly clientApproval?: boolean;
  readonly closeTimeout?: number;
  readonly verbose?: boolean;
  readonly printConfig?: boolean;
  readonly sealed?: boolean;
}

/** How the tools are served. */
export type ServePlan = StdioPlan | HttpPlan;

const HTTP_ALONE = {
  path: '--path',
  authIssuer: '--auth-issuer',
  authResource: '--auth-resource',
  authIntrospect: '--auth-introspect',
  allowedHost: '--allowed-host',
  allowedOrigin: '--allowed-origin',
  withoutAuth: '--without-auth',
  closeTimeout: '--close-timeout',
} as const satisfies Partial<Record<keyof ServeFlags, string>>;

function illegal(message: string): CliError {
  return new CliError('illegal_option', `${message} See toolcrib serve --help.`);
}

function named(flags: ServeFlags, options: Partial<Record<keyof ServeFlags, string>>): readonly string[] {
  return Object.entries(options).flatMap(([key, option]) => (key in flags ? [option] : []));
}

function toAuth(flags: ServeFlags, env: Io['env']): HttpPlan['auth'] {
  const { authIssuer: issuer, authResource: resource, authIntrospect: endpoint } = flags;
  if (issuer === undefined && resource === undefined && endpoint === undefined) return undefined;
  if (issuer === undefined || resource === undefined) {
    throw illegal('authentication takes both --auth-issuer and --auth-resource.');
  }
  const [ignored] = named(flags, {
    scopes: '--scopes',
    principal: '--principal',
    withoutAuth: '--without-auth',
  });
  if (ignored !== undefined) throw illegal(`${ignored} is for servers without --auth-issuer; leave it out.`);
  if (endpoint === undefined) return { issuer, resource };
  const { TOOLCRIB_CLIENT_ID: clientId, TOOLCRIB_CLIENT_SECRET: clientSecret } = env;
  if (!clientId || !clientSecret) {
    throw illegal('--auth-introspect takes the variables TOOLCRIB_CLIENT_ID and TOOLCRIB_CLIENT_SECRET.');
  }
  return { issuer, resource, introspection: { endpoint, clientId, clientSecret } };
}

/** A host that stands for one address is a name that clients use; that of this machine is allowed anyway. */
function hostsOf({ host }: Address): readonly string[] {
  return isLoopback(host) || isWildcard(host) ? [] : [toUrlHost(host)];
}

function toServerInfo({ serverName, serverVersion }: ServeFlags): McpOptions['serverInfo'] {
  if (serverName?.trim() === '') throw illegal('--server-name is empty; name the server.');
  if (serverName !== undefined) return { name: serverName, version: serverVersion ?? '0.0.0' };
  if (serverVersion === undefined) return undefined;
  throw illegal('--server-version is that of --server-name; give both.');
}

/** What holds over every transport. */
function toDoor(flags: ServeFlags): McpOptions {
  const { instructions, concealTools = false, clientApproval: clientApproves = true } = flags;
  const serverInfo = toServerInfo(flags);
  return {
    ...(serverInfo === undefined ? {} : { serverInfo }),
    ...(instructions === undefined ? {} : { instructions }),
    concealTools,
    clientApproves,
  };
}

/**
 * Reads the options.
 *
 * @throws CliError `illegal_option`.
 */
export function toServePlan(flags: ServeFlags, env: Io['env']): ServePlan {
  const { http, path = '/mcp', scopes, principal: id, allowedHost = [], allowedOrigin = [] } = flags;
  if (id?.trim() === '') throw illegal('--principal is empty; name who is calling.');
  const principal = toPrincipal(id, scopes, 'local');
  const { verbose = false } = flags;
  const door = toDoor(flags);
  if (http === undefined) {
    if (flags.stdio !== true) throw illegal('give --stdio or --http HOST:PORT.');
    const [first] = named(flags, HTTP_ALONE);
    if (first !== undefined) throw illegal(`${first} is for --http; leave it out.`);
    return { transport: 'stdio', principal, door, verbose };
  }
  const auth = toAuth(flags, env);
  if (auth === undefined && !isLoopback(http.host) && flags.withoutAuth !== true) {
    throw illegal(
      `other machines reach ${http.host}. Give --auth-issuer, or --without-auth where whoever reaches it may call.`,
    );
  }
  return {
    transport: 'http',
    address: http,
    path,
    principal,
    auth,
    allowedHosts: [...hostsOf(http), ...allowedHost],
    allowedOrigins: allowedOrigin,
    requestStateKey: env.TOOLCRIB_REQUEST_STATE_KEY,
    closeTimeoutMs: flags.closeTimeout,
    door,
    verbose,
  };
}

/**
 * Serves the tools until a signal, or over stdio the client, ends it; the calls that run are finished first.
 *
 * @throws CliError `missing_package`, `illegal_option` or `cannot_listen`; nothing was served then.
 * @throws DeclarationError `illegal_schema` with every tool that MCP's clients could not take.
 */
export function serve(toolkit: OpenToolkit, plan: ServePlan, io: Io): Promise<number> {
  const mcp = loadMcp();
  const served = plan.verbose ? talkative(toolkit, io) : toolkit;
  warnOfUnneeded(plan.principal, toolkit.registry, io);
  return plan.transport === 'stdio' ? serveStdio(mcp, served, plan, io) : serveHttp(mcp, served, plan, io);
}
