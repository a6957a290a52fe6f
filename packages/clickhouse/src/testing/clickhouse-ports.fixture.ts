import { logPortsOf, withDatabase } from '@plugin-config/persistence/testing/ports';
import type { Database } from '@plugin-config/persistence';
import type { LogPorts } from '@plugin-config/testing';
import { inject } from 'vitest';
import { clickHouseLog, openClickHouse, type ClickHouse } from '../index.ts';
import { createClickHouseDatabase } from './create-clickhouse-database.ts';

/** Runs on a migrated database of its own, which is gone afterwards. */
export async function withClickHouse(
  run: (clickHouse: ClickHouse, url: string) => Promise<void>,
): Promise<void> {
  await using database = await createClickHouseDatabase(inject('clickHouseUrl'));
  const clickHouse = openClickHouse({ url: database.url, cluster: null });
  try {
    await run(clickHouse, database.url);
  } finally {
    await clickHouse.close();
  }
}

/** Runs on PostgreSQL with the entries in ClickHouse. */
export async function withPorts(
  run: (
    ports: LogPorts,
    databases: { readonly postgres: Database; readonly clickHouse: ClickHouse },
  ) => Promise<void>,
): Promise<void> {
  await withClickHouse((clickHouse) =>
    withDatabase((postgres) =>
      run(logPortsOf(postgres, clickHouseLog({ clickHouse, searchTimeoutMs: 20_000 })), {
        postgres,
        clickHouse,
      }),
    ),
  );
}
