import { ingest, type LogFilter, startOfDay } from '@plugin-config/domain';
import { aFamily, aRecord, anEntry, MOMENT, EVERY } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import type { Database } from '../../index.ts';
import { logPortsOf } from '../../testing/postgres-log-ports.fixture.ts';
import { withDatabase } from '../../testing/postgres-ports.fixture.ts';
import { HOUR_MS } from '../hours/hour-counts.ts';

const TODAY = startOfDay(MOMENT.getTime());
const ENTRIES = 20_000;
const LIMIT = 100;
const TYPES = ['DEBUG', 'INFO', 'WARN', 'ERROR'];
const EVERY_MS = 3_600;
const HOUR = HOUR_MS / EVERY_MS;

function typeOf(i: number): string {
  return (i % 499 === 0 ? 'LOG' : TYPES[i % TYPES.length]) ?? '';
}

/** Returns the number of entries that have been read from the tables so far. */
async function entriesRead({ pool }: Database): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: string }>(
    `select sum(idx_tup_fetch + seq_tup_read) as read from pg_stat_user_tables where relname like 'log_entry_%'`,
  );
  return Number(rows[0]?.read);
}

test('a page only reads its own entries and those of three hours', () =>
  withDatabase(
    async (database) => {
      const ports = logPortsOf(database);
      const record = await aRecord(ports, await aFamily(ports));
      const entries = Array.from({ length: ENTRIES }, (_, i) =>
        anEntry(record, { timestamp: TODAY + i * EVERY_MS, type: typeOf(i) }),
      );
      for (let at = 0; at < ENTRIES; at += 5000) await ingest(ports, entries.slice(at, at + 5000));
      await database.pool.query('analyze log_entry');
      const middle = new Date(TODAY + (ENTRIES / 2 + 0.5) * EVERY_MS);
      const filters: readonly Partial<LogFilter>[] = [
        {},
        { types: ['WARN'] },
        { types: ['LOG'] },
        { types: ['WARN', 'LOG'] },
        { types: ['DEBUG', 'INFO', 'WARN'] },
        { source: 'PLUGIN' },
        { after: middle },
        { before: middle },
        { types: ['ERROR', 'LOG'], after: new Date(TODAY), before: middle },
      ];
      for (const filter of filters) {
        for (const offset of [0, 10, 4000, 9800, 19_900]) {
          const before = await entriesRead(database);
          await ports.logs.page(record, { ...EVERY, ...filter }, { limit: LIMIT, offset });
          const read = (await entriesRead(database)) - before;
          expect({ filter, offset, isMuch: read > LIMIT + 3 * HOUR }).toEqual({
            filter,
            offset,
            isMuch: false,
          });
        }
        const before = await entriesRead(database);
        await ports.logs.newestKeys(record, { ...EVERY, ...filter }, LIMIT);
        const keysRead = (await entriesRead(database)) - before;
        expect({ filter, isMuch: keysRead > 2 * LIMIT }).toEqual({ filter, isMuch: false });
      }
    },
    { poolSize: 1 },
  ));
