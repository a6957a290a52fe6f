import type { Job, RecordRef } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob, listed } from '../builders/a-job.ts';
import { aRecord } from '../builders/a-record.ts';
import { aSettlement } from '../builders/a-settlement.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { claimJob } from './claim-job.ts';
import { everyPage, LARGE } from './every-page.ts';
import { WHOLE } from './read-state.ts';

const ANY = { state: null };
const NONE = { count: 0, items: [] };

export function listingJobsContract(test: TestWith<Ports>): void {
  test('jobs are listed without their work, newest first', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const jobs = await queuedJobs(ports, record, [1, 3, 2]);
    const [first, newest, middle] = jobs.map(listed);
    expect(await ports.jobs.page(record, ANY, WHOLE)).toEqual({ count: 3, items: [newest, middle, first] });
  });

  test('jobs with the same time are listed by descending id', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const ids = (await queuedJobs(ports, record, [1, 1, 1, 1])).map(({ id }) => id);
    const { items } = await ports.jobs.page(record, ANY, WHOLE);
    expect(items.map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
  });

  test('a page starts at its offset, and the count includes all jobs', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const jobs = await queuedJobs(ports, record, [4, 3, 2, 1]);
    const { count, items } = await ports.jobs.page(record, ANY, { limit: 2, offset: 1 });
    expect([count, items.map(({ id }) => id)]).toEqual([4, jobs.slice(1, 3).map(({ id }) => id)]);
    expect(await ports.jobs.page(record, ANY, { limit: 2, offset: 2_147_483_647 })).toEqual({
      count: 4,
      items: [],
    });
  });

  test('jobs can be listed by state', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const [running, cancelled, queued] = await queuedJobs(ports, record, [1, 2, 3]);
    if (cancelled !== undefined) await ports.jobs.cancel(record, cancelled.id, anAuthor());
    await claimJob(ports);
    const of = async (state: Job['state']) =>
      (await ports.jobs.page(record, { state }, WHOLE)).items.map(({ id }) => id);
    expect(await of('running')).toEqual([running?.id]);
    expect(await of('cancelled')).toEqual([cancelled?.id]);
    expect(await of('queued')).toEqual([queued?.id]);
    expect(await ports.jobs.page(record, { state: 'failed' }, WHOLE)).toEqual(NONE);
  });

  test('a page ends before its errors exceed the size limit of a page', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const jobs = await queuedJobs(
      ports,
      record,
      Array.from({ length: LARGE.onPage + 2 }, (_, i) => i),
    );
    for (const _ of jobs) {
      const job = await claimJob(ports);
      if (job === null) throw new Error('no job is due');
      await ports.jobRuns.settle(job, async () => aSettlement({ state: 'failed', error: LARGE.text }));
    }
    const pages = await everyPage((page) => ports.jobs.page(record, ANY, page));
    expect(pages.map(({ length }) => length)).toEqual([LARGE.onPage, 2]);
  });

  test('jobs are listed only under their own record', async (ports) => {
    const family = await aFamily(ports);
    const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
    const elsewhere = await aFamily(ports);
    await queuedJobs(ports, record, [1]);
    expect(await ports.jobs.page(sister, ANY, WHOLE)).toEqual(NONE);
    expect(await ports.jobs.page({ ...elsewhere, id: record.id }, ANY, WHOLE)).toEqual(NONE);
    const otherFamily = { ...record, family: 'pipeline_transformation_configs' } as const;
    expect(await ports.jobs.page(otherFamily, ANY, WHOLE)).toEqual(NONE);
  });
}

async function queuedJobs(
  { jobs }: Ports,
  record: RecordRef,
  seconds: readonly number[],
): Promise<readonly Job[]> {
  const { uuid } = seededRandomness();
  const made = seconds.map((after) => aJob(record, { id: uuid(), createdAt: secondsLater(after) }));
  for (const job of made) await jobs.queue(job, null);
  return made;
}
