import { openDatabase } from '@plugin-config/persistence';
import { createTestDatabase, TEST_KEYS } from '@plugin-config/persistence/testing';
import { inject } from 'vitest';
import { openService, openServiceOn, test as base, type Service } from '../service.fixture.ts';

/** Services with a limit or a fault, which start on first use. */
export interface OtherServices {
  /** Allows one request per minute and key. */
  readonly limited: Service;
  /** Its database has no table of keys. */
  readonly broken: Service;
  /** Its database does not exist. */
  readonly cutOff: Service;
  /** Cannot commit a stored response while the advisory lock with the id of the project is held. */
  readonly delayed: Service;
  /** Times out after 0.1 s without complete headers. */
  readonly shortTimeouts: Service;
}

export const test = base.extend<OtherServices>({
  limited: [({}, use) => useAndClose(use, openService({ rateLimitPerMinute: 1 })), { scope: 'file' }],
  broken: [({}, use) => useAndClose(use, serviceAfter(RENAME_KEY_TABLE)), { scope: 'file' }],
  delayed: [({}, use) => useAndClose(use, serviceAfter(DELAY_COMMITS)), { scope: 'file' }],
  cutOff: [({}, use) => useAndClose(use, cutOffService()), { scope: 'file' }],
  shortTimeouts: [
    ({}, use) => useAndClose(use, openService({ timeouts: { headersMs: 100 } })),
    { scope: 'file' },
  ],
});

const RENAME_KEY_TABLE = 'alter table api_key rename to renamed';

const DELAY_COMMITS = `
  create function delay_commit() returns trigger language plpgsql set lock_timeout = 0 as
    'begin perform pg_advisory_xact_lock(new.project_id); return null; end';
  create constraint trigger delay_commit after insert on kept_response deferrable initially deferred
    for each row execute function delay_commit()`;

async function useAndClose(
  use: (service: Service) => Promise<void>,
  opening: Promise<Service>,
): Promise<void> {
  const service = await opening;
  await use(service);
  await service.close();
}

async function serviceAfter(sql: string): Promise<Service> {
  const service = await openService();
  const database = openDatabase({ url: service.databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  await database.pool.query(sql);
  await database.close();
  return service;
}

async function cutOffService(): Promise<Service> {
  const database = await createTestDatabase(inject('databaseAdminUrl'));
  const service = await openServiceOn(database.url, {}, async () => 'The database is unreachable.');
  await database.drop();
  return service;
}
