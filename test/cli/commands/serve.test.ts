/**
 * `toolcrib serve` in the test's own process: options, and a server over HTTP.
 * Invariant: a server that would be open by mistake does not start, and says which option mends it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OrderDesk } from '../order-desk';
import { notServing, type Workspace, workspaceOfClasses } from '../workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

const AUTH = ['--auth-issuer', 'https://as.example', '--auth-resource', 'https://tools.example/mcp'];
const LOCAL = ['serve', '--http', '127.0.0.1:0'];

describe('a usage error', () => {
  it.each<[string, string, readonly string[]]>([
    ['no transport', 'illegal_option', ['serve']],
    ['two transports', 'conflicting_option', ['serve', '--stdio', '--http', '127.0.0.1:1']],
    ['no port', 'invalid_argument', ['serve', '--http', '127.0.0.1']],
    ['a port beyond all', 'invalid_argument', ['serve', '--http', '127.0.0.1:65536']],
    ['an address without brackets', 'invalid_argument', ['serve', '--http', '::1:3000']],
    ['a path for stdio', 'illegal_option', ['serve', '--stdio', '--path', '/mcp']],
    ['a nameless caller', 'illegal_option', ['serve', '--stdio', '--principal', ' ']],
    ['every address, without authentication', 'illegal_option', ['serve', '--http', '0.0.0.0:0']],
    ['a host of any name, without authentication', 'illegal_option', ['serve', '--http', 'tools.example:0']],
    ['IPv6 of every address', 'illegal_option', ['serve', '--http', '[::]:0']],
    ['an issuer without a resource', 'illegal_option', [...LOCAL, ...AUTH.slice(0, 2)]],
    ['a resource without an issuer', 'illegal_option', [...LOCAL, ...AUTH.slice(2)]],
    ['scopes beside tokens', 'illegal_option', [...LOCAL, ...AUTH, '--scopes', 'orders:read']],
    ['a caller beside tokens', 'illegal_option', [...LOCAL, ...AUTH, '--principal', 'ann']],
    [
      'introspection without credentials',
      'illegal_option',
      [...LOCAL, ...AUTH, '--auth-introspect', 'https://as.example/i'],
    ],
    [
      'an issuer that is not secure',
      'illegal_option',
      [...LOCAL, '--auth-issuer', 'http://as.example', ...AUTH.slice(2)],
    ],
    ['a path that is none', 'illegal_option', [...LOCAL, '--path', 'mcp']],
    ['a host with a port', 'illegal_option', [...LOCAL, '--allowed-host', 'tools.example:443']],
    ['an address of another machine', 'cannot_listen', ['serve', '--http', '192.0.2.1:0', '--without-auth']],
    ['a version of no server', 'illegal_option', [...LOCAL, '--server-version', '2.0.0']],
    ['a server without a name', 'illegal_option', [...LOCAL, '--server-name', ' ']],
    ['a timeout that is none', 'invalid_argument', [...LOCAL, '--close-timeout', 'soon']],
    ['a time to close for stdio', 'illegal_option', ['serve', '--stdio', '--close-timeout', '5']],
    ['snippets for no port', 'illegal_option', [...LOCAL, '--print-config']],
  ])('%s is %s', async (_, code, argv) => {
    const { exitCode, json } = await desk.run(['--json', ...argv]);
    expect(exitCode).toBe(2);
    expect(json()).toEqual({ error: { code, message: expect.any(String) } });
  });
});

it.each<[string, readonly string[]]>([
  ['--path', [...LOCAL, '--path', 'mcp']],
  ['--allowed-host', [...LOCAL, '--allowed-host', 'tools.example:443']],
  ['--auth-issuer', [...LOCAL, '--auth-issuer', 'http://as.example', ...AUTH.slice(2)]],
  ['--auth-resource', [...LOCAL, ...AUTH.slice(0, 2), '--auth-resource', 'http://tools.example/mcp']],
  ['--path', ['serve', '--stdio', '--path', '/mcp']],
  ['--close-timeout', [...LOCAL, '--close-timeout', 'soon']],
])('a usage error of %s speaks of it, and of the help', async (option, argv) => {
  const { exitCode, stderr } = await desk.run(argv);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(option);
  expect(stderr).toContain('toolcrib serve --help');
  expect(stderr).not.toMatch(/createMcpHandler|Verifier|allowedHosts/);
});

interface Serving {
  readonly url: string;
  stop(): Promise<{ readonly exitCode: number; readonly stderr: string }>;
}

/** Starts a server in this process, and gives how it is asked to end. */
async function start(argv: readonly string[], env = {}): Promise<Serving> {
  let ask: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const serving = { ...notServing, onStop: (stop: () => void) => void asked.then(stop) };
  return new Promise((resolve, reject) => {
    const running = desk.run(argv, {
      serving,
      env,
      onStderr: (written) => {
        const [, url] = /^listening on (\S+)\n/.exec(written) ?? [];
        const stop = () => {
          ask();
          return running;
        };
        if (url !== undefined) resolve({ url, stop });
      },
    });
    void running.then(({ stderr }) => reject(new Error(stderr)));
  });
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe('over HTTP', () => {
  it('listens on a free port, grants the scopes it is told to, and ends with 0', async () => {
    const { url, stop } = await start([...LOCAL, '--scopes', 'orders:read', '--path', '/tools']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/tools$/);
    const client = await connect(url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('orders_lookup');
    const answer = await client.callTool({ name: 'orders_lookup', arguments: { order_id: 'ORD-1234' } });
    expect(answer.isError).toBeUndefined();
    expect((await fetch(new URL('/health', url))).status).toBe(200);
    await client.close();
    const { exitCode, stderr } = await stop();
    expect(exitCode).toBe(0);
    expect(stderr).toContain('orders:read');
  });

  it('names itself, conceals tools, and tells what it is told to', async () => {
    const info = ['--server-name', 'shop', '--server-version', '2.0.0', '--instructions', 'Look up first.'];
    const options = ['--conceal-tools', '--no-client-approval', '--close-timeout', '1000'];
    const { url, stop } = await start([...LOCAL, ...info, ...options]);
    const client = await connect(url);
    expect(client.getServerVersion()).toMatchObject({ name: 'shop', version: '2.0.0' });
    expect(client.getInstructions()).toBe('Look up first.');
    await expect(client.callTool({ name: 'orders_lookup', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await client.close();
    expect((await stop()).exitCode).toBe(0);
  });

  it.each([
    [true, ['--scopes', 'orders:raed,orders:read'], 'orders:raed'],
    [false, ['--scopes', 'orders:read'], 'warning'],
    [true, ['--http', '0.0.0.0:0', '--without-auth'], '--allowed-host'],
    [false, ['--http', '0.0.0.0:0', '--without-auth', '--allowed-host', 'tools.example'], '--allowed-host'],
    [false, [], '--allowed-host'],
  ])('warns (%p) of %p', async (isWarned, options, said) => {
    const { stop } = await start([...LOCAL, ...options]);
    expect((await stop()).stderr.includes(said)).toBe(isWarned);
  });

  it.each([
    [true, ['--verbose']],
    [false, []],
  ])('says why a token is refused (%p) with %p', async (isSaid, options) => {
    const { url, stop } = await start([...LOCAL, ...AUTH, ...options]);
    const headers = { authorization: 'Bearer no-token-at-all', 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    const { stderr } = await stop();
    expect(stderr.includes('malformed')).toBe(isSaid);
    expect(stderr).not.toContain('no-token-at-all');
  });

  it('grants no scope that it is not told to', async () => {
    const { url, stop } = await start(LOCAL);
    const client = await connect(url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('orders_lookup');
    await client.close();
    await stop();
  });

  it('says where tokens come from, and lets nobody in without one', async () => {
    const { url, stop } = await start([...LOCAL, ...AUTH]);
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url));
    expect(await metadata.json()).toMatchObject({
      resource: 'https://tools.example/mcp',
      authorization_servers: ['https://as.example'],
    });
    await stop();
  });

  it('asks the authorization server about tokens, with credentials of its own', async () => {
    const asked: (string | undefined)[] = [];
    const issuer = createServer(async (request, response) => {
      asked.push(request.headers.authorization);
      const isKnown = (await text(request)).includes('token=known');
      const claims = { aud: 'https://tools.example/mcp', iss: address, exp: 4_000_000_000, sub: 'ann' };
      response.end(JSON.stringify(isKnown ? { active: true, ...claims } : { active: false }));
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    const env = { TOOLCRIB_CLIENT_ID: 'tools', TOOLCRIB_CLIENT_SECRET: 'of its own' };
    const auth = ['--auth-issuer', address, ...AUTH.slice(2), '--auth-introspect', `${address}/introspect`];
    const { url, stop } = await start([...LOCAL, ...auth], env);
    const statusWith = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
    };
    expect([await statusWith('other'), await statusWith('known')]).toEqual([401, 400]);
    const credentials = Buffer.from('tools:of+its+own').toString('base64');
    expect(asked).toEqual([`Basic ${credentials}`, `Basic ${credentials}`]);
    const { stderr } = await stop();
    expect(stderr).not.toContain('of its own');
    issuer.close();
  });

  it('refuses a key that is too short, and does not repeat it', async () => {
    const env = { TOOLCRIB_REQUEST_STATE_KEY: 'too short' };
    const { exitCode, stdout, json } = await desk.run(['--json', ...LOCAL], { env });
    expect([exitCode, stdout.includes('too short')]).toEqual([2, false]);
    expect(json()).toMatchObject({ error: { code: 'illegal_option' } });
  });

  it('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { exitCode, json } = await desk.run(['--json', 'serve', '--http', `127.0.0.1:${port}`]);
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({ error: { code: 'cannot_listen' } });
    other.close();
  });
});

it('hands the whole command line to a sealed process over stdio, and its exit code back', async () => {
  const given: (readonly string[])[] = [];
  const serving = {
    ...notServing,
    runSealed: async (argv: readonly string[]) => {
      given.push(argv);
      return 143;
    },
  };
  const argv = ['serve', '--stdio', '--scopes', 'orders:read'];
  expect((await desk.run(argv, { serving })).exitCode).toBe(143);
  expect(given).toEqual([argv]);
});
