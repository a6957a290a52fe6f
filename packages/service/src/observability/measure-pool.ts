import { Gauge, type Registry } from 'prom-client';

/** As much of a pool of connections as can be measured. */
export interface ConnectionPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export function measurePool(registry: Registry, pool: ConnectionPool): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge('database_connections', 'Connections to the database that are open.', () => pool.totalCount);
  gauge('database_connections_idle', 'Open connections that nobody uses.', () => pool.idleCount);
  gauge('database_connections_awaited', 'Statements that wait for a connection.', () => pool.waitingCount);
}
