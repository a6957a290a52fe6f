import { databaseOfFile, logPortsOf } from '@plugin-config/persistence/testing/ports';
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

interface Databases {
  readonly postgres: Database;
  readonly clickHouse: ClickHouse;
}

type Run = (ports: LogPorts, databases: Databases) => Promise<void>;

/**
 * Returns a function that runs a test on the PostgreSQL database of the file, which is emptied before, with the entries in
 * a ClickHouse database of the test's own.
 */
export function withOwnLog(): (run: Run) => Promise<void> {
  const withEmptied = databaseOfFile();
  return (run) =>
    withClickHouse((clickHouse) =>
      withEmptied((postgres) => run(portsOf(postgres, clickHouse), { postgres, clickHouse })),
    );
}

const RECORDS_OF_A_TEST = 1_000_000;

/**
 * The same on one database of each server for all tests of the file, which is faster by far. PostgreSQL's is emptied; in
 * ClickHouse, the records of each test have ids of their own.
 */
export function withSharedLog(): (run: Run) => Promise<void> {
  const withEmptied = databaseOfFile();
  let tests = 0;
  let shared: Promise<ClickHouse> | undefined;
  return (run) =>
    withEmptied(async (postgres) => {
      const clickHouse = await (shared ??= openShared());
      const first = 1 + tests++ * RECORDS_OF_A_TEST;
      await postgres.pool.query(`alter table config_record alter column id restart with ${first}`);
      await run(portsOf(postgres, clickHouse), { postgres, clickHouse });
    });
}

/** Stays open until the tests of the file end. The server is gone after the run, and the database with it. */
async function openShared(): Promise<ClickHouse> {
  const { url } = await createClickHouseDatabase(inject('clickHouseUrl'));
  return openClickHouse({ url, cluster: null });
}

function portsOf(postgres: Database, clickHouse: ClickHouse): LogPorts {
  return logPortsOf(postgres, clickHouseLog({ clickHouse, searchTimeoutMs: 20_000 }));
}
