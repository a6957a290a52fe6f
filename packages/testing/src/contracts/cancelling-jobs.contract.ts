import type { ConfigRecord, Job } from '@plugin-config/domain';
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
import { historyOf, countersOf } from './read-state.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'cancel' });
const NO_JOB = '00000000-0000-7000-8000-000000000000';

export function cancellingJobsContract(test: TestWith<Ports>): void {
  test('a cancelled job is kept, appears in the history and is never claimed', async (ports) => {
    const [record, job] = await queued(ports);
    const counters = await countersOf(ports, record);
    expect(await ports.jobs.cancel(record, job.id, AUTHOR)).toBe('queued');
    expect(await ports.jobs.find(record, job.id)).toEqual({
      ...listed(job),
      state: 'cancelled',
      finishedAt: expect.any(Date),
    });
    const [entry] = await historyOf(ports, record);
    expect(entry).toEqual({ ...AUTHOR, id: entry?.id, activity: 'job_cancelled', changes: [] });
    expect((await ports.records.find(record)).value).toEqual(record);
    const { familyVersion, listVersion: version } = await countersOf(ports, record);
    expect([familyVersion > counters.familyVersion, version]).toEqual([true, counters.listVersion]);
    expect((await ports.tasks.backlog()).job).toEqual({ due: 0, running: 0 });
    expect(await claimJob(ports)).toBeNull();
  });

  test('cancelling a cancelled job has no effect', async (ports) => {
    const [record, job] = await queued(ports);
    await ports.jobs.cancel(record, job.id, AUTHOR);
    const [cancelled, history] = [await ports.jobs.find(record, job.id), await historyOf(ports, record)];
    expect(await ports.jobs.cancel(record, job.id, AUTHOR)).toBe('cancelled');
    expect(await ports.jobs.find(record, job.id)).toEqual(cancelled);
    expect(await historyOf(ports, record)).toEqual(history);
  });

  test('a job that waits for its next attempt is cancelled, with the error of the last one', async (ports) => {
    const [record, job] = await queued(ports);
    await settle(ports, { state: 'queued', error: 'First attempt', dueInMs: 0 });
    expect(await ports.jobs.cancel(record, job.id, AUTHOR)).toBe('queued');
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'cancelled',
      attempts: 1,
      error: 'First attempt',
    });
    expect(await claimJob(ports)).toBeNull();
  });

  test('running and finished jobs are not cancelled', async (ports) => {
    const [record, job] = await queued(ports);
    const claimed = await claimJob(ports);
    expect(await ports.jobs.cancel(record, job.id, AUTHOR)).toBe('running');
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'running' });
    if (claimed !== null) expect(await ports.jobRuns.settle(claimed, async () => aSettlement())).toBe(true);
    expect(await ports.jobs.cancel(record, job.id, AUTHOR)).toBe('succeeded');
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'succeeded' });
    expect((await historyOf(ports, record)).map(({ activity }) => activity)).not.toContain('job_cancelled');
  });

  test('a job is cancelled only under its own record', async (ports) => {
    const [record, job] = await queued(ports);
    const family = await aFamily(ports);
    const sister = await aRecord(ports, record);
    const otherFamily = { ...record, family: 'pipeline_transformation_configs' } as const;
    for (const other of [sister, { ...family, id: record.id }, otherFamily]) {
      expect(await ports.jobs.cancel(other, job.id, AUTHOR)).toBeNull();
    }
    for (const id of [NO_JOB, '1', '']) expect(await ports.jobs.cancel(record, id, AUTHOR)).toBeNull();
    expect(await ports.jobs.find(record, job.id)).toEqual(listed(job));
  });

  test('if a claim and a cancellation of a job race, exactly one wins', async (ports) => {
    const family = await aFamily(ports);
    const { uuid } = seededRandomness();
    const records = await Promise.all(Array.from({ length: 20 }, () => aRecord(ports, family)));
    const jobs = records.map((record) => aJob(record, { id: uuid() }));
    for (const job of jobs) await ports.jobs.queue(job, null);
    const [claimed, cancelled] = await Promise.all([
      Promise.all(jobs.map(() => claimJob(ports))),
      Promise.all(jobs.toReversed().map(({ record, id }) => ports.jobs.cancel(record, id, AUTHOR))),
    ]);
    const [running, ended] = [claimed.filter((job) => job !== null), cancelled.filter((s) => s === 'queued')];
    expect(running.length + ended.length).toBe(jobs.length);
    for (const job of running) expect(await ports.jobRuns.settle(job, async () => aSettlement())).toBe(true);
    const found = await Promise.all(jobs.map(({ record, id }) => ports.jobs.find(record, id)));
    const states = found.map((job) => job?.state);
    expect(states.filter((state) => state === 'succeeded')).toHaveLength(running.length);
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(ended.length);
  });
}

async function queued(ports: Ports): Promise<readonly [ConfigRecord, Job]> {
  const record = await aRecord(ports, await aFamily(ports));
  const job = aJob(record);
  await ports.jobs.queue(job, null);
  return [record, job];
}

async function settle(ports: Ports, given: Parameters<typeof aSettlement>[0]): Promise<void> {
  const job = await claimJob(ports);
  if (job === null) throw new Error('no job is due');
  await ports.jobRuns.settle(job, async () => aSettlement(given));
}
