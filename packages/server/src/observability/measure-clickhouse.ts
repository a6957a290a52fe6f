import type { QueryFigures } from '@plugin-config/clickhouse';
import type { Registry } from 'prom-client';
import { countersOf, gaugesOf } from './collected-metrics.ts';

/** Adds the figures of the queries in ClickHouse; none without ClickHouse. */
export function measureClickHouse(
  registry: Registry,
  clickHouse: { readonly figures: QueryFigures } | null,
): void {
  if (clickHouse === null) return;
  const [gauge, counter] = [gaugesOf(registry), countersOf(registry)];
  gauge('clickhouse_queries', 'Queries of ClickHouse in progress.', () => clickHouse.figures.running);
  counter(
    'clickhouse_queries_failed_total',
    'Queries of ClickHouse that have failed, since the start.',
    () => clickHouse.figures.failed,
  );
}
