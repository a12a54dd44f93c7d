/**
 * Serves over HTTP.
 * Invariant: a failure to listen has a code and a mend, and the calls that run are finished before the server ends.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Principal } from '../../contract/principal';
import { reasonOf } from '../../errors/reason';
import type { McpHandlerOptions, McpOptions } from '../../mcp/options';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { oneLine } from '../text';
import { type Address, isWildcard, toUrlHost } from './address';
import { asMissingPackage, type Mcp } from './load-mcp';
import { grantInWords } from './over-stdio';

/** How long the last answers may take to arrive, in milliseconds. */
const DRAINING_MS = 2_000;

/** How the tools are served over HTTP. */
export interface HttpPlan {
  readonly transport: 'http';
  readonly address: Address;
  readonly path: string;
  /** Who is calling where there is no authentication. */
  readonly principal: Principal | undefined;
  readonly auth: AuthPlan | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Left out: only this process goes on with what it has asked a person. */
  readonly requestStateKey: string | undefined;
  /** In milliseconds. */
  readonly closeTimeoutMs: number | undefined;
  readonly door: McpOptions;
  /** Whether entries of level info are said too. */
  readonly verbose: boolean;
}

interface AuthPlan {
  readonly issuer: string;
  /** Also the audience of tokens. */
  readonly resource: string;
  /** Left out: tokens are JWTs, which the issuer's keys verify. */
  readonly introspection?: {
    readonly endpoint: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
}

const UNNAMED =
  'requests of other machines are refused until --allowed-host NAME says by which name they reach this one\n';

const MENDS: { readonly [code: string]: string } = {
  EADDRINUSE: 'Something listens there already; give another port, or 0 for any free one.',
  EACCES: 'It takes more rights; give a port from 1024 on.',
  EADDRNOTAVAIL: 'This machine has no such address.',
  ENOTFOUND: 'There is no such host.',
};

/** The URL of an address. */
export function toUrl({ host, port }: Address, path: string): string {
  return `http://${toUrlHost(isWildcard(host) ? 'localhost' : host)}:${port}${path}`;
}

function toAuthOption(
  { jwksVerifier, introspectionVerifier }: Mcp,
  { issuer, resource, introspection }: AuthPlan,
): NonNullable<McpHandlerOptions['auth']> {
  const verifier =
    introspection === undefined
      ? jwksVerifier({ issuer, audience: resource })
      : introspectionVerifier({ ...introspection, issuer, audience: resource });
  return { resource, authorizationServers: [issuer], verifier };
}

/** What the options of the handler and of the verifiers are called here. */
const TERMS: ReadonlyMap<string, string> = new Map([
  ['path', '--path'],
  ['allowedHosts', '--allowed-host'],
  ['allowedOrigins', '--allowed-origin'],
  ['resource', '--auth-resource'],
  ['audience', '--auth-resource'],
  ['authorizationServers', '--auth-issuer'],
  ['issuer', '--auth-issuer'],
  ['endpoint', '--auth-introspect'],
  ['requestStateKey', 'TOOLCRIB_REQUEST_STATE_KEY'],
]);

/** Says of an option here what was said of one of the handler's: `createMcpHandler: auth: resource is …`. */
function inTerms(message: string): string {
  const [all = '', option = ''] = /^\w+: (?:auth: |auth\.)?(\w+)/.exec(message) ?? [];
  const term = TERMS.get(option);
  const said = term === undefined ? message : `${term}${message.slice(all.length)}`;
  return `${said} See toolcrib serve --help.`;
}

function makeHandler(mcp: Mcp, toolkit: OpenToolkit, plan: HttpPlan) {
  const { path, principal, auth, allowedHosts, allowedOrigins, requestStateKey, closeTimeoutMs } = plan;
  try {
    return mcp.createMcpHandler(toolkit, {
      ...plan.door,
      path,
      allowedHosts,
      allowedOrigins,
      ...(requestStateKey === undefined ? {} : { requestStateKey }),
      ...(closeTimeoutMs === undefined ? {} : { closeTimeoutMs }),
      ...(auth === undefined ? { principal: () => principal } : { auth: toAuthOption(mcp, auth) }),
    });
  } catch (error) {
    if (error instanceof TypeError) {
      throw new CliError('illegal_option', oneLine(inTerms(error.message)), { cause: error });
    }
    throw asMissingPackage(error, 'jose');
  }
}

async function listen(server: Server, { host, port }: Address): Promise<Address> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const mend = MENDS[code] ?? oneLine(reasonOf(error));
    const message = `it cannot listen on ${toUrlHost(host)}:${port}. ${mend}`;
    throw new CliError('cannot_listen', message, { cause: error });
  }
  const bound = server.address();
  return { host, port: typeof bound === 'object' && bound !== null ? bound.port : port };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const impatience = setTimeout(() => server.closeAllConnections(), DRAINING_MS);
  await closed;
  clearTimeout(impatience);
}

/**
 * Serves until a signal comes; the exit code is 0.
 *
 * @throws CliError `illegal_option` or `cannot_listen`.
 */
export async function serveHttp(mcp: Mcp, toolkit: OpenToolkit, plan: HttpPlan, io: Io): Promise<number> {
  const handler = makeHandler(mcp, toolkit, plan);
  const server = createServer((request, response) => void handler.node(request, response));
  try {
    const address = await listen(server, plan.address);
    const asked = new Promise<void>((resolve) => io.serving.onStop(resolve));
    const grant =
      plan.auth === undefined ? grantInWords(plan.principal) : `calls need a token of ${plan.auth.issuer}`;
    io.stderr(`listening on ${toUrl(address, plan.path)}\n${oneLine(grant)}\n`);
    if (isWildcard(plan.address.host) && plan.auth === undefined && plan.allowedHosts.length === 0)
      io.stderr(UNNAMED);
    await asked;
    io.stderr('closing: the calls that run are finished first\n');
  } finally {
    await handler.close();
    if (server.listening) await closeServer(server);
  }
  return 0;
}
