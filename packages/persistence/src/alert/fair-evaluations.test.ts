import {
  ingest,
  SERVICE,
  type AlertEvaluation,
  type AlertEvaluations,
  type FamilyRef,
} from '@plugin-config/domain';
import {
  aFamily,
  anAlert,
  anErrorReport,
  aRecord,
  evaluateAt,
  incidentsOf,
  secondsLater,
  type LogPorts,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import type { Database } from '../index.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';

const withEmptied = databaseOfFile();

/** A tenant with 1,000 alerts, and the data of a record that takes as long as ten thousand entries on a slow disk. */
const LARGE = { projects: 10, alerts: 100, records: 300 };
const SLOW_READ_SECONDS = 0.05;
const LIMIT_SECONDS = 60;

async function failingRecord(ports: LogPorts, family: FamilyRef): Promise<number> {
  const record = await aRecord(ports, family, { enabled: true });
  await ingest(ports, [anErrorReport(record, 'timed out')]);
  return record.id;
}

/** Makes the errors of all records slow to read until the work has ended. */
async function withSlowErrors({ pool }: Database, work: () => Promise<void>): Promise<void> {
  await pool.query(`alter table error_report rename to stored_error_report;
    create function slow() returns boolean language plpgsql volatile cost 10000 as
      $$ begin perform pg_sleep(${SLOW_READ_SECONDS}); return true; end $$;
    create view error_report as select * from stored_error_report where slow()`);
  try {
    await work();
  } finally {
    await pool.query(`drop view error_report; drop function slow();
      alter table stored_error_report rename to error_report`);
  }
}

test(
  'a tenant with 1,000 alerts on slow data delays the alert of another tenant by seconds',
  { tags: ['long'], timeout: 300_000 },
  () =>
    withEmptied(async (database) => {
      const ports = logPortsOf(database);
      for (let n = 0; n < LARGE.projects; n++) {
        const family = await aFamily(ports);
        await failingRecord(ports, family);
        await anAlert(ports, family);
      }
      await database.pool.query(
        `insert into alert select (jsonb_populate_record(a, jsonb_build_object('id', 1000 * a.id + n))).*
        from alert a, generate_series(2, ${LARGE.alerts}) n;
        insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version, error)
        select project_id, family, plugin, enabled, n, deleted, created_at, updated_at, version, error
        from config_record, generate_series(2, ${LARGE.records}) n;
        insert into error_report (record_id, timestamp, taken_in_at, position, error)
        select r.id, e.timestamp, e.taken_in_at, e.position, e.error
        from (select * from error_report limit 1) e, config_record r
        where not exists (select from error_report o where o.record_id = r.id)`,
      );
      const neighbour = await aFamily(ports);
      await failingRecord(ports, neighbour);
      await anAlert(ports, neighbour);
      let isDone = false;
      const evaluations: AlertEvaluations = {
        ofProject: async (task, at) => {
          const all = isDone ? [] : await ports.evaluations.ofProject(task, at);
          return all.map((evaluation) => ({
            ...evaluation,
            finish: async () => {
              await evaluation.finish();
              isDone ||= evaluation.alert.projectId === neighbour.projectId;
            },
          }));
        },
      };
      const start = performance.now();
      await withSlowErrors(
        database,
        async () => void (await evaluateAt({ ...ports, evaluations }, secondsLater(1))),
      );
      expect(await incidentsOf(ports, neighbour.projectId)).toHaveLength(1);
      expect((performance.now() - start) / 1000).toBeLessThan(LIMIT_SECONDS);
    }),
);

test('a chunk that takes too long to read must be read in parts, and a record that does is an error', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const family = await aFamily(ports);
    const ids = [await failingRecord(ports, family), await failingRecord(ports, family)];
    await anAlert(ports, family);
    const [task] = await ports.tasks.claim('alerts', { limit: 1, exceptTenants: [] });
    const [evaluation] = (task && (await ports.evaluations.ofProject(task, secondsLater(1)))) ?? [];
    const client = await database.pool.connect();
    try {
      await client.query(
        'begin; set local idle_in_transaction_session_timeout = 0; lock table error_report in access exclusive mode',
      );
      expect(await evaluation?.read(ids)).toBeNull();
      await expect(evaluation?.read(ids.slice(1))).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await evaluation?.read(ids)).toHaveLength(2);
  }));

test('an alert on all projects leaves out a record that is slow, and evaluates those after it', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await failingRecord(ports, await aFamily(ports)));
    const family = await aFamily(ports);
    ids.push(await failingRecord(ports, family));
    await anAlert(ports, { projectId: SERVICE, family: 'plugin_configs' });
    await anAlert(ports, family);
    const sizes: number[] = [];
    const read = (evaluation: AlertEvaluation) => async (chunk: readonly number[]) => {
      const { projectId } = evaluation.alert;
      if (projectId !== SERVICE) return evaluation.read(chunk);
      sizes.push(chunk.length);
      // As if its data took longer than a second to read.
      if (chunk.includes(ids[1] ?? 0)) return chunk.length > 1 ? null : [];
      return evaluation.read(chunk);
    };
    const evaluations: AlertEvaluations = {
      ofProject: async (task, at) =>
        (await ports.evaluations.ofProject(task, at)).map((one) => ({ ...one, read: read(one) })),
    };
    expect(await evaluateAt({ ...ports, evaluations }, secondsLater(1))).toEqual({ count: 2, failed: [] });
    expect(sizes).toEqual([6, 3, 2, 1, 2, 1, 2, 2]);
    const { count } = await ports.incidents.page(
      null,
      { alertId: null, recordId: null, plugin: null, open: true },
      { limit: 10, offset: 0 },
    );
    expect(count).toBe(6);
    expect(await incidentsOf(ports, family.projectId)).toHaveLength(2);
  }));
