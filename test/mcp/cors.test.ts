/**
 * Web pages of allowed origins, as browsers let them call (Fetch, CORS protocol).
 * Invariant: they may call and read every answer; nobody else is told anything.
 */
import { add, ran, serveMath } from '../fixtures/mcp-math';
import { rpc } from '../fixtures/mcp-rpc';

const origin = 'https://app.example';
const options = { allowedOrigins: ['app.example'] };

function asks(from: string | undefined, path = '/mcp'): Request {
  return new Request(`http://localhost${path}`, {
    method: 'OPTIONS',
    headers: {
      ...(from === undefined ? {} : { origin: from }),
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-method,mcp-param-region',
    },
  });
}

const corsOf = ({ headers }: { headers: Headers }) =>
  [...headers].filter(([name]) => name.startsWith('access-control-'));

it('answers a preflight before it asks who is calling', async () => {
  const principal = () => new Response(null, { status: 401 });
  const response = await (await serveMath({ ...options, principal })).fetch(asks(origin));
  expect(response.status).toBe(204);
  expect(Object.fromEntries(corsOf(response))).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': 'authorization,content-type,mcp-method,mcp-param-region',
    'access-control-max-age': expect.stringMatching(/^\d+$/),
  });
  expect(response.headers.get('vary')).toBe('Access-Control-Request-Headers, Origin');
  expect(response.headers.has('access-control-allow-credentials')).toBe(false);
});

it.each([
  ['another origin', 'https://evil.example', '/mcp'],
  ['the origin null', 'null', '/mcp'],
  ['no origin', undefined, '/mcp'],
  ['an allowed origin at another path', origin, '/other'],
])('tells nothing to %s', async (_, from, path) => {
  const response = await (await serveMath(options)).fetch(asks(from, path));
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(corsOf(response)).toEqual([]);
});

it.each([
  ['a result', {}, 200],
  ['a refused caller', { principal: () => Response.redirect('https://as.example', 303) }, 303],
  ['a caller who cannot be found', { principal: () => Promise.reject(new Error('down')) }, 500],
  ['the rate', { rateLimit: { consume: () => Promise.reject(new Error('down')) } }, 429],
] as const)('lets the page read the answer: %s', async (_, more, status) => {
  const handler = await serveMath({ ...options, ...more });
  const response = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: add }),
    }),
  );
  expect(response.status).toBe(status);
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  expect(response.headers.get('vary')).toContain('Origin');
  await response.text();
});

it('says nothing of it to clients that are no pages', async () => {
  const answer = await rpc(await serveMath(options), 'tools/call', add);
  expect([answer.status, ran.calls, corsOf(answer)]).toEqual([200, 1, []]);
});
