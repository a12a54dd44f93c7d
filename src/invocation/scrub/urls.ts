/**
 * Secrets that a URL or a connection string carries by its place: user information and webhooks.
 * Invariant: the scheme, and what follows the user information, stay.
 */
import { type Detector, MASK, masking } from './detector';

const URL_WORD = /([A-Za-z][A-Za-z0-9+.-]{1,30}:(?:\\?\/){2})([^\s"'<>`]*)/g;
const WEB_SCHEME = /^(?:https?|wss?|file|blob|s3|gs|npm|data|vscode):/i;
const AUTHORITY = /^[^/?#]*/;

/**
 * Where the user information of a URL ends: at the last @ of the word, since people put passwords there without
 * writing @, / and ? as %40, %2F and %3F. On the web an @ is common in paths, so there one has to stand in the
 * authority, or what precedes the first slash has to be a name and a password rather than a host and a port.
 */
function endOfUserInformation(scheme: string, rest: string): number {
  const last = rest.lastIndexOf('@');
  if (last < 0 || !WEB_SCHEME.test(scheme)) return last;
  const [authority = ''] = AUTHORITY.exec(rest) ?? [];
  const port = authority.slice(authority.lastIndexOf(':') + 1);
  const isHost = !authority.includes('@') && (!authority.includes(':') || /^\d{0,5}$/.test(port));
  return isHost || authority.startsWith('[') ? -1 : last;
}

/** Masks user information but for the user that all of Git's hosts share, up to the last @ (RFC 3986, section 3.2.1). */
export const userInformation: Detector = {
  patterns: [URL_WORD],
  scrub: (text) =>
    text.replace(URL_WORD, (match: string, scheme: string, rest: string) => {
      const end = endOfUserInformation(scheme, rest);
      return end <= 0 || rest.slice(0, end) === 'git' ? match : `${scheme}${MASK}${rest.slice(end)}`;
    }),
};

/** Masks a name and a password before a host with a port, where the scheme was left out: `app:pw@db:5432`. */
export const bareUserInformation: Detector = masking(
  /(?<![\p{L}\p{N}_.:@/-])[\p{L}\p{N}_.-]{1,64}:[^\s:@/"'<>`]{4,128}(?=@[A-Za-z0-9-]{1,63}:\d{2,5}(?![\p{L}\p{N}]))/gu,
);

/** Masks the paths of webhooks, which let anyone post who knows them. */
export const webhooks: readonly Detector[] = [
  masking(/(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{10,}/gi),
  masking(/(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)[A-Za-z0-9/_-]{10,}/gi),
  masking(/(\.webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@/_-]{10,}/gi),
  masking(/(hooks\.zapier\.com\/hooks\/catch\/)[A-Za-z0-9/_-]{6,}/gi),
  masking(/(api\.telegram\.org\/(?:file\/)?bot)[A-Za-z0-9:_-]{10,}/gi),
  // A query's key and an authorisation code say nothing by their names elsewhere.
  masking(/([?&](?:key|code|sig|hmac|auth|st|k)=)[A-Za-z0-9%._~+/=-]{16,}/gi),
];
