import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { IDLE_HANDLERS_WORKER, runService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const JOBS = 2_050;
const SENDERS = 20;
const ROUNDS = 8;

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
