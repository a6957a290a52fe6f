import {
  CHECK_UNCLAIMED_MS,
  CHECKS_KEPT_MS,
  decideOverdue,
  decideResult,
  NEW_JOB,
  type ConfigRecord,
  type FamilyRef,
  type Job,
  type JobResult,
  type LaneFilter,
  type NewCheck,
  type OpenLane,
  type PluginJobEnd,
  type PluginJobRef,
  type TakenJob,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { aRecord, mustStore } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { claimJob } from './claim-job.ts';
import { countersOf, historyOf } from './read-state.ts';

const { uuid } = seededRandomness();
const PLUGIN = 7;
const ANY_KEY = { projectIds: [], pluginIds: [] };
const UNCLAIMED_MS = 3_600_000;
const LEASE_S = 60;
const LEASE_MS = LEASE_S * 1000;
const DONE: JobResult = { instance: 'a', state: 'succeeded', output: { sent: 3 }, error: null, retry: false };
const LATER: JobResult = { ...DONE, state: 'failed', output: null, error: 'Away.', retry: true };

export function pluginJobStoreContract(test: TestWith<Ports>): void {
  test('a queued job is open, and a claim begins it with what was queued', async (ports) => {
    const [record, job] = await queued(ports);
    const { projectId, family } = record;
    const open = [{ projectId, family, plugin: PLUGIN, type: 'replay' }];
    expect([await openLanes(ports), await openLanes(ports, { plugins: [PLUGIN] })]).toEqual([open, open]);
    expect(await openLanes(ports, { plugins: [PLUGIN + 1] })).toEqual([]);
    const [taken] = await claim(ports);
    expect(taken).toMatchObject({
      job: { id: job.id, state: 'running', attempts: 1, instance: 'a', plugin: PLUGIN, type: 'replay' },
      externalId: null,
      pluginSlug: null,
      work: { payload: { n: 0 }, operation: null },
    });
    expect(await ports.jobs.find(record, job.id)).toEqual(taken?.job);
    expect(await openLanes(ports, { key: { projectIds: [projectId] } })).toEqual([]);
    expect(await claimJob(ports)).toBeNull();
  });

  test('the jobs of a record are taken one at a time, in order, beside its changes', async (ports) => {
    const [record, first] = await queued(ports);
    const second = await queue(ports, record, { payload: 2, type: 'other' });
    const third = await queue(ports, record, { payload: 3 });
    const beside = await queue(ports, await aRecord(ports, record), { payload: 4 });
    await ports.jobs.queue(aJob(record, { id: uuid() }), null);
    expect(ids(await claim(ports, { limit: 10 }))).toEqual([first.id, beside.id]);
    expect(await claimJob(ports)).not.toBeNull();
    expect(await claim(ports)).toEqual([]);
    await result(ports, first, DONE);
    expect(ids(await claim(ports, { limit: 10 }))).toEqual([second.id]);
    await result(ports, second, { ...DONE, state: 'failed' });
    expect(ids(await claim(ports))).toEqual([third.id]);
  });

  test('projects take turns', async (ports) => {
    const [one, first] = await queued(ports);
    const again = await queue(ports, await aRecord(ports, one));
    const [, other] = await queued(ports);
    expect(ids(await claim(ports, { limit: 2 })).toSorted()).toEqual([first.id, other.id].toSorted());
    expect(ids(await claim(ports, { limit: 2 }))).toEqual([again.id]);
  });

  test('jobs are found for runtimes of very many plugins and projects', async (ports) => {
    const [{ projectId }, job] = await queued(ports);
    const others = Array.from({ length: 200 }, (_, n) => 1_000_000 + n);
    const plugins = [...others, PLUGIN];
    const key = { ...ANY_KEY, projectIds: [...others, projectId] };
    expect(await openLanes(ports, { plugins, key })).toMatchObject([{ projectId, plugin: PLUGIN }]);
    const many = Array.from(
      { length: 60 },
      () => ({ family: 'plugin_configs', types: [], plugins, key: ANY_KEY }) as const,
    );
    expect(await ports.pluginJobs.open(many)).toMatchObject([{ projectId, plugin: PLUGIN }]);
    expect(ids(await claim(ports, { plugins, key }))).toEqual([job.id]);
  });

  test('projects take turns, however many have jobs that nobody takes, or of many types', async (ports) => {
    for (let n = 0; n < 3; n++) {
      await queue(ports, await aRecord(ports, await aFamily(ports)), { plugin: PLUGIN + 1 });
    }
    const [one, first] = await queued(ports);
    for (const type of ['a', 'b', 'replay']) await queue(ports, await aRecord(ports, one), { type });
    const [, other] = await queued(ports);
    const plugins = [PLUGIN];
    const taken = [...(await claim(ports, { plugins })), ...(await claim(ports, { plugins }))];
    expect(new Set(taken.map(({ job }) => job.record.projectId)).size).toBe(2);
    while (taken.length < 5) taken.push(...(await claim(ports, { plugins })));
    expect(ids(taken)).toEqual(expect.arrayContaining([first.id, other.id]));
    expect(await claim(ports, { plugins })).toEqual([]);
  });

  test('of very many types, each is found by turns, and the few of another plugin always', async (ports) => {
    const types = Array.from({ length: 100 }, (_, n) => `t${n}`);
    const family = await aFamily(ports);
    for (const type of types) await queue(ports, await aRecord(ports, family), { type, plugin: PLUGIN + 1 });
    await queue(ports, await aRecord(ports, family));
    const key = { projectIds: [family.projectId] };
    expect(await openLanes(ports, { key })).toHaveLength(101);
    const found = new Set<string>();
    for (let times = 0; times < 3; times++) {
      for (const { type } of await openLanes(ports)) found.add(type);
      expect(await openLanes(ports, { plugins: [PLUGIN] })).toMatchObject([{ type: 'replay' }]);
    }
    expect(found).toEqual(new Set([...types, 'replay']));
  });

  test('a result is stored once, with its output and an entry in the history', async (ports) => {
    const [record, job] = await queued(ports);
    const before = await countersOf(ports, record);
    const [taken] = await claim(ports);
    expect(await result(ports, job, DONE)).toMatchObject({ state: 'succeeded' });
    const ended = await ports.jobs.find(record, job.id);
    expect(ended).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      error: null,
      finishedAt: expect.any(Date),
    });
    expect(await ports.pluginJobs.output(taken?.job as TakenJob['job'])).toEqual({ sent: 3 });
    expect((await historyOf(ports, record)).map(({ activity }) => activity)).toEqual([
      'job_succeeded',
      'job_queued',
      'created',
    ]);
    const after = await countersOf(ports, record);
    expect([after.familyVersion > before.familyVersion, after.listVersion]).toEqual([
      true,
      before.listVersion,
    ]);
    expect(await result(ports, job, DONE)).toBeNull();
    for (const other of [{ ...DONE, output: 1 }, LATER, { ...DONE, instance: 'b' }]) {
      await expect(result(ports, job, other)).rejects.toMatchObject({ code: 'lease_lost' });
    }
    expect(await ports.jobs.find(record, job.id)).toEqual(ended);
    expect((await ports.tasks.backlog()).plugin_job).toEqual({ due: 0, running: 0 });
  });

  test('a job that is tried again waits, and holds the place of its record', async (ports) => {
    const [record, job] = await queued(ports);
    const next = await queue(ports, record);
    await claim(ports);
    expect(await result(ports, job, LATER)).toMatchObject({ state: 'queued', dueInMs: 1000 });
    expect(await result(ports, job, LATER)).toBeNull();
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', error: 'Away.' });
    expect(await claim(ports)).toEqual([]);
    await ports.passTime(1000);
    await ports.tasks.wake();
    expect(await claim(ports, { instance: 'b' })).toMatchObject([{ job: { id: job.id, attempts: 2 } }]);
    await expect(result(ports, job, DONE)).rejects.toMatchObject({ code: 'lease_lost' });
    await result(ports, job, { ...DONE, instance: 'b' });
    expect(ids(await claim(ports))).toEqual([next.id]);
  });

  test('a lease that is over gives the job to others, but the last result counts until one has it', async (ports) => {
    const [record, job] = await queued(ports);
    await claim(ports);
    expect(await overdue(ports)).toEqual([]);
    await ports.passTime(LEASE_MS);
    expect(await overdue(ports)).toEqual([job.id]);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', attempts: 1 });
    expect(await overdue(ports)).toEqual([]);
    const ref = await refOf(ports, job);
    expect(await ports.pluginJobs.renew(ref, RENEWAL)).toBeNull();
    expect(await result(ports, job, DONE)).toMatchObject({ state: 'succeeded' });
    await ports.passTime(LEASE_MS);
    await ports.tasks.wake();
    expect(await claim(ports)).toEqual([]);
  });

  test('a job fails after five attempts without a result', async (ports) => {
    const [record, job] = await queued(ports);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await ports.passTime(UNCLAIMED_MS / 2);
      await ports.tasks.wake();
      expect(await claim(ports)).toMatchObject([{ job: { attempts: attempt } }]);
      await ports.passTime(LEASE_MS);
      expect(await overdue(ports)).toEqual([job.id]);
    }
    const error = 'The runtime did not end the job in time.';
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'failed', attempts: 5, error });
    expect((await historyOf(ports, record))[0]?.activity).toBe('job_failed');
  });

  test('a lease is renewed, with progress, but not beyond the time of the job', async (ports) => {
    const [record, job] = await queued(ports);
    const [taken] = await claim(ports);
    const ref = await refOf(ports, job);
    const renewed = await ports.pluginJobs.renew(ref, { ...RENEWAL, leaseSeconds: 600, progress: 0.5 });
    const startedAt = taken?.job.startedAt?.getTime() ?? 0;
    expect(renewed).toEqual({ cancelled: false, leaseExpiresAt: new Date(startedAt + 120_000) });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ progress: 0.5, message: 'Half' });
    expect(await ports.pluginJobs.renew(ref, { ...RENEWAL, instance: 'b' })).toBeNull();
    await ports.passTime(120_000);
    expect(await ports.pluginJobs.renew(ref, RENEWAL)).toBeNull();
  });

  test('a job that nobody takes in time fails, but not while it waits for another', async (ports) => {
    const [record, job] = await queued(ports);
    const next = await queue(ports, record);
    await ports.passTime(UNCLAIMED_MS);
    expect(await overdue(ports)).toEqual([job.id]);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'failed',
      error: 'No runtime took the job.',
    });
    expect(ids(await claim(ports))).toEqual([next.id]);
  });

  test('a queued job is cancelled; a runtime that has one is asked to stop', async (ports) => {
    const [record, job] = await queued(ports);
    const [second, third] = [await queue(ports, record), await queue(ports, record)];
    expect(await ports.jobs.cancel(record, second.id, AUTHOR)).toBe('queued');
    expect(await ports.jobs.cancel(record, job.id, AUTHOR)).toBe('queued');
    expect(ids(await claim(ports))).toEqual([third.id]);
    for (let times = 0; times < 2; times++) {
      expect(await ports.jobs.cancel(record, third.id, AUTHOR)).toBe('cancelling');
    }
    const ref = await refOf(ports, third);
    expect(await ports.pluginJobs.renew(ref, RENEWAL)).toMatchObject({ cancelled: true });
    await ports.passTime(LEASE_MS);
    expect(await overdue(ports)).toEqual([third.id]);
    expect(await ports.jobs.find(record, third.id)).toMatchObject({ state: 'cancelled' });
    expect(await ports.jobs.cancel(record, third.id, AUTHOR)).toBe('cancelled');
  });

  test('the jobs of a deleted record end, and those of one with another plugin', async (ports) => {
    const [record, job] = await queued(ports);
    const next = await queue(ports, record);
    await claim(ports);
    await save(ports, record, { deleted: true });
    expect(await claim(ports)).toEqual([]);
    expect([await overdue(ports), await overdue(ports), await overdue(ports)]).toEqual([
      [job.id],
      [next.id],
      [],
    ]);
    for (const { id } of [job, next]) {
      expect(await ports.jobs.find(record, id)).toMatchObject({
        state: 'failed',
        error: 'The record was deleted.',
      });
    }
    const [moved, other] = await queued(ports);
    await save(ports, moved, { plugin: 8 });
    expect(await claim(ports)).toEqual([]);
    expect(await overdue(ports)).toEqual([other.id]);
    expect(await ports.jobs.find(moved, other.id)).toMatchObject({
      error: 'The record has another plugin now.',
    });
  });

  for (const change of [{ deleted: true }, { plugin: PLUGIN + 1 }]) {
    const name = JSON.stringify(change);
    test(`a runtime that has a job of a record loses it by the change ${name}`, async (ports) => {
      const [record, job] = await queued(ports);
      await claim(ports);
      await save(ports, record, change);
      await expect(result(ports, job, DONE)).rejects.toMatchObject({ code: 'lease_lost' });
      expect(await ports.pluginJobs.renew(await refOf(ports, job), RENEWAL)).toBeNull();
    });
  }

  test('a revoked key takes nothing, and the jobs of a deleted project are gone', async (ports) => {
    const [record] = await queued(ports);
    await claim(ports);
    await queue(ports, await aRecord(ports, record));
    await ports.passTime(LEASE_MS);
    const { id } = await ports.keys.add(anApiKey(), anAuthor());
    await ports.keys.revoke(id, null, anAuthor());
    expect(await claim(ports, { keyId: id })).toEqual([]);
    const open = await openLanes(ports);
    await ports.erasures.start(record.projectId, 'Project', anAuthor());
    expect(await openLanes(ports, { key: { projectIds: [record.projectId] } })).toEqual([]);
    expect(await take(ports, open)).toEqual([]);
    expect(await overdue(ports)).toEqual([]);
  });

  test('a job is found by keys that can take it', async (ports) => {
    const [{ projectId, family, id: recordId }, job] = await queued(ports);
    const found = { id: job.id, projectId, family, recordId, plugin: PLUGIN, taskId: expect.any(Number) };
    const find = (key: Partial<typeof ANY_KEY>, of: typeof family = family) =>
      ports.pluginJobs.find(of, job.id, { ...ANY_KEY, ...key });
    expect([
      await find({}),
      await find({ projectIds: [projectId] as never, pluginIds: [7] as never }),
    ]).toEqual([found, found]);
    expect(await find({ projectIds: [projectId + 1] as never })).toBeNull();
    expect(await find({ pluginIds: [8] as never })).toBeNull();
    expect(await find({}, 'pipeline_transformation_configs')).toBeNull();
    expect(await ports.pluginJobs.find(family, 'x', ANY_KEY)).toBeNull();
  });

  test('a check fails soon if no runtime takes it, and is not tried again', async (ports) => {
    const family = await aFamily(ports);
    const [taken, waiting] = [aCheck(family), aCheck(family)];
    for (const check of [taken, waiting]) await ports.pluginJobs.queueCheck(check);
    await claim(ports, { limit: 1 });
    expect(await overdue(ports)).toEqual([]);
    await ports.passTime(CHECK_UNCLAIMED_MS);
    expect((await overdue(ports)).toSorted()).toEqual([taken.id, waiting.id].toSorted());
    for (const [check, error] of [
      [taken, 'The runtime did not end the job in time.'],
      [waiting, 'No runtime took the job.'],
    ] as const) {
      expect(await ports.pluginJobs.findCheck(family, check.id)).toMatchObject({ state: 'failed', error });
    }
    const third = aCheck(family);
    await ports.pluginJobs.queueCheck(third);
    await claim(ports);
    await result(ports, third, { ...DONE, state: 'failed', error: 'Away.', retry: true });
    expect(await ports.pluginJobs.findCheck(family, third.id)).toMatchObject({ state: 'failed' });
  });

  test('a check has a configuration and a result, but no record', async (ports) => {
    const family = await aFamily(ports);
    const [check, second] = [aCheck(family), aCheck(family)];
    await ports.pluginJobs.queueCheck(check);
    await ports.pluginJobs.queueCheck(second);
    const taken = await claim(ports, { limit: 10 });
    expect(taken.map(({ job, work }) => [job.id, work])).toEqual([
      [check.id, check.work],
      [second.id, check.work],
    ]);
    const before = await countersOf(ports, family);
    await result(ports, check, { ...DONE, output: { ok: true } });
    expect(await ports.pluginJobs.findCheck(family, check.id)).toMatchObject({
      state: 'succeeded',
      output: { ok: true },
    });
    expect((await countersOf(ports, family)).familyVersion).toBeGreaterThan(before.familyVersion);
    const other = { ...family, family: 'pipeline_transformation_configs' } as const;
    expect(await ports.pluginJobs.findCheck(other, check.id)).toBeNull();
    const drop = async (): Promise<void> => {
      for await (const _ of ports.retention.checks(CHECKS_KEPT_MS));
    };
    await drop();
    expect(await ports.pluginJobs.findCheck(family, check.id)).not.toBeNull();
    await ports.passTime(CHECKS_KEPT_MS);
    await drop();
    expect(await ports.pluginJobs.findCheck(family, check.id)).toBeNull();
    expect(await ports.pluginJobs.findCheck(family, second.id)).not.toBeNull();
  });
}

