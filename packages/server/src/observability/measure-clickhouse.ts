import type { QueryCounts } from '@plugin-config/clickhouse';
import type { Registry } from 'prom-client';
import { countersOf, gaugesOf } from './collected-metrics.ts';

/** Adds metrics of the ClickHouse queries, if ClickHouse is in use. */
export function measureClickHouse(
  registry: Registry,
  clickHouse: { readonly counts: QueryCounts } | null,
): void {
  if (clickHouse === null) return;
  const [gauge, counter] = [gaugesOf(registry), countersOf(registry)];
  gauge('clickhouse_queries', 'ClickHouse queries in progress.', () => clickHouse.counts.running);
  counter(
    'clickhouse_queries_failed_total',
    'ClickHouse queries that failed since the start.',
    () => clickHouse.counts.failed,
  );
}
