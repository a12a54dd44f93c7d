/**
 * Serves the metadata of the protected resource (RFC 9728), which tells clients where tokens come from.
 * Invariant: the document is public, the same for everybody, and holds what the application configured alone.
 */
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import type { ResourceSettings } from './resource-options';
import { askable } from './scope-tokens';

const METHODS = 'GET, HEAD, OPTIONS';
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

/** Where the metadata of a resource is: the well-known path before its own (RFC 9728, section 3.1). */
export function metadataUrl({ resourceUrl }: Pick<ResourceSettings, 'resourceUrl'>): URL {
  return new URL(getOAuthProtectedResourceMetadataUrl(resourceUrl));
}

// The SDK's own builder names a single authorization server, and asks for the whole of its metadata.
function documentOf(settings: ResourceSettings, scopes: readonly string[]): object {
  const supported = askable(scopes);
  return {
    resource: settings.resource,
    authorization_servers: settings.authorizationServers,
    ...(supported.length === 0 ? {} : { scopes_supported: supported }),
    bearer_methods_supported: ['header'],
    ...(settings.resourceName === undefined ? {} : { resource_name: settings.resourceName }),
    ...(settings.documentation === undefined ? {} : { resource_documentation: settings.documentation }),
  };
}

function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers');
  const headers = {
    ...ANY_ORIGIN,
    'access-control-allow-methods': METHODS,
    ...(asked === null
      ? {}
      : { 'access-control-allow-headers': asked, vary: 'Access-Control-Request-Headers' }),
  };
  return new Response(null, { status: 204, headers });
}

/** Answers a request for the metadata of a resource. */
export function metadataResponse(
  request: Request,
  settings: ResourceSettings,
  scopes: readonly string[],
): Response {
  if (request.method === 'OPTIONS') return preflight(request);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...ANY_ORIGIN, allow: METHODS } });
  const { headers, body } = Response.json(documentOf(settings, scopes), { headers: ANY_ORIGIN });
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}
