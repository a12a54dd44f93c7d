/**
 * The alert rules and the dashboard that users load. With PROMTOOL set, by `scripts/promtool.sh`, also Prometheus's own
 * word on them.
 * Invariant: they name declared metrics and labels alone, every query parses, and every alert says what to do.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ATTRIBUTES, METRICS } from 'toolcrib/telemetry';
import { ROOT } from '../guard/source-files';

const FOLDER = join(ROOT, 'observability');
const RULES = join(FOLDER, 'prometheus/toolcrib.rules.yml');
const rules = readFileSync(RULES, 'utf8');
const dashboard: unknown = JSON.parse(readFileSync(join(FOLDER, 'grafana/toolcrib.json'), 'utf8'));
const { PROMTOOL } = process.env;

/** All texts under a key, anywhere in a JSON value. */
function textsUnder(key: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === key && typeof part === 'string' ? [part] : textsUnder(key, part),
  );
}

const queries = textsUnder('expr', dashboard);
const tests = readdirSync(join(FOLDER, 'prometheus')).filter((name) => name.endsWith('.test.yml'));

/** What Prometheus makes of the names, with and without the suffix of the unit. */
function exported(): ReadonlySet<string> {
  const plain = (name: string) => name.replaceAll('.', '_');
  const metrics = Object.values(METRICS).flatMap(({ name, kind }) => {
    if (kind === 'counter') return [`${plain(name)}_total`];
    if (kind === 'gauge') return [plain(name)];
    // The rest of such a name stands in a pattern.
    return [plain(name)];
  });
  const recorded = [...rules.matchAll(/- record: (\S+)/g)].map(([, name = '']) => name);
  return new Set([...metrics, ...Object.values(ATTRIBUTES).map(plain), ...recorded]);
}

function namesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:gen_ai|toolcrib)[_:][a-z0-9_:]+/g) ?? [])];
}

describe('the rules', () => {
  const alerts = rules.split('- alert: ').slice(1);

  it('name declared metrics and labels alone', () => {
    expect(namesIn(rules).filter((name) => !exported().has(name))).toEqual([]);
    expect(namesIn(rules).length).toBeGreaterThan(10);
  });

  it('have the alerts that operators need, each with an action and a page', () => {
    expect(alerts.map((alert) => alert.split('\n')[0])).toEqual([
      'ToolcribInvalidInput',
      'ToolcribErrorRateAboveBaseline',
      'ToolcribUnhandledException',
      'ToolcribRetryOfFinalError',
      'ToolcribBreakerOpen',
      'ToolcribOutcomeUnknown',
    ]);
    for (const alert of alerts) {
      expect(alert).toMatch(/^ {10}action: \S/m);
      const [, page = ''] = /runbook_url: (docs\/runbooks\/[a-z-]+\.md)$/m.exec(alert) ?? [];
      expect(existsSync(join(ROOT, page)) && page !== '').toBe(true);
    }
  });

  it('are tested at least twelve times, and each alert both fires and does not', () => {
    const text = tests.map((name) => readFileSync(join(FOLDER, 'prometheus', name), 'utf8')).join('\n');
    expect(text.match(/- name: /g)?.length).toBeGreaterThanOrEqual(12);
    for (const alert of alerts) {
      const [name = ''] = alert.split('\n');
      expect(text).toMatch(new RegExp(`alertname: ${name}, exp_alerts: \\[\\]`));
      expect(text).toMatch(new RegExp(`alertname: ${name}\n\\s+exp_alerts:\n`));
    }
  });
});

describe('the dashboard', () => {
  it('names declared metrics and labels alone, and shows every metric', () => {
    const text = JSON.stringify(dashboard);
    expect(namesIn(text).filter((name) => !exported().has(name))).toEqual([]);
    const recordedBy = (name: string) =>
      rules
        .split('- record: ')
        .find((rule) => rule.includes(name))
        ?.split('\n')[0];
    const shown = (name: string) => text.includes(name) || text.includes(recordedBy(name) ?? name);
    const names = Object.values(METRICS).map(({ name }) => name.replaceAll('.', '_'));
    expect(names.filter((name) => !shown(name))).toEqual([]);
  });

  it('has a query in every panel', () => {
    expect(queries.length).toBeGreaterThanOrEqual(
      textsUnder('type', dashboard).filter((type) => type === 'timeseries').length,
    );
    expect(queries.every((query) => query.length > 0)).toBe(true);
  });
});

describe('the panels of the dashboard', () => {
  const panels: readonly unknown[] =
    typeof dashboard === 'object' && dashboard !== null && 'panels' in dashboard
      ? [dashboard.panels].flat()
      : [];

  it('begin with the four signals as numbers, with thresholds', () => {
    const stats = panels.filter((panel) => textsUnder('type', panel).includes('stat'));
    expect(panels.slice(0, 4)).toEqual(stats);
    for (const stat of stats) expect(JSON.stringify(stat)).toContain('"thresholds":{');
    const numbers = stats.flatMap((stat) => textsUnder('expr', stat)).join(' ');
    for (const signal of ['"invalid_input"', 'toolcrib_limiter!~', ':exceptions:', ':refused_retries:']) {
      expect(numbers).toContain(signal);
    }
  });

  it('each say what they show, and link to pages that exist', () => {
    expect(panels.filter((panel) => textsUnder('description', panel).join('') === '')).toEqual([]);
    const pages = textsUnder('url', dashboard).map((url) => url.replace(/^\$\{runbooks\}/, 'docs/runbooks'));
    expect(pages.length).toBeGreaterThan(4);
    expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  it('take no counter that is new for one that has not moved', () => {
    const bare = queries.filter(
      (query) => query.includes('increase(') && !query.includes('unless present_over_time('),
    );
    expect(bare).toEqual([]);
  });

  it('take the same failures for errors as the rules', () => {
    const excluded = (text: string) => text.match(/error_type!~"[^"]*"/g) ?? [];
    const all = [...excluded(rules), ...queries.flatMap(excluded)];
    expect(all.length).toBeGreaterThan(2);
    expect(new Set(all).size).toBe(1);
  });
});

const ofPromtool = PROMTOOL === undefined ? describe.skip : describe;

ofPromtool('promtool', () => {
  const run = (...args: readonly string[]) => execFileSync(PROMTOOL ?? '', [...args], { encoding: 'utf8' });

  it('accepts the rules', () => {
    expect(run('check', 'rules', RULES)).toContain('SUCCESS');
  });

  it('passes their tests', () => {
    expect(run('test', 'rules', ...tests.map((name) => join(FOLDER, 'prometheus', name)))).toContain(
      'SUCCESS',
    );
  }, 120_000);

  it('parses every query of the dashboard', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-queries-'));
    try {
      // Its variables and intervals are Grafana's to fill in.
      const filled = queries.map((query) =>
        query
          .replaceAll('$__range_s', '300')
          .replaceAll(/\$__(rate_interval|range)/g, '5m')
          .replaceAll(/\$(job|tool)/g, '.*'),
      );
      const recorded = filled.map((expr, at) => ({ record: `dashboard:query:${at}`, expr }));
      const file = join(folder, 'queries.yml');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
      expect(run('check', 'rules', file)).toContain(`SUCCESS: ${queries.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
