import { DAY_MS, ingest } from '@plugin-config/domain';
import { aDelivery, aFamily, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { TO_WRITE_LOGS } from '../log/append-entries.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { storeReports } from './store-reports.ts';

const withEmptied = databaseOfFile();

test('a batch in an open transaction does not block reports of other records', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [mine, others] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    await ingest(ports, [aDelivery(mine)]);
    const reports = Array.from({ length: 1_000 }, () => aDelivery(mine));
    const beside = reports.map(({ id }) => aDelivery(others, { id }));
    const client = await database.pool.connect();
    await client.query(TO_WRITE_LOGS);
    await storeReports(client, { deliveries: reports, errors: [] });
    expect(new Set(await ingest(ports, beside))).toEqual(new Set(['stored']));
    await client.query('commit');
    client.release();
    expect(new Set(await ingest(ports, reports))).toEqual(new Set(['duplicate']));
  }));

test.each([
  ['commit', 'duplicate'],
  ['rollback', 'stored'],
] as const)(
  'a report waits for an open transaction that counts its id on another day: after a %s, the outcome is %s',
  (end, outcome) =>
    withEmptied(async (database) => {
      const ports = logPortsOf(database);
      const record = await aRecord(ports, await aFamily(ports));
      const report = aDelivery(record);
      const yesterday = { ...report, timestamp: report.timestamp - DAY_MS };
      await ingest(ports, [aDelivery(record), aDelivery(record, { timestamp: yesterday.timestamp })]);
      const client = await database.pool.connect();
      await client.query(TO_WRITE_LOGS);
      await storeReports(client, { deliveries: [report], errors: [] });
      const storing = ingest(ports, [yesterday]);
      const isWaiting = async (): Promise<boolean> => {
        const { rows } = await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      };
      while (!(await isWaiting()));
      await client.query(end);
      client.release();
      expect(await storing).toEqual([outcome]);
    }),
);
