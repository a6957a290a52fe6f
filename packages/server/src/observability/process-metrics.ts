import type { QueryCounts } from '@plugin-config/clickhouse';
import type { QueuedPermits } from '@plugin-config/flow';
import type { Primary } from '@plugin-config/persistence';
import { spanCounts } from '@plugin-config/tracing';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { KINDS_OF_WORK, type Gate } from '../gate/gate.ts';
import { collectedMetrics } from './collected-metrics.ts';

export interface MeasuredDatabase {
  readonly pool: {
    readonly options: { readonly max: number };
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
  };
  readonly primary: Pick<Primary, 'failovers' | 'timeline'>;
}

export interface MeasuredProcess {
  readonly database: MeasuredDatabase;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: { readonly counts: QueryCounts } | null;
  readonly gate: Gate;
}

/** Gauges of Node named like counters, which Prometheus's linter rejects. Each is the sum of other gauges. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Creates a registry with the metrics of Node, of the gate, the databases and, if it is on, of tracing. */
export function processMetrics({ database, clickHouse, gate }: MeasuredProcess): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  measureDatabase(registry, database);
  if (clickHouse !== null) measureClickHouse(registry, clickHouse.counts);
  measureGate(registry, gate);
  if (spanCounts() !== null) measureTracing(registry);
  return registry;
}

function measureDatabase(registry: Registry, { pool, primary }: MeasuredDatabase): void {
  const { counter, gauge } = collectedMetrics(registry);
  gauge('database_connections', 'Open database connections.', () => pool.totalCount);
  gauge('database_connections_idle', 'Idle database connections.', () => pool.idleCount);
  gauge(
    'database_connections_awaited',
    'Statements waiting for a database connection.',
    () => pool.waitingCount,
  );
  counter(
    'database_failovers_total',
    'Switches to another primary since the start.',
    () => primary.failovers,
  );
}

function measureClickHouse(registry: Registry, counts: QueryCounts): void {
  const { counter, gauge } = collectedMetrics(registry);
  gauge('clickhouse_queries', 'ClickHouse queries in progress.', () => counts.running);
  counter(
    'clickhouse_queries_failed_total',
    'ClickHouse queries that failed since the start.',
    () => counts.failed,
  );
}

function measureGate(registry: Registry, gate: Gate): void {
  const { gauge } = collectedMetrics(registry);
  const byWork = (read: (permits: QueuedPermits) => number) => () =>
    KINDS_OF_WORK.map((work) => [work, read(gate.permitsFor(work))] as const);
  gauge(
    'gate_permits_free',
    'Free permits, by kind of work.',
    byWork(({ free }) => free),
    'work',
  );
  gauge(
    'gate_waiting',
    'Requests waiting for a permit, by kind of work.',
    byWork(({ waiting }) => waiting),
    'work',
  );
}

function measureTracing(registry: Registry): void {
  const { counter } = collectedMetrics(registry);
  counter(
    'trace_spans_exported_total',
    'Spans that the collector accepted.',
    () => spanCounts()?.exported ?? 0,
  );
  counter(
    'trace_spans_dropped_total',
    'Dropped spans. Too many were waiting (queue_full), or the collector did not accept them (not_accepted).',
    () => {
      const { queueFull = 0, notAccepted = 0 } = spanCounts() ?? {};
      return [
        ['queue_full', queueFull],
        ['not_accepted', notAccepted],
      ];
    },
    'reason',
  );
}
