import type { QueryCounts } from '@plugin-config/clickhouse';
import type { Registry } from 'prom-client';
import type { Gate } from './gate/gate.ts';
import { measureGate } from './gate/measure-gate.ts';
import { measureClickHouse } from './observability/measure-clickhouse.ts';
import { measureDatabase, type MeasuredDatabase } from './observability/measure-database.ts';
import { nodeMetrics } from './observability/node-metrics.ts';

export interface MeasuredProcess {
  readonly database: MeasuredDatabase;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: { readonly counts: QueryCounts } | null;
  readonly gate: Gate;
}

/** Creates a registry with the metrics of the process, its gate and its databases. */
export function processMetrics({ database, clickHouse, gate }: MeasuredProcess): Registry {
  const registry = nodeMetrics();
  measureDatabase(registry, database);
  if (clickHouse !== null) measureClickHouse(registry, clickHouse);
  measureGate(registry, gate);
  return registry;
}
