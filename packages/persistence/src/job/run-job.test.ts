import { randomUUID } from 'node:crypto';
import {
  DomainError,
  MASK,
  queueJob,
  runJob,
  type Author,
  type ConfigRecord,
  type JobRunStore,
  type QueuedJob,
  type RecordChange,
  type RunningJob,
} from '@plugin-config/domain';
import {
  aFamily,
  aJob,
  anApiKey,
  anAuthor,
  aPlugin,
  aRecord,
  aRecordWrite,
  historyOf,
  claimJob,
  JOB_LEASE_MS,
  seededRandomness,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const KEY_REVOKED = { state: 'failed', attempts: 1, error: 'The API key that queued the job was revoked.' };

const test = testWithPorts();

describe('running a job', () => {
  test('the author of a job is the author of its change', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { id: keyId, label } = await ports.keys.add(anApiKey({ label: 'Queuer' }), anAuthor());
    const author = anAuthor({ actor: { keyId, label }, requestId: 'queue' });
    const { jobId } = await queue(ports, record, { enabled: true, name: 'By the job' }, author);
    await runNext(ports);
    expect((await ports.records.find(record)).value).toMatchObject({ enabled: true, name: 'By the job' });
    const done = await ports.jobs.find(record, jobId);
    expect(done).toMatchObject({ state: 'succeeded', error: null });
    const expected = { actor: author.actor, requestId: 'queue', at: done?.finishedAt };
    expect(await historyOf(ports, record)).toMatchObject([
      { ...expected, activity: 'job_succeeded', changes: [] },
      { ...expected, activity: 'enabled' },
      { activity: 'job_queued' },
      { activity: 'created' },
    ]);
    const { items } = await ports.revisions.page(record, { limit: 9, offset: 0 });
    expect(items).toMatchObject([
      { number: 2, name: 'By the job', actor: author.actor, requestId: 'queue', at: done?.finishedAt },
      { number: 1, name: record.name },
    ]);
  });

  test('no job changes its record after its key has been revoked', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 60 }, () => aRecord(ports, family)));
    const author = await aQueuer(ports);
    for (const record of records) await queue(ports, record, { name: 'By the job' }, author);
    const changed = async (): Promise<number> => {
      const found = await Promise.all(records.map((record) => ports.records.find(record)));
      return found.filter(({ value }) => value?.name === 'By the job').length;
    };
    const workers = Array.from({ length: 4 }, async () => {
      while (await runNext(ports));
    });
    while ((await changed()) < 5);
    await ports.keys.revoke(author.actor.keyId ?? 0, null, anAuthor());
    const before = await changed();
    await Promise.all(workers);
    expect(await changed()).toBe(before);
  });

  test('the jobs of a record take effect in the order in which they were queued', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const names = Array.from({ length: 60 }, (_, i) => `${i}`);
    for (const name of names) await queue(ports, record, { name });
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while ((await ports.tasks.backlog()).job.due > 0) await runNext(ports);
      }),
    );
    const changes = (await historyOf(ports, record)).filter(({ activity }) => activity === 'updated');
    const stored = changes.map((entry) => entry.changes.find(({ field }) => field === 'name')?.after);
    expect(stored.toReversed()).toEqual(names);
  });

  test('a job that changes nothing succeeds and reports no change', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, {});
    await runNext(ports);
    expect((await ports.records.find(record)).value).toEqual(record);
    const activities = (await historyOf(ports, record)).map(({ activity }) => activity);
    expect(activities).toEqual(['job_succeeded', 'job_queued', 'created']);
  });

  test('a job that is invalid for the state of the record fails at once and is not retried', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { jobId } = await queue(ports, record, { enabled: true });
    const deleted = await ports.records.save(aRecordWrite(record, { deleted: true }));
    await runNext(ports);
    expect(await ports.jobs.find(record, jobId)).toMatchObject({ state: 'failed', attempts: 1 });
    expect((await ports.records.find(record)).value).toEqual(deleted);
    expect((await historyOf(ports, record))[0]).toMatchObject({ activity: 'job_failed' });
    expect((await ports.tasks.backlog()).job).toEqual({ due: 0, running: 0 });
  });

  test('a job that enables a record names the entries that its plugin rejects, up to a hundred', async (ports) => {
    const fields = Array.from(
      { length: 150 },
      (_, i) => ({ key: `f${i}`, type: 'string', required: true }) as const,
    );
    await ports.plugins.register(aPlugin({ id: 8, configSchema: fields.slice(0, 2) }), new Map(), anAuthor());
    await ports.plugins.register(aPlugin({ id: 9, configSchema: fields }), new Map(), anAuthor());
    const errorOf = async (plugin: number) => {
      const record = await aRecord(ports, await aFamily(ports), { plugin });
      const { jobId } = await queue(ports, record, { enabled: true });
      await runNext(ports);
      return (await ports.jobs.find(record, jobId))?.error;
    };
    expect(await errorOf(8)).toBe('f0: This field is required. f1: This field is required.');
    expect(await errorOf(9)).toMatch(/^(f\d+: This field is required\. ?){100}$/);
  });

  test('a job whose key was revoked fails, even if its change would be rejected', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    for (const fields of [{ name: 'By the job' }, { name: 'x'.repeat(401) }]) {
      const author = await aQueuer(ports);
      const job = aJob(record, { id: randomUUID(), actor: author.actor, work: fields });
      await ports.jobs.queue(job, null);
      await ports.keys.revoke(author.actor.keyId ?? 0, null, anAuthor());
      await runNext(ports);
      expect(await ports.jobs.find(record, job.id)).toMatchObject(KEY_REVOKED);
      expect((await historyOf(ports, record))[0]).toMatchObject({ activity: 'job_failed', changes: [] });
    }
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('a temporary error is retried with exponential backoff, and the job fails after five attempts', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { jobId } = await queue(ports, record, { plugin: 8 });
    const away = failing(ports, () => new DomainError('unavailable', 'nul \0, half \ud800'));
    for (const [attempts, seconds] of [0, 1, 4, 16, 64].entries()) {
      expect(await ports.jobs.find(record, jobId)).toMatchObject({ state: 'queued', attempts });
      if (seconds > 0) expect(await runNext(ports, away)).toBe(false);
      await ports.passTime(seconds * 1000);
      expect(await runNext(ports, away)).toBe(true);
    }
    const failed = { state: 'failed', attempts: 5, error: 'nul \ufffd, half \ufffd' };
    expect(await ports.jobs.find(record, jobId)).toMatchObject(failed);
    const activities = (await historyOf(ports, record)).map(({ activity }) => activity);
    expect(activities).toEqual(['job_failed', 'job_queued', 'created']);
  });

  test('a job that cannot be decrypted waits for the key, and uses no attempt', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { jobId } = await queue(ports, record, { name: 'By the job' });
    const keyMissing = new DomainError('key_missing', 'The key "k0" is missing.');
    for (const seconds of [0, 5, 10, 20, 40, 80, 160, 300, 300]) {
      if (seconds > 0) expect(await claimJob(ports)).toBeNull();
      await ports.passTime(seconds * 1000);
      const running = (await claimJob(ports)) as RunningJob;
      await runJob({ jobRuns: ports.jobRuns, requireRegistered: false }, { ...running, change: keyMissing });
      const waiting = { state: 'queued', attempts: 0, error: keyMissing.message };
      expect(await ports.jobs.find(record, jobId)).toMatchObject(waiting);
    }
    await ports.passTime(300_000);
    await runNext(ports);
    expect(await ports.jobs.find(record, jobId)).toMatchObject({ state: 'succeeded', attempts: 1 });
  });

  test('a job that loses its worker in five attempts fails without a sixth', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { jobId } = await queue(ports, record, { name: 'Sixth' });
    for (let attempts = 0; attempts < 5; attempts++) {
      await claimJob(ports);
      await ports.passTime(JOB_LEASE_MS);
    }
    await runNext(ports);
    const error = 'The worker stopped during the last attempt.';
    expect(await ports.jobs.find(record, jobId)).toMatchObject({ state: 'failed', attempts: 5, error });
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('a job that attaches another plugin masks the secrets of that plugin', async (ports) => {
    const secret = aPlugin({ id: 8, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(secret, new Map(), anAuthor());
    const created = await aRecord(ports, await aFamily(ports));
    const config = '{"host":"a","token":"hunter2"}';
    const record = (await ports.records.save(aRecordWrite(created, { config }))) ?? created;
    await queue(ports, record, { plugin: 8 });
    await runNext(ports);
    const stored = await ports.configurationValues.of(record);
    expect(stored?.record).toMatchObject({ plugin: 8, config: `{"host":"a","token":"${MASK}"}` });
    expect(stored?.values).toBe(config);
    expect(JSON.stringify(await historyOf(ports, record))).not.toContain('hunter2');
  });
});

/** Returns an author with a new key. */
async function aQueuer({ keys }: Ports): Promise<Author> {
  const hash = randomUUID().replaceAll('-', '').padStart(64, '0');
  const { id: keyId, label } = await keys.add(anApiKey({ label: 'Queuer', hash }), anAuthor());
  return anAuthor({ actor: { keyId, label } });
}

function queue(
  { jobs }: Ports,
  record: ConfigRecord,
  change: RecordChange,
  author = anAuthor(),
): Promise<QueuedJob> {
  return queueJob(
    { jobs, randomness: { ...seededRandomness(), uuid: randomUUID } },
    { record, precondition: null, job: { type: null, work: change }, author },
  );
}

/** Runs the next due job, if there is one. */
async function runNext(ports: Ports, around: Partial<Pick<JobRunStore, 'settle'>> = {}): Promise<boolean> {
  const job = await claimJob(ports);
  if (job !== null) await runJob({ jobRuns: { ...ports.jobRuns, ...around }, requireRegistered: false }, job);
  return job !== null;
}

/** Makes reading another registration fail, on which an attempt depends. */
function failing({ jobRuns }: Ports, error: () => Error): Pick<JobRunStore, 'settle'> {
  const registration = () => Promise.reject(error());
  return { settle: (job, decide) => jobRuns.settle(job, (locked) => decide({ ...locked, registration })) };
}
