/**
 * The settings of the HTTP handler.
 * Invariant: every setting is sound once read; what would leave the server open by mistake is a TypeError.
 */
import { localhostAllowedHostnames, localhostAllowedOrigins } from '@modelcontextprotocol/server';
import { isObject } from '../contract/json-object';
import { refuseNoLists, toCount } from '../discovery/check-options';
import { LONGEST_TIMER } from '../invocation/deadline';
import { PER_PRINCIPAL, type RateLimitChoice, toRateChoice } from '../invocation/limits/options';
import { metadataUrl } from './auth/resource-metadata';
import { type ResourceServerOptions, toResourceSettings } from './auth/resource-options';
import {
  type DoorSettings,
  MCP_OPTIONS,
  type McpHandlerOptions,
  type PrincipalOfRequest,
  type Route,
  toDoorSettings,
} from './options';
import { isPath, toHostName } from './request-target';

const WHAT = 'createMcpHandler';
const KNOWN = [
  'path',
  'routes',
  'auth',
  'principal',
  'allowedHosts',
  'allowedOrigins',
  'maxRequestBytes',
  'bodyTimeoutMs',
  'rateLimit',
  'closeTimeoutMs',
] as const satisfies readonly (keyof McpHandlerOptions)[];

/** All origins of a scheme, which the SDK takes for schemes that are not the web's own. */
const OWN_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/\*$/;

const NO_PATH = "is no path that a URL has; write '/…' in ASCII, without '..', '\\', a query and a fragment";

/** Where load balancers ask whether the server takes requests. */
export const HEALTH_PATH = '/health';

/** The settings of the HTTP handler, read. */
export interface HandlerSettings {
  readonly door: DoorSettings;
  readonly path: string;
  readonly routes: ReadonlyMap<string, Route>;
  readonly auth: ResourceServerOptions | undefined;
  readonly principal: PrincipalOfRequest | undefined;
  readonly allowedHosts: string[];
  readonly allowedOrigins: string[];
  readonly maxRequestBytes: number;
  readonly bodyTimeoutMs: number;
  readonly rateLimit: RateLimitChoice;
  readonly closeTimeoutMs: number;
}

/** `taken`: the paths that others answer. */
function toRoutes(given: McpHandlerOptions['routes'], taken: readonly string[]): ReadonlyMap<string, Route> {
  if (given === undefined) return new Map();
  // What a Map or Headers holds are no properties: its routes would be ignored.
  if (!isObject(given) || Symbol.iterator in given)
    throw new TypeError(`${WHAT}: routes is no { '/path': (request) => Response }.`);
  const routes = new Map(Object.entries(given));
  for (const [at, route] of routes) {
    if (!isPath(at)) throw new TypeError(`${WHAT}: the route ${JSON.stringify(at)} ${NO_PATH}.`);
    if (typeof route !== 'function') throw new TypeError(`${WHAT}: the route ${at} is no function.`);
    if (taken.includes(at)) throw new TypeError(`${WHAT}: the route ${at} is taken.`);
  }
  return routes;
}

/** Names of hosts only, as URLs have them: with a scheme, a port or a wildcard none would ever match. */
function toHostNames(
  option: 'allowedHosts' | 'allowedOrigins',
  given: readonly string[] = [],
): readonly string[] {
  return given.map((name: unknown) => {
    if (option === 'allowedOrigins' && typeof name === 'string' && OWN_SCHEME.test(name)) return name;
    const read = typeof name === 'string' ? toHostName(name) : undefined;
    if (read !== undefined) return read;
    throw new TypeError(
      `${WHAT}: ${option} holds ${JSON.stringify(name)}; write a host name without scheme, port, user and wildcard, in punycode (xn--…) where it is not ASCII, and IPv6 in [ ].`,
    );
  });
}

/** A time to wait, which a timer can keep. */
function toTimeout(option: 'bodyTimeoutMs' | 'closeTimeoutMs', given: number | undefined): number {
  const ms = toCount(WHAT, option, given, 30_000);
  if (ms <= LONGEST_TIMER) return ms;
  throw new TypeError(`${WHAT}: ${option} is ${ms}; timers wait at most ${LONGEST_TIMER} ms.`);
}

/** Reads what an application says of its HTTP handler. @throws TypeError that names the option. */
export function toHandlerSettings(options: McpHandlerOptions): HandlerSettings {
  const door = toDoorSettings(WHAT, options, [...MCP_OPTIONS, ...KNOWN]);
  refuseNoLists(WHAT, options, ['allowedHosts', 'allowedOrigins']);
  const { path = '/mcp', auth, principal, rateLimit } = options;
  if (typeof path !== 'string' || !isPath(path)) {
    throw new TypeError(`${WHAT}: path is ${JSON.stringify(path)}, which ${NO_PATH}.`);
  }
  if (principal !== undefined && typeof principal !== 'function') {
    throw new TypeError(`${WHAT}: principal is no function; write principal: (request) => ….`);
  }
  if (auth !== undefined && principal !== undefined) {
    throw new TypeError(
      `${WHAT}: principal is ignored where there is auth; write auth: { principal: (authInfo) => … }.`,
    );
  }
  const resource = auth === undefined ? undefined : toResourceSettings(auth);
  const ownHosts = resource === undefined ? [] : [resource.resourceUrl.hostname];
  const metadataPaths = resource === undefined ? [] : [metadataUrl(resource).pathname];
  const taken = [HEALTH_PATH, ...metadataPaths];
  if (taken.includes(path)) {
    throw new TypeError(
      `${WHAT}: path is ${path}, which answers load balancers, or has the metadata of auth.`,
    );
  }
  return {
    door,
    path,
    auth,
    routes: toRoutes(options.routes, [path, ...taken]),
    principal,
    allowedHosts: [
      ...localhostAllowedHostnames(),
      ...ownHosts,
      ...toHostNames('allowedHosts', options.allowedHosts),
    ],
    allowedOrigins: [...localhostAllowedOrigins(), ...toHostNames('allowedOrigins', options.allowedOrigins)],
    maxRequestBytes: toCount(WHAT, 'maxRequestBytes', options.maxRequestBytes, 4_194_304),
    bodyTimeoutMs: toTimeout('bodyTimeoutMs', options.bodyTimeoutMs),
    rateLimit: toRateChoice(`${WHAT}: rateLimit`, rateLimit, PER_PRINCIPAL),
    closeTimeoutMs: toTimeout('closeTimeoutMs', options.closeTimeoutMs),
  };
}
