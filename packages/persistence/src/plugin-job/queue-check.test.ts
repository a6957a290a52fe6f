import { randomUUID } from 'node:crypto';
import { decideOverdue, NEW_JOB, OPERATOR, type FamilyRef } from '@plugin-config/domain';
import { aFamily } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const aCheck = (family: FamilyRef) => ({
  ...NEW_JOB,
  id: randomUUID(),
  family,
  work: { config: {} },
  plugin: 7,
  type: 'check',
  timeoutSeconds: 60,
  actor: OPERATOR,
  requestId: null,
  createdAt: new Date(),
});

test('a check that is queued while its project is being deleted leaves nothing behind', () =>
  withDatabase(async (database) => {
    const { pool } = database;
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const deleting = await pool.connect();
    await deleting.query('begin');
    await deleting.query('delete from config_family where project_id = $1', [family.projectId]);
    const queueing = ports.pluginJobs.queueCheck(aCheck(family));
    const rejected = queueing.catch((error: unknown) => error);
    const waiting = () =>
      pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for key share%'",
      );
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    await deleting.query('commit');
    deleting.release();
    expect(await rejected).toMatchObject({ code: 'project_not_found' });
    expect((await pool.query('select from job union all select from task')).rowCount).toBe(0);
  }));

test('the configuration of a check is forgotten when it has ended', () =>
  withDatabase(async (database) => {
    const { pool } = database;
    const ports = postgresPorts(database);
    await ports.pluginJobs.queueCheck(aCheck(await aFamily(ports)));
    const work = async () => (await pool.query('select length(work) as length from job')).rows;
    expect(await work()).toEqual([{ length: expect.any(Number) }]);
    await pool.query("update job set open_at = now() - interval '61 seconds'");
    for (const job of await ports.pluginJobs.overdue(3_600_000)) {
      await ports.pluginJobs.settle(job, 3_600_000, decideOverdue);
    }
    expect(await work()).toEqual([{ length: 0 }]);
  }));
