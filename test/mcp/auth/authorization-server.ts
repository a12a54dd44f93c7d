/**
 * A real authorization server on a local port, and tokens of every kind that it gives, or that somebody forges.
 * Invariant: what is forged differs from what is real in the one thing that its caller names.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

/** The resource that tokens are issued for, unless a test says otherwise. */
export const RESOURCE = 'https://mcp.example.com/mcp';

/** The scopes that the server knows. */
export const SCOPES = ['orders:read', 'orders:write', 'orders:admin'];

const AGENT_SECRET = 'secret-of-agents';
/** One that has to be encoded where it is sent. */
const SECRET = 'secret + signs/of:ours';

/** A pair of keys, by its id. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes a pair of keys for ES256. */
export function signingKey(kid: string): SigningKey {
  return { kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** The public half of a pair, as a key set has it. */
export function publicJwk({ kid, publicKey }: SigningKey): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
}

/** How a token that is made by hand differs from the usual one; a claim that is undefined is left out. */
export interface HandMade {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly key?: SigningKey;
}

/** The seconds since 1970. */
export function seconds(fromNow = 0): number {
  return Math.floor(Date.now() / 1_000) + fromNow;
}

/** Makes a token as the usual one of an issuer, but for what is said. */
export async function signToken(issuer: string, usual: SigningKey, made: HandMade = {}): Promise<string> {
  const { key = usual } = made;
  const claims: JWTPayload = {
    iss: issuer,
    aud: RESOURCE,
    sub: 'ann',
    client_id: 'agent',
    scope: 'orders:read',
    iat: seconds(),
    exp: seconds(600),
    ...made.claims,
  };
  const header: JWTHeaderParameters = { alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...made.header };
  return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
}

/** The authorization server. */
export class AuthorizationServer {
  private constructor(
    private readonly process: ChildProcess,
    readonly issuer: string,
    /** The key that the server signs with. */
    readonly key: SigningKey,
  ) {}

  /** Starts one. */
  static async start(): Promise<AuthorizationServer> {
    const key = signingKey('as-1');
    const jwk = { ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, alg: 'ES256', use: 'sig' };
    const agents = ['agent', 'opaque-agent'].map((id) => ({
      id,
      secret: AGENT_SECRET,
      scope: SCOPES.join(' '),
    }));
    const clients = [...agents, { id: 'resource-server', secret: SECRET }];
    const child = fork(join(__dirname, 'oidc-provider.mjs'), { stdio: 'ignore', execArgv: [] });
    child.send({ jwk, clients, scopes: SCOPES });
    const [issuer]: unknown[] = await once(child, 'message');
    return new AuthorizationServer(child, String(issuer), key);
  }

  get jwksUri(): string {
    return `${this.issuer}/jwks`;
  }

  /** What `introspectionVerifier` needs to ask this server. */
  get introspection() {
    return {
      endpoint: `${this.issuer}/token/introspection`,
      clientId: 'resource-server',
      clientSecret: SECRET,
    };
  }

  /** The client that gets JWTs. */
  get agent() {
    return { clientId: 'agent', clientSecret: AGENT_SECRET };
  }

  private async post(path: string, client: string, fields: Record<string, string>): Promise<Response> {
    const basic = Buffer.from(`${client}:${AGENT_SECRET}`).toString('base64');
    const response = await fetch(`${this.issuer}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams(fields),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Gets a token from the server. */
  async token(kind: 'jwt' | 'opaque', scope = 'orders:read', resource = RESOURCE): Promise<string> {
    const client = kind === 'jwt' ? 'agent' : 'opaque-agent';
    const fields = { grant_type: 'client_credentials', scope, resource };
    const answer: unknown = await (await this.post('/token', client, fields)).json();
    if (typeof answer === 'object' && answer !== null && 'access_token' in answer)
      return String(answer.access_token);
    throw new Error('the authorization server gave no token');
  }

  /** Revokes an opaque token. */
  async revoke(token: string): Promise<void> {
    await this.post('/token/revocation', 'opaque-agent', { token });
  }

  /** Makes a token with the server's key. */
  sign(made: HandMade = {}): Promise<string> {
    return signToken(this.issuer, this.key, made);
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
  }
}
