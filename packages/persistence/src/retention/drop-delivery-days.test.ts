import { DAY_MS, ingest, startOfDay } from '@plugin-config/domain';
import { aDelivery, aFamily, anEntry, aRecord } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

const TODAY = startOfDay(Date.now());
const OLD = TODAY - 9 * DAY_MS;

test('a day with deliveries of many records is dropped quickly without delaying batches', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [aDelivery(record, { timestamp: OLD })]);
    await database.pool.query(
      `insert into delivery_sum select n + 1000, $1, 1, 1, 1 from generate_series(1, 100000) n`,
      [new Date(OLD)],
    );
    expect(await ports.upkeep.dropOverdue(7)).toEqual([new Date(OLD)]);
    const dropping = Array.fromAsync(ports.retention.deliveryDays(7 * DAY_MS));
    const start = performance.now();
    expect(await ingest(ports, [aDelivery(record, { timestamp: TODAY })])).toEqual(['stored']);
    expect(performance.now() - start).toBeLessThan(1_500);
    expect(await dropping).toEqual([1]);
    expect((await database.pool.query('select from delivery_sum')).rowCount).toBe(1);
  }));

test('a day of deliveries in use is dropped by a later run', () =>
  withEmptied(async (database, url) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [aDelivery(record, { timestamp: OLD }), anEntry(record, { timestamp: TODAY })]);
    await ports.upkeep.dropOverdue(7);
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin; select count(*) from delivery_sum');
    expect(await Array.fromAsync(ports.retention.deliveryDays(7 * DAY_MS))).toEqual([]);
    await reader.end();
    expect(await Array.fromAsync(ports.retention.deliveryDays(7 * DAY_MS))).toEqual([1]);
  }));

test('concurrent workers drop each day of deliveries once', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const days = [0, 1, 2].map((n) => OLD - n * DAY_MS);
    await ingest(
      ports,
      days.map((timestamp) => aDelivery(record, { timestamp })),
    );
    await ports.upkeep.dropOverdue(7);
    const workers = Array.from({ length: 3 }, () =>
      Array.fromAsync(ports.retention.deliveryDays(7 * DAY_MS)),
    );
    const dropped = (await Promise.all(workers)).flat();
    dropped.push(...(await Array.fromAsync(ports.retention.deliveryDays(7 * DAY_MS))));
    expect(dropped).toEqual([1, 1, 1]);
    expect((await database.pool.query('select from delivery_sum')).rowCount).toBe(0);
  }));
