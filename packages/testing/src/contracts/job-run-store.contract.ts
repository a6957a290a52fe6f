import type { ConfigRecord, Job, RunningJob, Settlement } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob, listed } from '../builders/a-job.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aSettlement } from '../builders/a-settlement.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { claimJob, JOB_LEASE_MS } from './claim-job.ts';
import { changesOf } from './changes-of.ts';
import { historyOf, countersOf } from './read-state.ts';

const LATER_MS = 3_600_000;
const SUCCEEDED = { ...anAuthor({ at: secondsLater(20) }), activity: 'job_succeeded', changes: [] } as const;

export function jobRunStoreContract(test: TestWith<Ports>): void {
  test('a claimed job runs, with one more attempt', async (ports) => {
    const [record, job] = await queued(ports);
    const { task, change, ...claimed } = await claim(ports);
    expect([task.attempts, change]).toEqual([1, job.work]);
    expect(claimed).toEqual({ ...listed(job), state: 'running', attempts: 1, startedAt: expect.any(Date) });
    expect(await ports.jobs.find(record, job.id)).toEqual(claimed);
  });

  test('a settled job takes effect and ends, and the history shows both', async (ports) => {
    const [record, job] = await queued(ports);
    const { after, activity } = aRecordWrite(
      record,
      { name: 'By the job' },
      { activity: { requestId: 'job' } },
    );
    const write = { after, activity, values: '{"a":1}' };
    const counters = await countersOf(ports, record);
    const settlement = aSettlement({ write, activity: [SUCCEEDED] });
    const claimed = await claim(ports);
    const { ids } = await changesOf(ports, record, async () => {
      expect(await ports.jobRuns.settle(claimed, async () => settlement)).toBe(true);
    });
    expect(ids).toEqual([record.id]);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      error: null,
      startedAt: expect.any(Date),
      finishedAt: expect.any(Date),
    });
    const stored = await ports.configurationValues.of(record);
    const next = { version: record.version + 1, configVersion: record.configVersion + 1 };
    expect(stored).toMatchObject({
      record: { ...after, ...next, config: write.values },
      values: write.values,
    });
    expect(await historyOf(ports, record)).toMatchObject([
      SUCCEEDED,
      activity,
      { activity: 'job_queued' },
      { activity: 'created' },
    ]);
    const { familyVersion, listVersion: version } = await countersOf(ports, record);
    expect(familyVersion).toBeGreaterThan(counters.familyVersion);
    expect(version).toBeGreaterThan(counters.listVersion);
    await ports.passTime(LATER_MS);
    expect(await claimJob(ports)).toBeNull();
  });

  test('a job that has failed for good shows its error and does not change its record', async (ports) => {
    const [record, job] = await queued(ports);
    const counters = await countersOf(ports, record);
    const activity = [{ ...SUCCEEDED, activity: 'job_failed' } as const];
    await settle(ports, await claim(ports), { state: 'failed', error: 'Größe: kaputt 💥', activity });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'failed',
      error: 'Größe: kaputt 💥',
    });
    expect((await ports.records.find(record)).value).toEqual(record);
    const { familyVersion, listVersion: version } = await countersOf(ports, record);
    expect(familyVersion).toBeGreaterThan(counters.familyVersion);
    expect(version).toBe(counters.listVersion);
    await ports.passTime(LATER_MS);
    expect(await claimJob(ports)).toBeNull();
  });

  test('a job that is retried waits until its next attempt is due', async (ports) => {
    const [record, job] = await queued(ports);
    const error = 'First attempt';
    await settle(ports, await claim(ports), { state: 'queued', error, dueInMs: 30_000 });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'queued',
      attempts: 1,
      error,
      finishedAt: null,
    });
    await ports.passTime(20_000);
    expect(await claimJob(ports)).toBeNull();
    await ports.passTime(10_000);
    expect(await claimJob(ports)).toMatchObject({ id: job.id, attempts: 2 });
  });

  test('an attempt that does not count is still a separate claim', async (ports) => {
    const [record, job] = await queued(ports);
    const first = await claim(ports);
    await settle(ports, first, { state: 'queued', attempts: 0, dueInMs: 0 });
    const second = await claim(ports);
    expect(second).toMatchObject({ id: job.id, attempts: 1, task: { attempts: 2 } });
    expect(await settle(ports, first, {})).toBe(false);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'running' });
    expect(await settle(ports, second, {})).toBe(true);
  });

  test('a settlement gets the time of the store', async (ports) => {
    const [record, job] = await queued(ports);
    const claimed = await claim(ports);
    const times: Date[] = [];
    await ports.jobRuns.settle(claimed, async ({ at }) => {
      times.push(at);
      return aSettlement();
    });
    const [at] = times;
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ finishedAt: at });
    expect(at?.getTime()).toBeGreaterThanOrEqual(claimed.startedAt?.getTime() ?? Number.NaN);
  });

  test('a job is settled once, and only by the worker that holds its lease', async (ports) => {
    const [record] = await queued(ports);
    const lost = await claim(ports);
    await ports.passTime(JOB_LEASE_MS);
    const current = await claim(ports);
    const renamed = (name: string): Partial<Settlement> => ({
      write: aRecordWrite(record, { name }),
      activity: [SUCCEEDED],
    });
    expect(await settle(ports, lost, renamed('Lost'))).toBe(false);
    expect(await settle(ports, current, renamed('Current'))).toBe(true);
    expect(await settle(ports, current, renamed('Twice'))).toBe(false);
    expect((await ports.records.find(record)).value).toMatchObject({
      name: 'Current',
      version: record.version + 1,
    });
    expect(await historyOf(ports, record)).toHaveLength(4);
  });

  test('a decision that fails stores nothing, and the job is still running', async (ports) => {
    const [record, job] = await queued(ports);
    const settling = ports.jobRuns.settle(await claim(ports), () => Promise.reject(new Error('cut off')));
    await expect(settling).rejects.toThrow('cut off');
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'running' });
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a settlement is decided on the current record, which is locked until the settlement is stored', async (ports) => {
    const [record] = await queued(ports);
    const job = await claim(ports);
    const before = (await ports.records.save(aRecordWrite(record, { name: 'Meanwhile' }))) ?? record;
    const waiting: Promise<unknown>[] = [];
    await ports.jobRuns.settle(job, async (locked) => {
      expect(locked.record).toEqual(before);
      waiting.push(ports.records.save(aRecordWrite(before, { name: 'Too late' })));
      for (let i = 0; i < 20; i++) await ports.records.find(record);
      return aSettlement({ write: aRecordWrite(before, { enabled: true }) });
    });
    expect(await Promise.all(waiting)).toEqual([null]);
    expect((await ports.records.find(record)).value).toMatchObject({ name: 'Meanwhile', enabled: true });
  });

  test('the revocation of a key waits for a running settlement of its job, and later ones see it', async (ports) => {
    const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
    const record = await aRecord(ports, await aFamily(ports));
    await ports.jobs.queue(aJob(record, { actor: { keyId, label } }), null);
    const job = await claim(ports);
    let isRevoked = false;
    const revoking: Promise<unknown>[] = [];
    await ports.jobRuns.settle(job, async (locked) => {
      revoking.push(ports.keys.revoke(keyId, null, anAuthor()).then(() => (isRevoked = true)));
      for (let i = 0; i < 20; i++) await ports.records.find(record);
      expect([locked.isKeyRevoked, isRevoked]).toEqual([false, false]);
      return aSettlement({ state: 'queued', dueInMs: 0 });
    });
    await Promise.all(revoking);
    const again = await claim(ports);
    await ports.jobRuns.settle(again, async ({ isKeyRevoked }) => {
      expect(isKeyRevoked).toBe(true);
      return aSettlement();
    });
  });

  test('a settlement can read the registration of another plugin', async (ports) => {
    await queued(ports);
    const other = aPlugin({ id: 8 });
    await ports.plugins.register(other, new Map(), anAuthor());
    const plugins: unknown[] = [];
    await ports.jobRuns.settle(await claim(ports), async ({ registration }) => {
      for (const id of [7, 8, 9]) plugins.push((await registration(id)).plugin);
      return aSettlement();
    });
    expect(plugins).toEqual([null, other, null]);
  });
}

async function queued(ports: Ports): Promise<readonly [ConfigRecord, Job]> {
  const record = await aRecord(ports, await aFamily(ports));
  const job = aJob(record);
  await ports.jobs.queue(job, null);
  return [record, job];
}

async function claim(ports: Ports): Promise<RunningJob> {
  const job = await claimJob(ports);
  if (job === null) throw new Error('no job is due');
  return job;
}

function settle({ jobRuns }: Ports, job: RunningJob, given: Partial<Settlement>): Promise<boolean> {
  return jobRuns.settle(job, async () => aSettlement({ attempts: job.attempts, ...given }));
}
