import type { Primary } from '@plugin-config/persistence';
import { Counter, Gauge, type Registry } from 'prom-client';
import { gaugesOf } from './gauges-of.ts';

/** The figures of a connection pool and of the server that it leads to. */
export interface MeasuredDatabase {
  readonly pool: {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
  };
  readonly primary: Pick<Primary, 'host' | 'failovers'>;
}

export function measureDatabase(registry: Registry, { pool, primary }: MeasuredDatabase): void {
  const gauge = gaugesOf(registry);
  gauge('database_connections', 'Open database connections.', () => pool.totalCount);
  gauge('database_connections_idle', 'Idle database connections.', () => pool.idleCount);
  gauge(
    'database_connections_awaited',
    'Statements that wait for a database connection.',
    () => pool.waitingCount,
  );
  new Gauge({
    name: 'database_host',
    help: '1 for the host that is used as the primary; absent if there is none.',
    labelNames: ['host'],
    registers: [registry],
    collect() {
      this.reset();
      if (primary.host !== null) this.set({ host: primary.host }, 1);
    },
  });
  new Counter({
    name: 'database_failovers_total',
    help: 'Changes to another primary, since the start.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(primary.failovers);
    },
  });
}
