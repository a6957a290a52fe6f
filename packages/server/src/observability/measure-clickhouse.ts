import type { QueryCounts } from '@plugin-config/clickhouse';
import type { Registry } from 'prom-client';
import { countersOf, gaugesOf } from './collected-metrics.ts';

/** Adds metrics of the ClickHouse queries. */
export function measureClickHouse(registry: Registry, { counts }: { readonly counts: QueryCounts }): void {
  const [gauge, counter] = [gaugesOf(registry), countersOf(registry)];
  gauge('clickhouse_queries', 'ClickHouse queries in progress.', () => counts.running);
  counter(
    'clickhouse_queries_failed_total',
    'ClickHouse queries that failed since the start.',
    () => counts.failed,
  );
}
