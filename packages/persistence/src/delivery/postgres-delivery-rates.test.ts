import { ingest, spanOf } from '@plugin-config/domain';
import { aDelivery, aFamily, aRecord, MOMENT, secondsLater } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { RATES_OF_CHUNK } from './due-rates.ts';
import { postgresDeliveryRates } from './postgres-delivery-rates.ts';

const withEmptied = databaseOfFile();

const MANY = 6_000;

/** Reports deliveries of more records of the project than fit into one chunk. */
async function makeBusy(pool: pg.Pool, family: { readonly projectId: number }, rates = MANY): Promise<void> {
  await pool.query(
    `with made as (
      insert into config_record
      select (json_populate_record(r, json_build_object('id', r.id * 100000 + n))).*
      from config_record r, generate_series(1, ${rates}) n where r.project_id = $1
      returning id, project_id
    )
    insert into delivery_due (record_id, project_id, due_at) select id, project_id, '-infinity' from made`,
    [family.projectId],
  );
  await pool.query(
    `insert into delivery_sum select record_id, $1, 1, 0, 1 from delivery_due where project_id = $2 on conflict do nothing`,
    [new Date(spanOf(MOMENT.getTime())), family.projectId],
  );
}

test('a locked family does not delay the rates of other families, and gets its rates once it is unlocked', () =>
  withEmptied(async (database, url) => {
    const ports = logPortsOf(database);
    const [locked, other] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    await ingest(ports, [aDelivery(locked), aDelivery(other)]);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    for (const rows of ['config_family where project_id = $1', 'config_record where project_id = $1']) {
      await holder.query('begin');
      await holder.query(`select from ${rows} for update`, [locked.projectId]);
      const start = performance.now();
      expect(await ports.rates.refresh(MOMENT)).toBe(rows.startsWith('config_family') ? 1 : 0);
      expect(performance.now() - start).toBeLessThan(5_000);
      await holder.query('rollback');
    }
    await holder.end();
    expect((await ports.records.find(other)).value?.deliveryRate).toBe('1.0000');
    expect(await ports.rates.refresh(secondsLater(2))).toBe(1);
    expect((await ports.records.find(locked)).value?.deliveryRate).toBe('1.0000');
  }));

test('a refresh stops at its time limit, and the next one continues', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    await ingest(ports, [aDelivery(await aRecord(ports, await aFamily(ports)))]);
    for (let project = 0; project < 12; project++) {
      const family = await aFamily(ports);
      await aRecord(ports, family);
      await makeBusy(database.pool, family, 150);
    }
    const rates = postgresDeliveryRates(database, 0);
    const changed: number[] = [];
    do changed.push(await rates.refresh(MOMENT));
    while (changed.at(-1) !== 0);
    expect(changed).toEqual([RATES_OF_CHUNK, 200, 601, 0]);
  }));

test('a project with one delivery does not wait for a project with thousands', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [busy, quiet] = [await aFamily(ports), await aFamily(ports)];
    const [, record] = [await aRecord(ports, busy), await aRecord(ports, quiet)];
    await ingest(ports, [aDelivery(record)]);
    await makeBusy(database.pool, busy);
    const shown = async (): Promise<number> => {
      const { rows } = await database.pool.query(
        'select from config_record where delivery_rate is not null and project_id = $1',
        [busy.projectId],
      );
      return rows.length;
    };
    const refreshing = ports.rates.refresh(MOMENT);
    while ((await ports.records.find(record)).value?.deliveryRate !== '1.0000');
    expect(await shown()).toBeLessThan(MANY);
    await refreshing;
    while ((await ports.rates.refresh(MOMENT)) > 0);
    expect(await shown()).toBe(MANY);
  }));
