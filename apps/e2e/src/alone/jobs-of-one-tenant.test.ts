/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { UNFINISHED_JOBS_MAX } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { flood } from '../testing/flood.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const JOBS = 4_000;
const ROUNDS = 4;
const TIMEOUT_MS = 4_000;
const SENDERS = 20;

const running = serviceOfFile();

/** Adds copies of the tenant's first job directly to the database. `dueAt` is SQL. */
async function addJobs(
  { rows }: RunningService,
  { projectId }: Tenant,
  { jobs, dueAt }: { readonly jobs: number; readonly dueAt: string },
): Promise<void> {
  await rows(
    `with added as (
      insert into job (id, project_id, record_id, work, state, attempts, actor_label, created_at)
      select gen_random_uuid(), j.project_id, j.record_id, j.work, 'queued', 0, '', j.created_at
      from (select * from job where project_id = $1 order by created_at limit 1) j, generate_series(1, $2)
      returning *
    )
    insert into task (kind, project_id, key, payload, due_at)
    select 'job', a.project_id, a.record_id, a.id, ${dueAt} from added a`,
    [projectId, jobs],
  );
}

/** Returns how long a job waits and runs, in milliseconds. */
async function timeOfJob({ pluginConfigs }: Tenant, recordId: number, name: string): Promise<number> {
  const start = performance.now();
  const { jobId } = await pluginConfigs.queueJob(recordId, { name });
  while ((await pluginConfigs.job(recordId, jobId)).state !== 'succeeded') await sleep(20);
  return performance.now() - start;
}

test('a tenant at its job limit that keeps queueing does not slow down neighbours', async () => {
  const service = running();
  const busy = await service.tenant();
  const record = await busy.attach();
  await busy.pluginConfigs.queueJob(record, { name: 'first' });
  // Later than the longest wait of a job would be due now.
  await addJobs(service, busy, { jobs: UNFINISHED_JOBS_MAX, dueAt: `now() + interval '4 minutes'` });
  const statuses = await flood(service, { callers: SENDERS, allowed: [429, 503] }, () =>
    busy.call('POST', `/plugin_configs/${record}/job`, {}),
  );
  expect(statuses.get(429)).toBeGreaterThan(SENDERS);
});

test("many jobs of one tenant do not delay a neighbour's job", async () => {
  const service = running();
  const [busy, other] = [await service.tenant(), await service.tenant()];
  const [busyRecord, otherRecord] = [await busy.attach(), await other.attach()];
  await busy.pluginConfigs.queueJob(busyRecord, { name: 'first' });
  await addJobs(service, busy, { jobs: JOBS, dueAt: 'null' });
  const bystander = await neighbour(other);
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await timeOfJob(other, otherRecord, `name ${i}`));
  const [left] = await service.rows<{ readonly unfinished: number }>(
    'select count(*)::integer as unfinished from job where project_id = $1 and finished_at is null',
    [busy.projectId],
  );
  expect(left?.unfinished).toBeGreaterThan(100);
  expect(Math.max(...times)).toBeLessThan(TIMEOUT_MS);
  await bystander.expectUnaffected();
});
