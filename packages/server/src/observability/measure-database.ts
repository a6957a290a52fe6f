import type { Primary } from '@plugin-config/persistence';
import { Counter, type Registry } from 'prom-client';
import { gaugesOf } from './collected-metrics.ts';

export interface MeasuredDatabase {
  readonly pool: {
    readonly options: { readonly max: number };
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
  };
  readonly primary: Pick<Primary, 'failovers'>;
}

export function measureDatabase(registry: Registry, { pool, primary }: MeasuredDatabase): void {
  const gauge = gaugesOf(registry);
  gauge('database_connections', 'Open database connections.', () => pool.totalCount);
  gauge('database_connections_idle', 'Idle database connections.', () => pool.idleCount);
  gauge(
    'database_connections_awaited',
    'Statements waiting for a database connection.',
    () => pool.waitingCount,
  );
  new Counter({
    name: 'database_failovers_total',
    help: 'Switches to another primary since the start.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(primary.failovers);
    },
  });
}
