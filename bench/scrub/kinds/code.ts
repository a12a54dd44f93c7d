/**
 * Tokens of code hosts, package registries and what watches programs.
 * Invariant: each follows its vendor's documented format.
 */
import { type Kind, marked, named } from '../kind';

/** Kinds of tokens around code. */
export const CODE_KINDS: readonly Kind[] = [
  marked('GitHub token', ['gh', 'p_'], (r) => r.text('alphanumeric', 36)),
  marked('GitHub OAuth token', ['gh', 'o_'], (r) => r.text('alphanumeric', 36)),
  marked('GitHub app token', ['gh', 's_'], (r) => r.text('alphanumeric', 36)),
  marked(
    'GitHub fine-grained token',
    ['github', '_pat_'],
    (r) => `11${r.text('upperDigits', 20)}_${r.text('alphanumeric', 59)}`,
  ),
  marked('GitLab token', ['gl', 'pat-'], (r) => r.text('base64url', 20)),
  marked('GitLab runner token', ['gl', 'rt-'], (r) => r.text('base64url', 20)),
  marked('Bitbucket app password', ['AT', 'BB'], (r) => r.text('alphanumeric', 32)),
  marked(
    'Atlassian token',
    ['AT', 'ATT3', 'xFfGF0'],
    (r) => `${r.text('base64url', 177)}=${r.text('upperDigits', 8)}`,
  ),
  marked('npm token', ['np', 'm_'], (r) => r.text('alphanumeric', 36)),
  named(
    'npm registry credentials',
    ['//registry.example.com/:_authToken={}', '//registry.example.com/:_password="{}"'],
    (r) => r.text('alphanumeric', 36),
  ),
  marked('PyPI token', ['py', 'pi-', 'AgEIcHlwaS5vcmc'], (r) => r.text('base64url', 150)),
  marked('RubyGems key', ['ruby', 'gems_'], (r) => r.text('hex', 48)),
  marked('NuGet key', ['oy', '2'], (r) => r.text('lowerDigits', 43)),
  marked('Docker Hub token', ['dckr', '_pat_'], (r) => r.text('base64url', 27)),
  marked('Clojars token', ['CLO', 'JARS_'], (r) => r.text('lowerDigits', 60)),
  marked('Artifactory key', ['AKC', 'p8'], (r) => r.text('alphanumeric', 68)),
  marked('Sourcegraph token', ['sg', 'p_'], (r) => r.text('hex', 40)),
  marked('Sentry user token', ['sntry', 'u_'], (r) => r.text('hex', 64)),
  marked('New Relic key', ['NR', 'AK-'], (r) => r.text('upperDigits', 27)),
  marked('Grafana service token', ['gl', 'sa_'], (r) => `${r.text('alphanumeric', 32)}_${r.text('hex', 8)}`),
  marked('PostHog key', ['ph', 'x_'], (r) => r.text('alphanumeric', 43)),
  marked(
    'Dynatrace token',
    ['dt0', 'c01.'],
    (r) => `${r.text('upperDigits', 24)}.${r.text('upperDigits', 64)}`,
  ),
  named('Datadog key', ['DD-API-KEY: {}', 'DD_API_KEY={}', '{"dd-application-key":"{}"}'], (r) =>
    r.text('hex', 32),
  ),
  named('Sentry DSN', ['https://{}@o12345.ingest.sentry.io/4501234567890'], (r) => r.text('hex', 32)),
  named('Algolia key', ['X-Algolia-API-Key: {}', "algoliasearch({ apiKey: '{}' })"], (r) =>
    r.text('hex', 32),
  ),
  named('CircleCI token', ['Circle-Token: {}', 'CIRCLE_TOKEN={}'], (r) => r.text('hex', 40)),
];