const AUTHOR = anAuthor({ at: secondsLater(60) });
const RENEWAL = { instance: 'a', leaseSeconds: LEASE_S, progress: null, message: 'Half' };

const aCheck = (family: FamilyRef): NewCheck => ({
  ...NEW_JOB,
  id: uuid(),
  family,
  actor: AUTHOR.actor,
  requestId: null,
  createdAt: MOMENT,
  plugin: PLUGIN,
  type: 'check',
  timeoutSeconds: 60,
  work: { config: { token: 'hunter2' } },
});

async function queued(ports: Ports): Promise<readonly [ConfigRecord, Job]> {
  const record = await aRecord(ports, await aFamily(ports));
  return [record, await queue(ports, record, { payload: { n: 0 } })];
}

async function queue(
  ports: Ports,
  record: ConfigRecord,
  {
    payload = null,
    type = 'replay',
    plugin = PLUGIN,
  }: { readonly payload?: unknown; readonly type?: string; readonly plugin?: number } = {},
): Promise<Job> {
  const work = { payload, operation: null } as Job['work'];
  const job = aJob(record, { id: uuid(), work, plugin, type, timeoutSeconds: 120 });
  await ports.jobs.queue(job, null);
  return job;
}

interface Claiming extends Partial<LaneFilter> {
  readonly limit?: number;
  readonly instance?: string;
  readonly keyId?: number;
}

