/**
 * The address that a server listens at, as `--http` gives it.
 * Invariant: a host is taken for this machine's own only where it is certain.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** Where to listen. */
export interface Address {
  /** A name, or an address without brackets. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Reads HOST:PORT. @throws InvalidArgumentError where it is none. */
export function toAddress(text: string): Address {
  const [, bracketed, plain, digits] = /^(?:\[([^\]\s]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  const isSound = bracketed === undefined || isIPv6(bracketed);
  if (host !== undefined && isSound && port <= 65_535) return { host, port };
  throw new InvalidArgumentError('write HOST:PORT, such as 127.0.0.1:3000 or [::1]:3000');
}

/** Whether nobody but this machine reaches a host. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}

/** Whether a host stands for every address of the machine, and so for no name that clients use. */
export function isWildcard(host: string): boolean {
  return isIP(host) !== 0 && /^[0:.]+$/.test(host);
}

/** A host as URLs and `Host` headers have it. */
export function toUrlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
