import { aFamily, aJob, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { planOf } from '../testing/plan-of.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { JOB_PAGE } from './postgres-job-store.ts';

test('a page of many jobs is read in index order', () =>
  withDatabase(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ports.jobs.queue(aJob(record), null);
    await database.pool.query(`
      insert into job (id, project_id, record_id, work, state, attempts, actor_label, created_at)
      select gen_random_uuid(), j.project_id, j.record_id, j.work, j.state, 0, '', j.created_at
      from job j, generate_series(1, 5000);
      analyze job`);
    const plan = await planOf(database.pool, JOB_PAGE.text);
    expect(plan).toContain('Index Scan Backward using job_record_index');
    expect(plan).not.toContain('Seq Scan');
  }));
