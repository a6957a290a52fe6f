import { setTimeout as sleep } from 'node:timers/promises';
import { UNFINISHED_JOBS_MAX } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { IDLE_HANDLERS_WORKER, runService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const JOBS = 2_050;
const SENDERS = 20;
const ROUNDS = 8;
const GOING_MS = 4_000;

/** Measures how long a job waits and runs, in milliseconds. */
async function timeOfJob({ pluginConfigs }: Tenant, recordId: number, name: string): Promise<number> {
  const start = performance.now();
  const { jobId } = await pluginConfigs.queueJob(recordId, { name });
  while ((await pluginConfigs.job(recordId, jobId)).state !== 'succeeded') await sleep(20);
  return performance.now() - start;
}

test("jobs of one tenant, however many and however long, delay no neighbour's job", async () => {
  await using service = await runService(
    { JOB_TIMEOUT_MS: '5000' },
    { mains: { worker: IDLE_HANDLERS_WORKER } },
  );
  const [busy, other] = [await service.tenant(), await service.tenant()];
  const [busyRecord, otherRecord] = [await busy.attach(), await other.attach()];
  for (let i = 0; i < 20; i++) await busy.pluginConfigs.queueJob(busyRecord, { job: { type: 'never' } });
  const bodies = Array.from({ length: JOBS }, (_, i) => ({ name: `name ${i}` })).values();
  const sender = async (): Promise<void> => {
    for (const body of bodies) await busy.pluginConfigs.queueJob(busyRecord, body);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  const unharmed = await neighbour(other);
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await timeOfJob(other, otherRecord, `name ${i}`));
  const [left] = await service.rows<{ readonly waiting: number }>(
    'select count(*)::integer as waiting from job where finished_at is null',
  );
  expect(left?.waiting).toBeGreaterThan(100);
  expect(Math.max(...times)).toBeLessThan(1_000);
  await unharmed.expectUnharmed();
});

test('a tenant that has all the jobs it may have, and goes on asking for more, harms no neighbour', async () => {
  await using service = await runService();
  const [busy, other] = [await service.tenant(), await service.tenant()];
  const record = await busy.attach();
  await busy.pluginConfigs.queueJob(record, { name: 'first' });
  await service.rows(
    `insert into job (id, project_id, record_id, work, state, attempts, actor_label, created_at, due_at)
    select gen_random_uuid(), j.project_id, j.record_id, j.work, 'queued', 0, '', j.created_at, now() + interval '1 day'
    from (select * from job limit 1) j, generate_series(1, $1)`,
    [UNFINISHED_JOBS_MAX],
  );
  const unharmed = await neighbour(other);
  const ends = performance.now() + GOING_MS;
  const statuses: number[] = [];
  const sender = async (): Promise<void> => {
    while (performance.now() < ends)
      statuses.push((await busy.call('POST', `/plugin_configs/${record}/job`, {})).status);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await unharmed.expectUnharmed();
  expect(statuses.length).toBeGreaterThan(SENDERS);
  expect(new Set(statuses).difference(new Set([429, 503]))).toEqual(new Set());
  expect(statuses).toContain(429);
});
