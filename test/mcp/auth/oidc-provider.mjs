/**
 * A real authorization server in a process of its own, which gives tokens for client credentials.
 * Invariant: it ends with the process that started it.
 */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

function clientOf({ id, secret, scope }) {
  const grants = scope === undefined ? [] : ['client_credentials'];
  return {
    client_id: id,
    client_secret: secret,
    grant_types: grants,
    redirect_uris: [],
    response_types: [],
    ...(scope === undefined ? {} : { scope }),
  };
}

function configuration({ jwk, clients, scopes }) {
  const scope = scopes.join(' ');
  return {
    clients: clients.map(clientOf),
    scopes,
    jwks: { keys: [jwk] },
    clientDefaults: { id_token_signed_response_alg: jwk.alg },
    ttl: { ClientCredentials: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource, client) => ({
          scope,
          audience: resource,
          accessTokenFormat: client.clientId === 'opaque-agent' ? 'opaque' : 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: jwk.alg } },
        }),
      },
    },
  };
}

process.on('disconnect', () => process.exit());
process.once('message', (setUp) => {
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    const issuer = `http://127.0.0.1:${server.address().port}`;
    server.on('request', new Provider(issuer, configuration(setUp)).callback());
    process.send(issuer);
  });
});
