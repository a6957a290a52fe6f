import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { push } from '../testing/bed.ts';
import { anEntry, ndjson } from '../testing/entries.ts';
import { test } from '../testing/worker.fixture.ts';

const DASHBOARD = new URL('../../../../docs/grafana-dashboard.json', import.meta.url);
/** The metrics of the HTTP app, and of a worker with a stream. */
const METRICS_ELSEWHERE = /^(answer_cache|stream)_/;
const METRIC = /\b(?:answer_cache|dead|http|ingest|jobs|log|nodejs|process|stream)_[a-z0-9_]+/g;

test('the dashboard shows only metrics that exist', async ({ bed, worker }) => {
  await push(worker.at, ndjson([anEntry(bed.record.id)]), { token: bed.token });
  const metrics = await (await fetch(`${worker.at}/metrics`)).text();
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(METRIC) ?? []));
  const missing = new Set(
    shown.filter((name) => !METRICS_ELSEWHERE.test(name) && !new RegExp(`^${name}[ {]`, 'm').test(metrics)),
  );
  expect(shown.length).toBeGreaterThan(20);
  expect([...missing]).toEqual([]);
});
