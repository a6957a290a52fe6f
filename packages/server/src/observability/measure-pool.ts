import type { Registry } from 'prom-client';
import { gaugesOf } from './gauges-of.ts';

/** The figures of a connection pool. */
export interface ConnectionPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export function measurePool(registry: Registry, pool: ConnectionPool): void {
  const gauge = gaugesOf(registry);
  gauge('database_connections', 'Open database connections.', () => pool.totalCount);
  gauge('database_connections_idle', 'Idle database connections.', () => pool.idleCount);
  gauge(
    'database_connections_awaited',
    'Statements that wait for a database connection.',
    () => pool.waitingCount,
  );
}
