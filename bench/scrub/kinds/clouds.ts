/**
 * Keys of clouds, databases as a service and infrastructure.
 * Invariant: each follows its vendor's documented format.
 */
import { type Kind, marked, named } from '../kind';

const ENV = (name: string): readonly string[] => [
  `${name}={}`,
  `export ${name}="{}"`,
  `{"${name}":"{}"}`,
  `invalid value for ${name}: {}`,
];

/** Kinds of keys of clouds. */
export const CLOUD_KINDS: readonly Kind[] = [
  marked('AWS access key id', ['AK', 'IA'], (r) => r.text('base32', 16)),
  marked('AWS temporary key id', ['AS', 'IA'], (r) => r.text('base32', 16)),
  named('AWS secret access key', ENV('AWS_SECRET_ACCESS_KEY'), (r) => r.text('base64', 40)),
  named('AWS session token', [...ENV('AWS_SESSION_TOKEN'), 'x-amz-security-token: {}'], (r) => r.base64(210)),
  named(
    'AWS signature',
    [
      'Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature={}',
      'GET https://bucket.s3.amazonaws.com/key?X-Amz-Expires=300&X-Amz-Signature={}&x-id=GetObject failed: 403',
    ],
    (r) => r.text('hex', 64),
  ),
  marked('Google API key', ['AI', 'za'], (r) => `Sy${r.text('base64url', 33)}`),
  marked('Google OAuth secret', ['GOC', 'SPX-'], (r) => r.text('base64url', 28)),
  marked('Google access token', ['ya', '29.'], (r) => `a0${r.text('base64url', 160)}`),
  marked('Google refresh token', ['1/', '/0'], (r) => r.text('base64url', 100)),
  named(
    'Azure storage key',
    [
      'DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={};EndpointSuffix=core.windows.net',
      'AccountKey={}',
    ],
    (r) => r.base64(64),
  ),
  named(
    'Azure shared access signature',
    [
      'https://acct.blob.core.windows.net/c/b.pdf?sv=2024-05-04&se=2026-01-01T00%3A00%3A00Z&sr=b&sp=r&sig={}',
      'PUT https://acct.blob.core.windows.net/c?sp=w&sig={}&sv=2024-05-04 failed: 403',
    ],
    (r) => encodeURIComponent(r.base64(32)),
  ),
  named(
    'Azure service bus key',
    ['Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}'],
    (r) => r.base64(32),
  ),
  {
    name: 'Azure application secret',
    make: (r) => {
      const core = `${r.text('alphanumeric', 3)}8Q~${r.text('base64url', 34)}`;
      return { text: core, core };
    },
  },
  named(
    'Azure OpenAI key',
    ['api-key: {}', "{ headers: { 'api-key': '{}' } }", 'AZURE_OPENAI_API_KEY={}'],
    (r) => r.text('hex', 32),
  ),
  marked('Alibaba access key id', ['LT', 'AI'], (r) => `5t${r.text('alphanumeric', 18)}`),
  marked('Tencent secret id', ['AK', 'ID'], (r) => r.text('alphanumeric', 32)),
  marked('DigitalOcean token', ['do', 'p_', 'v1_'], (r) => r.text('hex', 64)),
  marked('DigitalOcean OAuth token', ['do', 'o_', 'v1_'], (r) => r.text('hex', 64)),
  named('Cloudflare token', ['CLOUDFLARE_API_TOKEN={}', 'Authorization: Bearer {}', 'X-Auth-Key: {}'], (r) =>
    r.text('base64url', 40),
  ),
  marked('Cloudflare origin key', ['v1', '.0-'], (r) => `${r.text('hex', 24)}-${r.text('hex', 146)}`),
  named(
    'Heroku key',
    ['HEROKU_API_KEY={}', '{"heroku_api_key":"{}"}', 'password {}'.replace('password ', 'api_key: ')],
    (r) => r.uuid(),
  ),
  marked('Fly.io token', ['fo', '1_'], (r) => r.text('base64url', 43)),
  marked('Render key', ['rn', 'd_'], (r) => r.text('alphanumeric', 28)),
  marked('Pulumi token', ['pu', 'l-'], (r) => r.text('hex', 40)),
  marked('Databricks token', ['da', 'pi'], (r) => r.text('hex', 32)),
  marked('PlanetScale token', ['pscale', '_tkn_'], (r) => r.text('base64url', 43)),
  marked('Supabase token', ['sb', 'p_'], (r) => r.text('hex', 40)),
  marked('Netlify token', ['nf', 'p_'], (r) => r.text('alphanumeric', 36)),
  marked('Doppler token', ['dp', '.pt.'], (r) => r.text('alphanumeric', 43)),
  marked('HashiCorp Vault token', ['hv', 's.'], (r) => `CAES${r.text('base64url', 90)}`),
  {
    name: 'Terraform Cloud token',
    make: (r) => {
      const head = r.text('alphanumeric', 14);
      const core = r.text('alphanumeric', 67);
      return { text: `${head}${['.atlas', 'v1.'].join('')}${core}`, core };
    },
  },
  marked(
    'Tailscale key',
    ['ts', 'key-', 'auth-'],
    (r) => `${r.text('alphanumeric', 12)}CNTRL-${r.text('alphanumeric', 32)}`,
  ),
  marked('age secret key', ['AGE-', 'SECRET-', 'KEY-1'], (r) => r.text('bech32', 58)),
];
