import { randomUUID } from 'node:crypto';
import { DAY_MS, ingest, type FamilyRef, type MessageOrigin } from '@plugin-config/domain';
import { postgresIngestionStores, type Database } from '@plugin-config/persistence';
import { addRecords } from '@plugin-config/persistence/testing/seed';

/** One record in this many breaches each rule. */
const BAD = 10;
const ENTRIES = 10;

/** Deliveries of a day, every five minutes; a tenth of the bad records' deliveries succeed. */
const DELIVERIES = `
  insert into delivery_sum (record_id, span, successes, successes_on_retry, failures)
  select r.id, s.span, case when r.bad then 1 else 10 end, 0, case when r.bad then 9 else 0 end
  from target r cross join generate_series(date_bin('5 minutes', now(), 'epoch') - interval '1 day', now(), '5 minutes') s (span)`;

/** Entries of the last hour, which are errors in bad records, and counters of a day. */
const ENTRIES_OF_LOGS = `
  insert into log_entry (record_id, timestamp, id, instance_id, plugin, kind, message)
  select r.id, now() - n * interval '300 seconds', gen_random_uuid(), '${randomUUID()}', 7, case when r.bad then 10 else 7 end, 'Sent 10 events'
  from target r cross join generate_series(1, ${ENTRIES}) n;
  insert into log_hour (record_id, hour, counts)
  select r.id, h.hour, array_fill(0, array[24])
  from target r cross join generate_series(date_trunc('hour', now()) - interval '1 day', now(), '1 hour') h (hour);
  update log_hour h set counts[case when r.bad then 11 else 8 end] = ${ENTRIES} / 2
  from target r where h.record_id = r.id and h.hour >= date_trunc('hour', now()) - interval '1 hour'`;

const ERRORS = `
  insert into error_report (record_id, timestamp, taken_in_at, position, error)
  select r.id, now(), now(), 1, 'timed out' from target r where r.bad;
  update config_record r set error = 'timed out' from target t where t.id = r.id and t.bad`;

/** Adds enabled records with data of the last day. */
export async function fillAlerts(database: Database, family: FamilyRef, records: number): Promise<void> {
  const ids = await addRecords(database, family, { records });
  await createPartitions(database, ids[0] ?? 0);
  const client = await database.pool.connect();
  try {
    await client.query(`update config_record set enabled = true where project_id = ${family.projectId};
      create temporary table target as
      select id, id % ${BAD} = 0 as bad from config_record where project_id = ${family.projectId} and enabled`);
    for (const statements of [DELIVERIES, ENTRIES_OF_LOGS, ERRORS]) await client.query(statements);
    await client.query('drop table target; analyze');
  } finally {
    client.release(true);
  }
}

/** Ingests a delivery and an entry of today and yesterday, and deletes their rows. */
async function createPartitions(database: Database, recordId: number): Promise<void> {
  const stores = postgresIngestionStores(database);
  const times = [Date.now(), Date.now() - DAY_MS];
  const common = { recordId, projectId: null, plugin: null, text: '', origin: ORIGIN };
  await ingest(
    { stores },
    times.flatMap((timestamp) => [
      {
        ...common,
        kind: 'delivery',
        id: randomUUID(),
        timestamp,
        successes: 1,
        successesOnRetry: 0,
        failures: 0,
        failed: [],
      } as const,
      {
        ...common,
        kind: 'log',
        id: randomUUID(),
        timestamp,
        source: 'PLUGIN',
        type: 'LOG',
        message: '',
        instanceId: randomUUID(),
      } as const,
    ]),
  );
  for (const table of ['delivery_sum', 'log_entry', 'log_hour'])
    await database.pool.query(`delete from ${table} where record_id = $1`, [recordId]);
}

const ORIGIN: MessageOrigin = {
  channel: 'bench',
  receivedAt: new Date(),
  streamTime: null,
  projectIds: [],
  pluginIds: [],
  owner: 'account 1',
  deadLetterId: null,
};
