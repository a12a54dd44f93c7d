/**
 * Where a request goes: the host that it names, and its target.
 * Invariant: what is no host is never made part of a URL, where it could become another host, or another path.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** RFC 9112, section 3.2.2: the absolute form, as clients send it to proxies, and servers must accept it. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/** RFC 3986, section 3.2.2, without what no host of the web has: percent-encoding, and what lies beyond ASCII. */
const HOST_NAME = /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i;
const PORT = /:\d*$/;

/** A host name as URLs write it, in lower case; undefined where it is none: a port, user info, Unicode, bare IPv6. */
export function toHostName(text: string): string | undefined {
  const url = `http://${text}`;
  return HOST_NAME.test(text) && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Whether a text is `host` or `host:port` (RFC 9110, section 7.2). */
export function isHost(text: string): boolean {
  return toHostName(text.replace(PORT, '')) !== undefined && URL.canParse(`http://${text}`);
}

/** Whether a path is one that a URL can have, written as URLs write it. */
export function isPath(path: string): boolean {
  const url = `http://localhost${path}`;
  return path.startsWith('/') && URL.canParse(url) && new URL(url).href === url && !/[?#]/.test(path);
}

/** Where a request goes. */
export interface Target {
  /** As the URL has it; undefined: a request of HTTP/1.0 names none. */
  readonly host: string | undefined;
  /** The path with the query. */
  readonly url: string;
}

function readAuthority({ ':authority': authority }: IncomingHttpHeaders): string | undefined {
  return typeof authority === 'string' ? authority : undefined;
}

/** Reads where a request of Node goes; undefined where that cannot be told. */
export function targetOf({ url = '/', headers }: IncomingMessage): Target | undefined {
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  // With the absolute form the Host header does not count; HTTP/2 has another (RFC 9113, section 8.3.1).
  const host = authority ?? headers.host ?? readAuthority(headers);
  const path = authority === undefined ? url : rest.replace(/^(?!\/)/, '/');
  if (host !== undefined && !isHost(host)) return undefined;
  return path.startsWith('/') ? { host, url: path } : undefined;
}
