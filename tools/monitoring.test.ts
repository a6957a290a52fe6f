import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const REPOSITORY = dirname(import.meta.dirname);
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

/** The metrics library, which is a dependency of the apps. */
interface PromClient {
  readonly Registry: new () => { getMetricsAsArray(): readonly { readonly name: string }[] };
  collectDefaultMetrics(options: { readonly register: object }): void;
}

const { collectDefaultMetrics, Registry } = createRequire(join(REPOSITORY, 'packages/server/package.json'))(
  'prom-client',
) as PromClient;

const isNodeMetric = (name: string): boolean => /^(?:process|nodejs)_/.test(name);

const SOURCES = globSync('{apps/http,apps/worker,packages/server}/src/**/*.ts', {
  cwd: REPOSITORY,
  exclude: (path) => path.endsWith('.test.ts'),
});

/** The names of the apps' metrics, found in their sources. */
const OWN = new Set(
  SOURCES.filter((path) => /prom-client/.test(read(path))).flatMap((path) =>
    [...read(path).matchAll(/(?:\b(?:gauge|counter)\(\s*|\bname: )'(?<name>[a-z_]+)'/g)].map(
      ({ groups }) => groups?.['name'] ?? '',
    ),
  ),
);

/** Returns the names of all metrics, including Node's and the series of histograms. */
function everyMetric(): ReadonlySet<string> {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const names = [...OWN, ...register.getMetricsAsArray().map(({ name }) => name)];
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
}

/** Returns the metrics in an expression: names with an underscore that are not functions, labels or strings. */
function metricsIn(expression: string): readonly string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\bby \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9]*_[a-z0-9_]+\b(?!\s*\()/g)].map(([name]) => name);
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const { panels } = JSON.parse(read('docs/grafana-dashboard.json')) as Dashboard;
const SHOWN = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)));
const ALERTS = read('docs/alerts.yml');
const ALERTED = [...ALERTS.matchAll(/^ +expr: (?<expr>.*)$/gm)].flatMap(({ groups }) =>
  metricsIn(groups?.['expr'] ?? ''),
);

const unknown = (names: readonly string[]): readonly string[] => {
  const known = everyMetric();
  return names.filter((name) => !known.has(name));
};

test('the dashboard and the alerts use only metrics that exist', () => {
  expect(OWN).toContain('jetstream_problem');
  expect(OWN).toContain('trace_spans_dropped_total');
  expect(OWN).toContain('http_request_duration_seconds');
  expect(SHOWN.length).toBeGreaterThan(30);
  expect(ALERTED.length).toBeGreaterThan(15);
  expect(unknown(SHOWN)).toEqual([]);
  expect(unknown(ALERTED)).toEqual([]);
  expect(unknown(metricsIn('sum by (a_b) (rate(no_such_metric{c_d="e_f"}[5m]))'))).toEqual([
    'no_such_metric',
  ]);
});

test('each metric of the service has a panel, and panels have unique ids', () => {
  const shown = new Set(SHOWN.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
  expect([...OWN].filter((name) => !shown.has(name))).toEqual([]);
  expect(SHOWN.some(isNodeMetric)).toBe(true);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test('each alert has a severity, a summary, a description, and an existing section as its runbook', () => {
  const alerts = ALERTS.split(/^ +- alert: /m).slice(1);
  expect(alerts.length).toBeGreaterThan(10);
  const headings = globSync('docs/operations/*.md', { cwd: REPOSITORY }).flatMap((page) =>
    [...read(page).matchAll(/^#+ (?<heading>.*)$/gm)].map(({ groups }) => {
      const heading = (groups?.['heading'] ?? '').toLowerCase();
      return `${page}#${heading.replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')}`;
    }),
  );
  for (const alert of alerts) {
    expect(alert).toMatch(/severity: (?:critical|warning|info) /);
    expect(alert).toMatch(/^ +summary: .+$/m);
    expect(alert).toMatch(/^ +description: .+$/m);
    expect(headings).toContain(/runbook: (?<section>\S+)/.exec(alert)?.groups?.['section']);
  }
});
