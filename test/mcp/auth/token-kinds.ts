/**
 * Every kind of credential that somebody may come with.
 * Invariant: of each it is known who its bearer is; where nobody is named, it is good for nothing.
 */
import { createHmac } from 'node:crypto';
import { type AuthorizationServer, seconds, signingKey } from './authorization-server';

/** What somebody comes with. */
export interface Credential {
  /** The value of the Authorization header. */
  readonly authorization?: string;
  /** A query that the URL ends with. */
  readonly query?: string;
  /** Whom a tool sees; left out: it sees nobody. */
  readonly who?: string;
}

type Make = (server: AuthorizationServer) => Promise<Credential>;

const OTHER = 'https://other.example/mcp';

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function bearer(token: string): Credential {
  return { authorization: `Bearer ${token}` };
}

async function real(server: AuthorizationServer, scope: string, resource?: string): Promise<Credential> {
  return { ...bearer(await server.token('jwt', scope, resource)), who: `${server.issuer}#agent` };
}

async function opaque(server: AuthorizationServer, scope: string): Promise<Credential> {
  const who = `${server.issuer}?client_id=opaque-agent`;
  return { ...bearer(await server.token('opaque', scope)), who };
}

const forged =
  (claims: Record<string, unknown>, header: Record<string, unknown> = {}): Make =>
  async (server) =>
    bearer(await server.sign({ claims, header }));

const signed =
  (claims: Record<string, unknown>): Make =>
  async (server) => ({ ...(await forged(claims)(server)), who: `${server.issuer}#ann` });

/** The kinds of credentials, by name. */
export const CREDENTIALS = {
  'no token': async () => ({}),
  'read token': (server) => real(server, 'orders:read'),
  'read-write token': (server) => real(server, 'orders:read orders:write'),
  'write token': (server) => real(server, 'orders:write'),
  'admin token': (server) => real(server, 'orders:admin'),
  'token without scopes': signed({ scope: undefined }),
  'token of a user': signed({}),
  'token for several audiences': (server) => signed({ aud: [OTHER, 'https://mcp.example.com/mcp'] })(server),
  'scopes in a list': signed({ scope: undefined, scp: ['orders:read'] }),
  'scope with a space': signed({ scope: ['orders read'] }),
  'scope in other letters': signed({ scope: 'Orders:Read' }),
  'scope that holds another': signed({ scope: 'orders:readonly xorders:read' }),
  'lower-case bearer': async (server) => {
    const { authorization = '', ...rest } = await real(server, 'orders:read');
    return { ...rest, authorization: authorization.replace('Bearer', 'bearer') };
  },
  'expired token': forged({ exp: seconds(-60) }),
  'token to come': forged({ nbf: seconds(3_600) }),
  'token without expiry': forged({ exp: undefined }),
  'token for another audience': async (server) => {
    const { authorization = '' } = await real(server, 'orders:read', OTHER);
    return { authorization };
  },
  'token without audience': forged({ aud: undefined }),
  'token of another issuer': forged({ iss: 'https://evil.example' }),
  'token of another server': async (server) => bearer(await server.sign({ key: signingKey(server.key.kid) })),
  'token of an unknown key': forged({}, { kid: 'nobody' }),
  'token bound to a key': forged({ cnf: { jkt: 'x' } }),
  'logout token': forged({}, { typ: 'logout+jwt' }),
  'none algorithm': async (server) => {
    const [, claims = ''] = (await server.sign()).split('.');
    return bearer(`${encoded({ alg: 'none' })}.${claims}.`);
  },
  'public key as secret': async (server) => {
    const [, claims = ''] = (await server.sign()).split('.');
    const input = `${encoded({ alg: 'HS256', kid: server.key.kid })}.${claims}`;
    const pem = server.key.publicKey.export({ type: 'spki', format: 'pem' });
    return bearer(`${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`);
  },
  'changed claims': async (server) => {
    const [header = '', , signature = ''] = (await server.sign()).split('.');
    const claims = encoded({ iss: server.issuer, aud: 'https://mcp.example.com/mcp', exp: seconds(600) });
    return bearer(`${header}.${claims}.${signature}`);
  },
  'truncated token': async (server) => bearer((await server.sign()).slice(0, -8)),
  'made-up token': async () => bearer('made-up'),
  'empty token': async () => bearer(''),
  'two tokens': async (server) => bearer(`${await server.sign()}, Bearer ${await server.sign()}`),
  'basic credentials': async () => ({ authorization: 'Basic YWdlbnQ6c2VjcmV0' }),
  'token in the query': async (server) => ({ query: `?access_token=${await server.sign()}` }),
  'opaque token': (server) => opaque(server, 'orders:read'),
  'opaque admin token': (server) => opaque(server, 'orders:admin'),
  'revoked token': async (server) => {
    const token = await server.token('opaque');
    await server.revoke(token);
    return bearer(token);
  },
  'opaque token for another audience': async (server) =>
    bearer(await server.token('opaque', 'orders:read', OTHER)),
} as const satisfies Readonly<Record<string, Make>>;

/** The name of a kind. */
export type CredentialName = keyof typeof CREDENTIALS;
