/**
 * What an application may say about serving its toolkit over MCP, and the settings that come of it.
 * Invariant: every setting is sound once read; an option that would be ignored is a TypeError.
 */
import type { Readable, Writable } from 'node:stream';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { isObject } from '../contract/json-object';
import { readPackageFile } from '../contract/package-file';
import type { Principal } from '../contract/principal';
import { refuseUnknownKeys, toCount } from '../discovery/check-options';
import type { RateLimitChoice } from '../invocation/limits/options';
import type { ResourceServerOptions } from './auth/resource-options';
import { toStateKey } from './rounds';

/** How a server names itself to clients (MCP 2026-07-28, Implementation). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** What holds over every transport. */
export interface McpOptions {
  /** Left out: toolcrib and its version. */
  readonly serverInfo?: ServerInfo;
  /** Tells models how the tools go together. */
  readonly instructions?: string;
  /** For a name, the range whose highest version is served: `{ 'orders.lookup': '^1' }`. */
  readonly versions?: { readonly [name: string]: string };
  /** How many tools a page of `tools/list` holds; left out: 100. */
  readonly pageSize?: number;
  /** How long clients may keep a page of `tools/list`, in milliseconds; left out: 0, they ask each time. */
  readonly listTtlMs?: number;
  /**
   * Answers calls of tools that the caller may not call as if there were no such tool. Left out: false, they are told
   * which scopes they lack.
   */
  readonly concealTools?: boolean;
  /**
   * Signs what travels through clients while a call asks the person: at least 32 bytes, the same in every process that
   * serves one client. Left out: a random key, so that only this process goes on with what it has asked.
   */
  readonly requestStateKey?: string | Uint8Array;
  /**
   * Whether the person at the client may approve calls, who has the caller's credentials. Left out: true, where the
   * client can show forms. False: calls are approved by others alone, as `createToolkit({ approval })` says.
   */
  readonly clientApproves?: boolean;
}

/** What an HTTP request is answered by beside MCP: a page of metrics, say. */
export type Route = (request: Request) => Response | Promise<Response>;

/**
 * Finds who makes a request, by its headers: its body has not been read. Undefined is nobody; a `Response` is the
 * answer to the request, 401 with `WWW-Authenticate`, say. Whatever else is nobody, and logged.
 */
export type PrincipalOfRequest = (
  request: Request,
  authInfo: AuthInfo | undefined,
) => Principal | Response | undefined | Promise<Principal | Response | undefined>;

/** What holds over HTTP. */
export interface McpHandlerOptions extends McpOptions {
  /** Where MCP is served; left out: `/mcp`. */
  readonly path?: string;
  /** What else is answered, by path: behind the checks of `Host` and `Origin`, and without authentication. */
  readonly routes?: { readonly [path: string]: Route };
  /** Who may call, by OAuth: the server takes only requests with a token that this accepts. Not with `principal`. */
  readonly auth?: ResourceServerOptions;
  /**
   * Finds who is calling where there is no `auth`, by what the application in front has made sure of. Left out: nobody
   * is known, and nobody holds a scope. A `Response` that it returns is the answer. It has 30 seconds, and over
   * `node` it cannot read the body.
   */
  readonly principal?: PrincipalOfRequest;
  /**
   * Host names, without ports, under which the server is reached; left out: those of this machine, and with `auth` that
   * of its `resource`.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Host names, without ports, of web pages that may call the server and read its answers (CORS), and `<scheme>://*` for
   * every page of a scheme that is not http or https, such as a browser extension's; left out: those of this machine
   * alone.
   */
  readonly allowedOrigins?: readonly string[];
  /** In bytes, of one request; left out: 4 MiB. */
  readonly maxRequestBytes?: number;
  /** How long a request's body may take to arrive, in milliseconds; left out: 30,000. */
  readonly bodyTimeoutMs?: number;
  /** Requests of one principal, each of a batch of 2025 too, answered 429 beyond; left out: 60,000 a minute. */
  readonly rateLimit?: RateLimitChoice;
  /** How long `close` waits for calls that run, in milliseconds; left out: 30,000. */
  readonly closeTimeoutMs?: number;
}

/** What holds over stdio. */
export interface StdioOptions extends McpOptions {
  /** Who is at the other end, with the scopes that they are granted. Left out: nobody, without scopes. */
  readonly principal?: Principal;
  /** Where the client's messages come from; left out: standard input. */
  readonly input?: Readable;
  /**
   * Where the protocol is written. Left out: standard output, which is then kept for it: what else the process writes
   * there goes to standard error.
   */
  readonly output?: Writable;
}

/** The settings of a door, read. */
export interface DoorSettings {
  readonly serverInfo: { name: string; version: string; title?: string };
  readonly instructions: string | undefined;
  readonly versions: { readonly [name: string]: string };
  readonly pageSize: number;
  readonly listTtlMs: number;
  readonly concealTools: boolean;
  readonly requestStateKey: string | Uint8Array;
  readonly clientApproves: boolean;
}

const COMMON = [
  'serverInfo',
  'instructions',
  'versions',
  'pageSize',
  'listTtlMs',
  'concealTools',
  'requestStateKey',
  'clientApproves',
] as const satisfies readonly (keyof McpOptions)[];

/** The options of {@link McpOptions} by name. */
export const MCP_OPTIONS: readonly string[] = COMMON;

const SERVER_INFO: readonly string[] = ['name', 'version', 'title'] satisfies (keyof ServerInfo)[];

function toServerInfo(what: string, given: ServerInfo | undefined): DoorSettings['serverInfo'] {
  if (given === undefined) return { name: 'toolcrib', version: readPackageFile().version };
  // It goes out in every answer: nothing that it holds by mistake may.
  const isSound =
    isObject(given) &&
    Object.keys(given).every((key) => SERVER_INFO.includes(key)) &&
    typeof given.name === 'string' &&
    typeof given.version === 'string' &&
    (given.title === undefined || typeof given.title === 'string');
  if (isSound) return { ...given };
  throw new TypeError(`${what}: serverInfo is no { name, version, title? }, all text, and nothing beside.`);
}

function toSwitch(what: string, option: string, given: unknown, byDefault: boolean): boolean {
  const isOn = given ?? byDefault;
  if (typeof isOn === 'boolean') return isOn;
  throw new TypeError(`${what}: ${option} is ${String(isOn)}; give true or false.`);
}

/** Reads what holds over every transport. @throws TypeError that names the option. */
export function toDoorSettings(what: string, options: McpOptions, known: readonly string[]): DoorSettings {
  refuseUnknownKeys(what, options, known);
  const { listTtlMs = 0, instructions, versions = {} } = options;
  if (!Number.isSafeInteger(listTtlMs) || listTtlMs < 0) {
    throw new TypeError(`${what}: listTtlMs is ${String(listTtlMs)}; give 0 or a positive integer.`);
  }
  if (instructions !== undefined && typeof instructions !== 'string') {
    throw new TypeError(`${what}: instructions are no text.`);
  }
  if (!isObject(versions)) throw new TypeError(`${what}: versions is no { name: range }.`);
  return {
    serverInfo: toServerInfo(what, options.serverInfo),
    instructions,
    versions,
    pageSize: toCount(what, 'pageSize', options.pageSize, 100),
    listTtlMs,
    concealTools: toSwitch(what, 'concealTools', options.concealTools, false),
    requestStateKey: toStateKey(what, options.requestStateKey),
    clientApproves: toSwitch(what, 'clientApproves', options.clientApproves, true),
  };
}
