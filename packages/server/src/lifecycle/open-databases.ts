import { clickHouseArchive, openClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import { openDatabase, type Database, type DatabaseOptions } from '@plugin-config/persistence';
import type { COMMON_SETTINGS } from '../env/common-settings.ts';
import type { EnvOf } from '../env/settings.ts';

interface Options extends Pick<DatabaseOptions, 'publicUrl' | 'statementTimeoutMs'> {
  readonly applicationName: string;
  /** The time limit of a search in ClickHouse. */
  readonly searchTimeoutMs?: number;
}

export interface Databases {
  readonly database: Database;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: ClickHouse | null;
}

/** Opens PostgreSQL and, if it is used, ClickHouse. */
export function openDatabases(
  env: EnvOf<typeof COMMON_SETTINGS>,
  { searchTimeoutMs, ...options }: Options,
): Databases {
  const clickHouse =
    env.CLICKHOUSE_URL === null
      ? null
      : openClickHouse({
          url: env.CLICKHOUSE_URL,
          cluster: env.CLICKHOUSE_CLUSTER,
          applicationName: options.applicationName,
        });
  const database = openDatabase({
    ...options,
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    masterKeys: env.SECRETS_KEYS,
    archive: clickHouse && clickHouseArchive({ clickHouse, searchTimeoutMs }),
  });
  return { database, clickHouse };
}
