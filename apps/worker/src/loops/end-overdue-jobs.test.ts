import type { ConfigRecord, Job } from '@plugin-config/domain';
import {
  aFamily,
  aJob,
  aKeyHash,
  anApiKey,
  anAuthor,
  aRecord,
  aRecordWrite,
  mustStore,
} from '@plugin-config/testing';
import { expect } from 'vitest';
import type { TestBed } from '../testing/test-bed.ts';
import { test } from '../testing/worker.fixture.ts';

const PLUGIN = 7;
let keys = 1;
const POLL = { timeout: 30_000 };

async function queue({ ports }: TestBed, record: ConfigRecord): Promise<Job> {
  const work = { payload: null, operation: null };
  const fields = { plugin: PLUGIN, type: 'replay', timeoutSeconds: 60 };
  const job = aJob(record, { id: crypto.randomUUID(), work, ...fields });
  await ports.jobs.queue(job, null);
  return job;
}

/** Takes a job of this project, for a runtime that does not answer. */
async function take({ ports }: TestBed, { projectId, family }: ConfigRecord): Promise<void> {
  const { id: keyId } = await ports.keys.add(anApiKey({ hash: aKeyHash(keys++) }), anAuthor());
  const open = await ports.pluginJobs.open([
    { family, plugins: [], types: [], key: { projectIds: [projectId] } },
  ]);
  const lanes = open.filter((lane) => lane.projectId === projectId);
  const claim = { keyId, instance: 'a', lanes, limit: 1, leaseSeconds: 600 };
  expect(await ports.pluginJobs.claim(claim)).toHaveLength(1);
}

test('a job whose lease is over is open again, and fails after the last attempt', async ({
  bed,
  worker: _worker,
}) => {
  const record = await aRecord(bed.ports, await aFamily(bed.ports));
  const [job, next] = [await queue(bed, record), await queue(bed, record)];
  await take(bed, record);
  const found = async ({ id }: Job) => bed.ports.jobs.find(record, id);
  const endLease = () => bed.rows(`update task set lease_until = now() where payload = $1`, [job.id]);
  await endLease();
  const error = 'The runtime did not end the job in time.';
  await expect.poll(() => found(job), POLL).toMatchObject({ state: 'queued', attempts: 1, error });
  await bed.rows(`update task set due_at = now() where payload = $1 and due_at is not null`, [job.id]);
  await bed.rows(`update job set attempts = 4 where id = $1`, [job.id]);
  const isOpen = async () =>
    (await bed.rows(`select from task where payload = $1 and due_at is null`, [job.id])).length;
  await expect.poll(isOpen, POLL).toBe(1);
  await take(bed, record);
  await endLease();
  await expect.poll(() => found(job), POLL).toMatchObject({ state: 'failed', attempts: 5, error });
  expect(await found(next)).toMatchObject({ state: 'queued', attempts: 0 });
});

test('a job that nobody takes fails, and so does the one behind it', async ({ bed, worker: _worker }) => {
  const record = await aRecord(bed.ports, await aFamily(bed.ports));
  for (const { id } of [await queue(bed, record), await queue(bed, record)]) {
    await bed.rows(`update job set open_at = now() - interval '2 days' where id = $1`, [id]);
    await expect
      .poll(() => bed.ports.jobs.find(record, id), POLL)
      .toMatchObject({ state: 'failed', error: 'No runtime took the job.' });
  }
});

test('the jobs of a deleted record end, one that a runtime has and those behind it', async ({
  bed,
  worker: _worker,
}) => {
  const record = await aRecord(bed.ports, await aFamily(bed.ports));
  const jobs = [await queue(bed, record), await queue(bed, record), await queue(bed, record)];
  await take(bed, record);
  await mustStore(bed.ports.records.save(aRecordWrite(record, { deleted: true })));
  for (const { id } of jobs) {
    await expect
      .poll(() => bed.ports.jobs.find(record, id), POLL)
      .toMatchObject({ state: 'failed', error: 'The record was deleted.' });
  }
  expect(await bed.rows(`select from task where kind = 'plugin_job' and key = $1`, [record.id])).toEqual([]);
});
