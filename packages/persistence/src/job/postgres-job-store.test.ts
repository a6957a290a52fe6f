import { aFamily, aJob, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
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
    const explain = `explain (generic_plan, costs off) ${JOB_PAGE.text}`;
    const { rows } = await database.pool.query<Record<string, string>>(explain);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan Backward using job_record_index');
    expect(plan).not.toContain('Seq Scan');
  }));
