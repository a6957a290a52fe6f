/** @module-tag long */

import {
  itemsThatFit,
  utf8Length,
  type EntryKey,
  type LogEntry,
  type LogEntryStore,
} from '@plugin-config/domain';
import { LOG_ENTRY_CONTRACTS, type LogPorts, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { withOwnArchive, type Tiers } from '../testing/clickhouse-ports.fixture.ts';

const withTiers = withOwnArchive();

/** Archives all days after each batch, so every later entry of a day arrives late. */
function archiving(ports: LogPorts, { archiveAll }: Tiers): LogPorts {
  const { stores, logs } = ports;
  return {
    ...ports,
    stores: {
      withBatch: async (work) => {
        const result = await stores.withBatch(work);
        await archiveAll();
        return result;
      },
    },
    logs: {
      ...logs,
      find: (record, keys, maxBytes) => findEach(logs, record, keys, maxBytes),
      newestKeys: (record, filter, limit) => keysOfPages(logs, record, filter, limit),
    },
  };
}

/** Finds entries one at a time, since only streams look up many keys at once, and never those of archived entries. */
async function findEach(
  { entry }: LogEntryStore,
  ...[record, keys, maxBytes]: Parameters<LogEntryStore['find']>
): Promise<readonly LogEntry[]> {
  const entries = await Promise.all(keys.map((key) => entry(record, key)));
  return itemsThatFit(
    entries.filter((one) => one !== null),
    ({ message }) => utf8Length(message),
    maxBytes,
  );
}

/** Reads the newest keys page by page, across both tiers. */
async function keysOfPages(
  { page }: LogEntryStore,
  ...[record, filter, limit]: Parameters<LogEntryStore['newestKeys']>
): Promise<readonly EntryKey[]> {
  const keys: EntryKey[] = [];
  while (keys.length < limit) {
    const { items } = await page(record, filter, {
      limit: Math.min(1000, limit - keys.length),
      offset: keys.length,
    });
    if (items.length === 0) break;
    keys.push(...items.map(({ timestamp, id }) => ({ timestamp, id })));
  }
  return keys;
}

for (const [name, contract] of Object.entries(LOG_ENTRY_CONTRACTS)) {
  describe(`${name} with archived days`, () => {
    const archivedTest: TestWith<LogPorts> = (title, run) =>
      test(title, () => withTiers((ports, tiers) => run(archiving(ports, tiers))));
    contract(archivedTest);
  });
}
