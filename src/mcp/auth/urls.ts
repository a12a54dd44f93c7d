/**
 * The URLs of an OAuth set-up: servers, endpoints and the identifier of a resource.
 * Invariant: what tokens or keys travel over is https, except on the machine itself.
 */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL is https, or http on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/**
 * Reads the URL of a server or an endpoint; in it fragments and credentials have no place (RFC 8707, section 2;
 * RFC 8414, section 2).
 *
 * @throws TypeError that names the option.
 */
export function toUrl(what: string, option: string, given: unknown): URL {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isPlain =
    url !== undefined && !String(given).includes('#') && url.username === '' && url.password === '';
  if (isPlain && isSecure(url)) return url;
  throw new TypeError(
    `${what}: ${option} is no URL that can be used; give an https URL (http only on localhost), as text, without a fragment and without credentials.`,
  );
}

/**
 * Reads an issuer, which is kept as it is written: issuers are compared by their characters (RFC 8414, section 3.3).
 *
 * @throws TypeError that names the option where it is no URL, or has a query.
 */
export function toIssuer(what: string, option: string, given: unknown): string {
  const { href } = toUrl(what, option, given);
  if (href.includes('?')) throw new TypeError(`${what}: ${option} has a query; an issuer has none.`);
  return String(given);
}

/** The ways to write an audience: the URL of a host with and without its slash is one (RFC 3986, section 6.2.3). */
export function audienceForms(audience: string): string[] {
  if (!URL.canParse(audience)) return [audience];
  const { origin, href } = new URL(audience);
  return href === `${origin}/` ? [origin, href] : [audience];
}

/** Whether two texts name one resource, as the SDK compares them: a slash at the end makes no difference. */
export function isSameResource(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) =>
    URL.canParse(text) ? new URL(text).href.replace(/\/$/, '') : text,
  );
  return first === second;
}
