import type { ConfigRecord } from '@plugin-config/domain';
import { aFamily, aLogEntry, aRecord } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { sequenceWriter } from './add-to-sequence.ts';

const withEmptied = databaseOfFile();

test('a batch that waited for another batch has a later arrival time', () =>
  withEmptied(async (database) => {
    const [busy, log] = await followedLogs(database);
    const held = Promise.withResolvers<void>();
    const holding = add(database, [busy], () => held.promise);
    await waitingFor(database, 1, 'ClientRead');
    const late = add(database, [busy, log]);
    await waitingFor(database, 1, 'transactionid');
    await add(database, [log]);
    held.resolve();
    await Promise.all([holding, late]);
    const arrived = await database.pool.query<{ readonly at: number }>(
      `select extract(epoch from arrived_at)::float8 as at from log_sequence where record_id = $1 order by last`,
      [log.id],
    );
    const times = arrived.rows.map(({ at }) => at);
    expect(times).toHaveLength(2);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }));

test('a position before a gap in the sequence numbers is unknown', () =>
  withEmptied(async (database) => {
    const [log] = await followedLogs(database);
    for (let batch = 0; batch < 4; batch++) await add(database, [log]);
    const { sequence } = logPortsOf(database);
    const [now] = await sequence.follow([log]);
    const since = (number: number) => now && sequence.after(log, { ...now, number });
    expect(await since(0)).toHaveLength(4);
    await database.pool.query('delete from log_sequence where last = 3');
    expect(await since(0)).toBeNull();
    expect(await since(2)).toBeNull();
    expect(await since(3)).toHaveLength(1);
  }));

async function followedLogs(database: EncryptedDatabase): Promise<readonly [ConfigRecord, ConfigRecord]> {
  const ports = logPortsOf(database);
  const family = await aFamily(ports);
  const logs = [await aRecord(ports, family), await aRecord(ports, family)] as const;
  await ports.sequence.follow(logs);
  return logs;
}

/** Adds an entry to the sequence of each log, in a transaction that awaits `before` and then commits. */
function add(
  { pool }: EncryptedDatabase,
  logs: readonly ConfigRecord[],
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  const entries = logs.map((log) => aLogEntry(log));
  return inTransaction(pool, 'begin', async (client: pg.ClientBase) => {
    await sequenceWriter(client, () => false).add(
      entries,
      entries.map(() => 'stored'),
    );
    await before();
  });
}

/** Waits until this many transactions wait for the event. */
async function waitingFor({ pool }: EncryptedDatabase, count: number, event: string): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = $1 and xact_start is not null`,
        [event],
      );
      return rows.length;
    })
    .toBe(count);
}
