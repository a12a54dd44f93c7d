/**
 * The settings of the HTTP handler.
 * Invariant: every setting is sound once read; what would leave the server open by mistake is a TypeError.
 */
import { localhostAllowedHostnames, localhostAllowedOrigins } from '@modelcontextprotocol/server';
import { refuseNoLists, toCount } from '../discovery/check-options';
import { LONGEST_TIMER } from '../invocation/deadline';
import { PER_PRINCIPAL, type RateLimitChoice, toRateChoice } from '../invocation/limits/options';
import { type ResourceServerOptions, toResourceSettings } from './auth/resource-options';
import { isObject } from './json-object';
import {
  type DoorSettings,
  MCP_OPTIONS,
  type McpHandlerOptions,
  type PrincipalOfRequest,
  type Route,
  toDoorSettings,
} from './options';

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

function isPath(path: string): boolean {
  return path.startsWith('/') && !/[?#\s]/.test(path);
}

function toRoutes(given: McpHandlerOptions['routes'], path: string): ReadonlyMap<string, Route> {
  if (given === undefined) return new Map();
  if (!isObject(given)) throw new TypeError(`${WHAT}: routes is no { '/path': (request) => Response }.`);
  const routes = new Map(Object.entries(given));
  for (const [at, route] of routes) {
    if (!isPath(at)) throw new TypeError(`${WHAT}: the route ${JSON.stringify(at)} is no path; write '/…'.`);
    if (typeof route !== 'function') throw new TypeError(`${WHAT}: the route ${at} is no function.`);
    if (at === path || at === HEALTH_PATH) throw new TypeError(`${WHAT}: the route ${at} is taken.`);
  }
  return routes;
}

/** Names of hosts only: with a scheme, a port or a wildcard none would ever match. */
function toHostNames(
  option: 'allowedHosts' | 'allowedOrigins',
  given: readonly string[] = [],
): readonly string[] {
  const isScheme = (name: string) => option === 'allowedOrigins' && OWN_SCHEME.test(name);
  const isName = (name: unknown) =>
    typeof name === 'string' && (isScheme(name) || !/[/\s*]|^$|:\d+$/.test(name));
  const wrong = given.find((name) => !isName(name));
  if (wrong === undefined) return given;
  throw new TypeError(
    `${WHAT}: ${option} holds ${JSON.stringify(wrong)}; write a host name without scheme, port and wildcard.`,
  );
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
    throw new TypeError(`${WHAT}: path is ${JSON.stringify(path)}; write '/…'.`);
  }
  if (path === HEALTH_PATH) throw new TypeError(`${WHAT}: path is ${path}, which answers load balancers.`);
  if (principal !== undefined && typeof principal !== 'function') {
    throw new TypeError(`${WHAT}: principal is no function; write principal: (request) => ….`);
  }
  if (auth !== undefined && principal !== undefined) {
    throw new TypeError(
      `${WHAT}: principal is ignored where there is auth; write auth: { principal: (authInfo) => … }.`,
    );
  }
  const ownHosts = auth === undefined ? [] : [toResourceSettings(auth).resourceUrl.hostname];
  return {
    door,
    path,
    auth,
    routes: toRoutes(options.routes, path),
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
