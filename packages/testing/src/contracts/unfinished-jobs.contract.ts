import { UNFINISHED_JOBS_MAX, type Job } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aRecord } from '../builders/a-record.ts';
import { seededRandomness } from '../memory/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { historyOf } from './read-state.ts';

export interface UnfinishedJobsPorts extends Ports {
  /** Stores so many copies of a job with ids of their own, faster than by queueing them one by one. */
  addCopies(job: Job, count: number): Promise<void>;
}

/** Contract of the limit of unfinished jobs. */
export function unfinishedJobsContract(test: TestWith<UnfinishedJobsPorts>): void {
  test('a project with too many unfinished jobs gets no more, until one ends; other projects go on', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const elsewhere = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const job = (): Job => aJob(record, { id: uuid() });
    const [first, last] = [job(), job()];
    await ports.jobs.queue(first, null);
    await ports.addCopies(first, UNFINISHED_JOBS_MAX - 2);
    await ports.jobs.queue(last, null);
    const refusal = { name: 'DomainError', code: 'throttled', retryAfterSeconds: 60 };
    await expect(ports.jobs.queue(job(), null)).rejects.toMatchObject(refusal);
    expect(await historyOf(ports, record)).toHaveLength(3);
    await ports.jobs.queue(aJob(elsewhere, { id: uuid() }), null);
    const { actor, requestId, createdAt: at } = last;
    expect(await ports.jobs.cancel(record, last.id, { actor, requestId, at })).toBe('queued');
    await ports.jobs.queue(job(), null);
    await expect(ports.jobs.queue(job(), null)).rejects.toMatchObject(refusal);
  });
}
