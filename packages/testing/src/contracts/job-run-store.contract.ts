import {
  describeStart,
  MAX_ATTEMPTS,
  type ConfigRecord,
  type Job,
  type Settlement,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aSettlement } from '../builders/a-settlement.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { seededRandomness } from '../memory/seeded-randomness.ts';
import type { RunPorts } from '../run-ports.ts';
import type { TestWith } from '../test-with.ts';
import { historyOf, standingOf } from './reading.ts';

const LEASE = { leaseMs: 60_000 };
const START = { at: secondsLater(10), ...LEASE };
const SUCCEEDED = { ...anAuthor({ at: secondsLater(20) }), activity: 'job_succeeded', changes: [] } as const;

export function jobRunStoreContract(test: TestWith<RunPorts>): void {
  test('a claimed job runs, with one more try', async (ports) => {
    const [record, job] = await queued(ports);
    const claimed = await ports.runs.claim(START);
    expect(claimed).toEqual({ ...job, state: 'running', attempts: 1, startedAt: START.at });
    expect(await ports.jobs.find(record, job.id)).toEqual(claimed);
  });

  test('nothing is claimed where nothing is due', async (ports) => {
    expect(await ports.runs.claim(START)).toBeNull();
    await queued(ports);
    await ports.runs.claim(START);
    expect(await ports.runs.claim(START)).toBeNull();
  });

  test('the job that is due the longest is claimed first', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const jobs = [3, 1, 2].map((seconds) => aJob(record, { id: uuid(), createdAt: secondsLater(seconds) }));
    for (const job of jobs) await ports.jobs.queue(job, null);
    const claimed = [
      await ports.runs.claim(START),
      await ports.runs.claim(START),
      await ports.runs.claim(START),
    ];
    expect(claimed.map((job) => job?.createdAt)).toEqual([1, 2, 3].map((seconds) => secondsLater(seconds)));
  });

  test('however many workers claim at once, each job goes to one of them', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const jobs = Array.from({ length: 5 }, () => aJob(record, { id: uuid() }));
    for (const job of jobs) await ports.jobs.queue(job, null);
    const claimed = await Promise.all(Array.from({ length: 12 }, () => ports.runs.claim(START)));
    const ids = claimed.flatMap((job) => (job === null ? [] : [job.id]));
    expect(ids.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted());
  });

  test('a job whose worker is lost may be claimed again, when its lease is over', async (ports) => {
    await queued(ports);
    await ports.runs.claim(START);
    expect(await ports.runs.claim({ ...LEASE, at: secondsLater(10 + 59) })).toBeNull();
    const again = { ...LEASE, at: secondsLater(10 + 61) };
    expect(await ports.runs.claim(again)).toMatchObject({ state: 'running', attempts: 2 });
    expect(await ports.runs.claim(again)).toBeNull();
  });

  test('a job brings the configuration of its record', async (ports) => {
    const secrets = new Map([['token', 'sealed']]);
    const seed = { config: '{"token":"********"}', secrets };
    await ports.plugins.register(aPlugin(), seed);
    const [record] = await queued(ports);
    const job = await claim(ports);
    expect(await ports.runs.configuration(job)).toEqual({
      record,
      secrets,
      plugin: aPlugin(),
      pluginRevision: expect.any(Number),
    });
  });

  test('a settled job takes effect and ends, both told in the history', async (ports) => {
    const [record, job] = await queued(ports);
    const { after, activity } = aRecordWrite(
      record,
      { name: 'By the job' },
      { activity: { requestId: 'job' } },
    );
    const decision = { after, activity, secrets: new Map([['token', 'sealed']]) };
    const standing = await standingOf(ports, record);
    const settlement = aSettlement({ at: secondsLater(20), decision, activity: [SUCCEEDED] });
    expect(await ports.runs.settle(await claim(ports), async () => settlement)).toBe(true);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      error: null,
      startedAt: START.at,
      finishedAt: secondsLater(20),
    });
    const stored = await ports.records.configuration(record);
    const configRevision = record.configRevision + 1;
    expect(stored).toMatchObject({ record: { ...after, configRevision }, secrets: decision.secrets });
    expect(await historyOf(ports, record)).toMatchObject([
      SUCCEEDED,
      activity,
      { activity: 'job_queued' },
      { activity: 'created' },
    ]);
    const { revision, version } = await standingOf(ports, record);
    expect(revision).toBeGreaterThan(standing.revision);
    expect(version).toBeGreaterThan(standing.version);
    expect(await ports.runs.claim({ ...LEASE, at: secondsLater(10_000) })).toBeNull();
  });

  test('a job that fails for good tells what it failed of, and leaves its record', async (ports) => {
    const [record, job] = await queued(ports);
    const standing = await standingOf(ports, record);
    const activity = [{ ...SUCCEEDED, activity: 'job_failed' } as const];
    await settle(ports, await claim(ports), { state: 'failed', error: 'Größe: kaputt 💥', activity });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'failed',
      error: 'Größe: kaputt 💥',
    });
    expect((await ports.records.find(record)).value).toEqual(record);
    const { revision, version } = await standingOf(ports, record);
    expect(revision).toBeGreaterThan(standing.revision);
    expect(version).toBe(standing.version);
    expect(await ports.runs.claim({ ...LEASE, at: secondsLater(10_000) })).toBeNull();
  });

  test('a job that is tried again waits until then', async (ports) => {
    const [record, job] = await queued(ports);
    const dueAt = secondsLater(30);
    await settle(ports, await claim(ports), { state: 'queued', error: 'First try', dueAt });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'queued',
      attempts: 1,
      error: 'First try',
      finishedAt: null,
    });
    expect(await ports.runs.claim({ ...LEASE, at: secondsLater(29.999) })).toBeNull();
    expect(await ports.runs.claim({ ...LEASE, at: dueAt })).toMatchObject({ id: job.id, attempts: 2 });
  });

  test('a job is settled once, and only by the worker that has it', async (ports) => {
    const [record] = await queued(ports);
    const lost = await claim(ports);
    const current = await claim(ports, secondsLater(1000));
    const renamed = (name: string): Partial<Settlement> => ({
      at: secondsLater(1001),
      decision: aRecordWrite(record, { name }),
      activity: [SUCCEEDED],
      lines: [{ type: 'INFO', message: name }],
    });
    expect(await settle(ports, lost, renamed('Lost'))).toBe(false);
    expect(await settle(ports, current, renamed('Current'))).toBe(true);
    expect(await settle(ports, current, renamed('Twice'))).toBe(false);
    expect((await ports.records.find(record)).value).toMatchObject({
      name: 'Current',
      version: record.version + 1,
    });
    expect(await historyOf(ports, record)).toHaveLength(4);
    expect((await ports.lines(record)).map(({ message }) => message)).toEqual([
      describeStart(lost).message,
      describeStart(current).message,
      'Current',
    ]);
  });

  test('settled by several at once, a job takes effect once', async (ports) => {
    const [record] = await queued(ports);
    const job = await claim(ports);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => settle(ports, job, { activity: [SUCCEEDED] })),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await historyOf(ports, record)).toHaveLength(3);
  });

  test('where deciding fails, nothing is stored, and the job still runs', async (ports) => {
    const [record, job] = await queued(ports);
    const settling = ports.runs.settle(await claim(ports), () => Promise.reject(new Error('cut off')));
    await expect(settling).rejects.toThrow('cut off');
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'running' });
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('what is decided upon is the record as it is by then, and nobody changes it in between', async (ports) => {
    const [record] = await queued(ports);
    const job = await claim(ports);
    const before = (await ports.records.save(aRecordWrite(record, { name: 'Meanwhile' }))) ?? record;
    const waiting: Promise<unknown>[] = [];
    await ports.runs.settle(job, async (held) => {
      expect(held.record).toEqual(before);
      expect((await held.configuration(before.plugin))?.record).toEqual(before);
      waiting.push(ports.records.save(aRecordWrite(before, { name: 'Too late' })));
      for (let i = 0; i < 20; i++) await ports.records.find(record);
      return aSettlement({ decision: aRecordWrite(before, { enabled: true }) });
    });
    expect(await Promise.all(waiting)).toEqual([null]);
    expect((await ports.records.find(record)).value).toMatchObject({ name: 'Meanwhile', enabled: true });
  });

  test('a held job tells what another plugin expects', async (ports) => {
    await queued(ports);
    const other = aPlugin({ id: 8 });
    await ports.plugins.register(other, { config: '{}', secrets: new Map() });
    const plugins: unknown[] = [];
    await ports.runs.settle(await claim(ports), async ({ configuration }) => {
      for (const id of [7, 8, 9]) plugins.push((await configuration(id))?.plugin);
      return aSettlement();
    });
    expect(plugins).toEqual([null, other, null]);
  });

  test('the start of each try and what it wrote are in the log of the record', async (ports) => {
    const [record] = await queued(ports);
    const first = await claim(ports);
    await settle(ports, first, {
      state: 'queued',
      dueAt: secondsLater(30),
      lines: [{ type: 'WARN', message: 'Again' }],
    });
    const second = await claim(ports, secondsLater(30));
    const lines = ['größer', '🚀'].map((message) => ({ type: 'INFO', message }));
    await settle(ports, second, { at: secondsLater(40), lines });
    expect(await ports.lines(record)).toEqual([
      describeStart(first),
      { type: 'WARN', message: 'Again' },
      describeStart(second),
      ...lines,
    ]);
  });

  test('past the last try a job ends with the tries that there are', async (ports) => {
    const [record, job] = await queued(ports);
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) await claim(ports, secondsLater(10 + tries * 61));
    const past = await claim(ports, secondsLater(10 + MAX_ATTEMPTS * 61));
    await settle(ports, past, { state: 'failed', at: secondsLater(1000), error: 'Lost' });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'failed', attempts: MAX_ATTEMPTS });
  });

  test('jobs of the family without a log run all the same', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports, 'pipeline_transformation_configs'));
    await ports.jobs.queue(aJob(record), null);
    expect(await settle(ports, await claim(ports), { lines: [{ type: 'INFO', message: 'Nowhere' }] })).toBe(
      true,
    );
    expect(await ports.lines(record)).toEqual([]);
  });

  test('those that wait and those that run are counted', async (ports) => {
    expect(await ports.runs.waiting()).toEqual({ queued: 0, running: 0 });
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    for (let i = 0; i < 4; i++) await ports.jobs.queue(aJob(record, { id: uuid() }), null);
    await claim(ports);
    expect(await ports.runs.waiting()).toEqual({ queued: 3, running: 1 });
    await settle(ports, await claim(ports), {});
    expect(await ports.runs.waiting()).toEqual({ queued: 2, running: 1 });
  });
}

async function queued(ports: RunPorts): Promise<readonly [ConfigRecord, Job]> {
  const record = await aRecord(ports, await aFamily(ports));
  const job = aJob(record);
  await ports.jobs.queue(job, null);
  return [record, job];
}

async function claim({ runs }: RunPorts, at: Date = START.at): Promise<Job> {
  const job = await runs.claim({ ...LEASE, at });
  if (job === null) throw new Error('no job is due');
  return job;
}

function settle({ runs }: RunPorts, job: Job, given: Partial<Settlement>): Promise<boolean> {
  return runs.settle(job, async () => aSettlement({ at: secondsLater(20), ...given }));
}
