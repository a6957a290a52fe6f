import { anAuthor } from '../builders/an-author.ts';
import { UNFINISHED_JOBS_MAX, type ConfigRecord, type Job, type KeyedJob } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aRecord } from '../builders/a-record.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { seededRandomness } from '../memory/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { historyOf } from './read-state.ts';

export interface UnfinishedJobsPorts extends Ports {
  /** Stores so many copies of a job with ids of their own, faster than by queueing them one by one. */
  addCopies(job: Job, count: number): Promise<void>;
}

const REFUSAL = { name: 'DomainError', code: 'throttled', retryAfterSeconds: 60 };

/** Contract of the limit of unfinished jobs. */
export function unfinishedJobsContract(test: TestWith<UnfinishedJobsPorts>): void {
  test('a project with too many unfinished jobs gets no more, until one ends; other projects go on', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const elsewhere = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const job = (): Job => aJob(record, { id: uuid() });
    const last = job();
    await fill(ports, job());
    await ports.jobs.queue(last, null);
    await expect(ports.jobs.queue(job(), null)).rejects.toMatchObject(REFUSAL);
    const stale = ports.jobs.queue(job(), [record.version + 1]);
    await expect(stale).rejects.toMatchObject({ code: 'stale_version' });
    expect(await historyOf(ports, record)).toHaveLength(3);
    await ports.jobs.queue(aJob(elsewhere, { id: uuid() }), null);
    await cancel(ports, last);
    await ports.jobs.queue(job(), null);
    await expect(ports.jobs.queue(job(), null)).rejects.toMatchObject(REFUSAL);
  });

  test('a repeated request gets its first answer although the project has too many jobs; a refused one has none', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
    const { uuid } = seededRandomness();
    const keyed = (name: string): KeyedJob =>
      keyedJob(record, aJob(record, { id: uuid(), actor: { keyId, label } }), name);
    const first = keyed('first');
    await fill(ports, first.job);
    expect(await ports.jobs.queueOnce(keyed('second'))).toMatchObject({ isFirst: true });
    await expect(ports.jobs.queueOnce(keyed('third'))).rejects.toMatchObject(REFUSAL);
    expect(await ports.jobs.queueOnce(keyed('second'))).toMatchObject({ isFirst: false });
    await cancel(ports, first.job);
    expect(await ports.jobs.queueOnce(keyed('third'))).toMatchObject({ isFirst: true });
  });
}

/** Leaves room for one more job. */
async function fill({ jobs, addCopies }: UnfinishedJobsPorts, job: Job): Promise<void> {
  await jobs.queue(job, null);
  await addCopies(job, UNFINISHED_JOBS_MAX - 2);
}

async function cancel({ jobs }: Ports, { record, id, actor, requestId, createdAt: at }: Job): Promise<void> {
  expect(await jobs.cancel(record, id, { actor, requestId, at })).toBe('queued');
}

function keyedJob(record: ConfigRecord, job: Job, name: string): KeyedJob {
  const key = { name, digest: 'body', origin: 'https://a.example' };
  return { job, answer: { jobId: job.id, record }, precondition: null, key };
}
