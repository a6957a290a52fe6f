import { clickHouseArchive, openClickHouse } from '@plugin-config/clickhouse';
import {
  createClickHouseDatabase,
  startClickHouse,
  type ClickHouseServer,
} from '@plugin-config/clickhouse/testing';
import type { IngestionStores, LogUpkeep } from '@plugin-config/domain';
import {
  openDatabase,
  postgresIngestionStores,
  postgresLogEntryStore,
  postgresLogUpkeep,
} from '@plugin-config/persistence';
import { createTestDatabase, TEST_KEYS } from '@plugin-config/persistence/testing';
import type { ServedApp } from '@plugin-config/server/testing';
import { inject } from 'vitest';
import { createTestBed, type TestBed } from './test-bed.ts';

/** A test bed with an archive in a dedicated ClickHouse. */
export interface ClickHouseTestBed extends AsyncDisposable {
  readonly bed: TestBed;
  readonly server: ClickHouseServer;
  readonly logs: ReturnType<typeof postgresLogEntryStore>;
  readonly stores: IngestionStores;
  readonly upkeep: LogUpkeep;
  /** Starts a worker on both databases. */
  serve(env?: NodeJS.ProcessEnv): Promise<ServedApp>;
}

export async function createClickHouseTestBed(): Promise<ClickHouseTestBed> {
  const resources = new AsyncDisposableStack();
  const server = resources.use(await startClickHouse());
  const { url } = await createClickHouseDatabase(server.url);
  const postgres = await createTestDatabase(inject('databaseAdminUrl'));
  resources.defer(postgres.drop);
  const bed = resources.use(await createTestBed(postgres.url));
  const clickHouse = openClickHouse({ url, cluster: null });
  resources.defer(clickHouse.close);
  const searchTimeoutMs = 20_000;
  const database = openDatabase({
    url: postgres.url,
    poolSize: 2,
    masterKeys: TEST_KEYS,
    archive: clickHouseArchive({ clickHouse, searchTimeoutMs }),
  });
  resources.defer(database.close);
  return {
    bed,
    server,
    logs: postgresLogEntryStore({ ...database, searchTimeoutMs }),
    stores: postgresIngestionStores(database),
    upkeep: postgresLogUpkeep(database),
    serve: (env = {}) => bed.serve({ CLICKHOUSE_URL: url, ...env }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