async function openLanes(
  { pluginJobs }: Ports,
  { plugins = [], key = ANY_KEY }: Partial<LaneFilter> = {},
): Promise<readonly OpenLane[]> {
  return pluginJobs.open([{ family: 'plugin_configs', plugins, types: [], key }]);
}

async function claim(ports: Ports, claiming: Claiming = {}): Promise<readonly TakenJob[]> {
  return take(ports, await openLanes(ports, claiming), claiming);
}

async function take(
  ports: Ports,
  lanes: readonly OpenLane[],
  { limit = 1, instance = 'a', keyId }: Claiming = {},
): Promise<readonly TakenJob[]> {
  const key =
    keyId ?? (await ports.keys.add(anApiKey({ hash: uuid().replaceAll('-', '').repeat(2) }), AUTHOR)).id;
  return ports.pluginJobs.claim({ keyId: key, instance, lanes, limit, leaseSeconds: LEASE_S });
}

async function refOf(ports: Ports, { id }: Pick<Job, 'id'>): Promise<PluginJobRef> {
  const found = await ports.pluginJobs.find('plugin_configs', id, ANY_KEY);
  if (found === null) throw new Error('There is no such job.');
  return found;
}

async function result(ports: Ports, job: Pick<Job, 'id'>, sent: JobResult): Promise<PluginJobEnd | null> {
  const ref = await refOf(ports, job);
  return ports.pluginJobs.settle(ref, UNCLAIMED_MS, (locked) => decideResult(locked, sent));
}

/** Ends what is overdue, and returns the ids. */
async function overdue({ pluginJobs }: Ports): Promise<readonly string[]> {
  const found = await pluginJobs.overdue(UNCLAIMED_MS);
  for (const ref of found) await pluginJobs.settle(ref, UNCLAIMED_MS, decideOverdue);
  return found.map(({ id }) => id);
}

const ids = (taken: readonly TakenJob[]): readonly string[] => taken.map(({ job }) => job.id);

async function save(ports: Ports, before: ConfigRecord, change: Partial<ConfigRecord>): Promise<void> {
  await mustStore(ports.records.save(aRecordWrite(before, change)));
}
