import { archiveDay, DomainError, type EndedDays, type LogArchive } from '@plugin-config/domain';
import { postgresEndedDays, type Database } from '@plugin-config/persistence';
import { databaseOfFile, logPortsOf } from '@plugin-config/persistence/testing/ports';
import type { LogPorts } from '@plugin-config/testing';
import { inject } from 'vitest';
import { clickHouseArchive, openClickHouse, type ClickHouse } from '../index.ts';
import { createClickHouseDatabase } from './create-clickhouse-database.ts';

/** Runs a test on its own migrated database, which is dropped afterwards. */
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

export interface Tiers {
  readonly postgres: Database;
  readonly clickHouse: ClickHouse;
  readonly archive: LogArchive;
  readonly ended: EndedDays;
  /** Archives all ended days that are not in use. */
  archiveAll(): Promise<void>;
}

type Run = (ports: LogPorts, tiers: Tiers) => Promise<void>;

const SEARCH_TIMEOUT_MS = 20_000;

/**
 * Returns a function that runs a test on the PostgreSQL database of the file, which is emptied first, and on a new ClickHouse
 * database.
 */
export function withOwnArchive(): (run: Run) => Promise<void> {
  const withEmptied = databaseOfFile();
  return (run) =>
    withClickHouse((clickHouse) =>
      withEmptied(async (postgres) => {
        const archive = clickHouseArchive({ clickHouse, searchTimeoutMs: SEARCH_TIMEOUT_MS });
        const ended = postgresEndedDays(postgres);
        const archiveAll = async (): Promise<void> => {
          for (const due of await ended.due(0)) {
            await archiveDay({ ended, archive }, due).catch(unlessBusy);
          }
        };
        const tiers = { postgres, clickHouse, archive, ended, archiveAll };
        await run(logPortsOf(postgres, archive), tiers);
      }),
    );
}

function unlessBusy(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'busy') throw error;
}
