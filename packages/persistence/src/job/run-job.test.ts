import { randomUUID } from 'node:crypto';
import {
  DomainError,
  handlerRuns,
  MASK,
  PutBack,
  queueJob,
  runJob,
  type Author,
  type ConfigRecord,
  type ConfigurationValues,
  type Job,
  type JobEffect,
  type JobHandler,
  type JobRun,
  type JobWork,
} from '@plugin-config/domain';
import type { Interruption } from '@plugin-config/flow';
import {
  aFamily,
  anApiKey,
  anAuthor,
  anInterruption,
  aPlugin,
  aRecord,
  aRecordWrite,
  historyOf,
  linesOf,
  seededRandomness,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const EXPORT = { type: 'export', payload: { since: 1 }, operation: 'start' };
const TASK: JobWork = { kind: 'task', task: EXPORT };
const KEY_REVOKED = { state: 'failed', attempts: 1, error: 'The API key that queued the job was revoked.' };
const CLAIM = { leaseMs: 60_000, except: [] };

const test = testWithPorts();

describe('running a job', () => {
  test('the author of a job is the author of its change', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { id: keyId, label } = await ports.keys.add(anApiKey({ label: 'Queuer' }), anAuthor());
    const author = anAuthor({ actor: { keyId, label }, requestId: 'queue' });
    const job = await queue(ports, record, change({ enabled: true, name: 'By the job' }), author);
    await runNext(ports);
    expect((await ports.records.find(record)).value).toMatchObject({ enabled: true, name: 'By the job' });
    const done = await ports.jobs.find(record, job.id);
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

  test('a job whose key was revoked before it runs fails, and its handler does not run', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    for (const work of [change({ name: 'By the job' }), TASK]) {
      const author = await aQueuer(ports);
      const job = await queue(ports, record, work, author);
      await ports.keys.revoke(author.actor.keyId ?? 0, null, anAuthor());
      const run = async (): Promise<never> => expect.fail('The handler runs.');
      await runNext(ports, { handlers: [{ type: 'export', run }] });
      expect(await ports.jobs.find(record, job.id)).toMatchObject(KEY_REVOKED);
      expect((await historyOf(ports, record))[0]).toMatchObject({ activity: 'job_failed', changes: [] });
    }
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('a job whose key is revoked while it runs fails, and changes nothing', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    for (const outcome of [
      async () => ({ change: { name: 'Late' } }),
      () => Promise.reject(new Error('no')),
    ]) {
      const author = await aQueuer(ports);
      const job = await queue(ports, record, TASK, author);
      const run: JobHandler['run'] = async () => {
        await ports.keys.revoke(author.actor.keyId ?? 0, null, anAuthor());
        return outcome();
      };
      await runNext(ports, { handlers: [{ type: 'export', run }] });
      expect(await ports.jobs.find(record, job.id)).toMatchObject(KEY_REVOKED);
    }
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('no job changes its record after its key has been revoked', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 60 }, () => aRecord(ports, family)));
    const author = await aQueuer(ports);
    for (const record of records) await queue(ports, record, change({ name: 'By the job' }), author);
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
    for (const name of names) await queue(ports, record, change({ name }));
    const { runs } = ports;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while ((await runs.backlog()).queued > 0) await runNext(ports);
      }),
    );
    const changes = (await historyOf(ports, record)).filter(({ activity }) => activity === 'updated');
    const stored = changes.map((entry) => entry.changes.find(({ field }) => field === 'name')?.after);
    expect(stored.toReversed()).toEqual(names);
  });

  test('a job that changes nothing succeeds and reports no change', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, change({}));
    await runNext(ports);
    expect((await ports.records.find(record)).value).toEqual(record);
    const activities = (await historyOf(ports, record)).map(({ activity }) => activity);
    expect(activities).toEqual(['job_succeeded', 'job_queued', 'created']);
  });

  test('a job that is invalid for the state of the record fails at once and is not retried', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, change({ enabled: true }));
    const deleted = await ports.records.save(aRecordWrite(record, { deleted: true }));
    await runNext(ports);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'failed', attempts: 1 });
    expect((await ports.records.find(record)).value).toEqual(deleted);
    expect((await historyOf(ports, record))[0]).toMatchObject({ activity: 'job_failed' });
    expect(await ports.runs.backlog()).toMatchObject({ queued: 0, running: 0 });
  });

  test('the handler of the plugin gets the record and its decrypted configuration', async (ports) => {
    const secret = aPlugin({ configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(secret, new Map(), anAuthor());
    const created = await aRecord(ports, await aFamily(ports));
    const configuration = { host: 'a', token: 'hunter2' };
    const config = `{"host":"a","token":"${MASK}"}`;
    const write = aRecordWrite(created, { config }, { values: JSON.stringify(configuration) });
    const record = (await ports.records.save(write)) ?? created;
    const job = await queue(ports, record, TASK);
    const runs: JobRun[] = [];
    const handler: JobHandler = {
      type: 'export',
      run: async (run) => {
        runs.push(run);
        return { change: { name: 'Exported' }, lines: [{ type: 'DEBUG', message: 'Halfway' }] };
      },
    };
    await runNext(ports, { handlers: [{ ...handler, type: 'import' }, handler] });
    expect(runs).toMatchObject([{ job: { id: job.id }, task: EXPORT, record, configuration }]);
    expect((await ports.records.find(record)).value).toMatchObject({ name: 'Exported', config });
    expect(await linesOf(ports, record)).toEqual([
      { type: 'INFO', message: 'Job started: export (attempt 1)' },
      { type: 'DEBUG', message: 'Halfway' },
      { type: 'INFO', message: 'Job succeeded' },
    ]);
  });

  test('a temporary error is retried with exponential backoff, and the job fails after five attempts', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    const handlers = [failing(() => new Error('no connection'))];
    for (const [attempts, seconds] of [0, 1, 4, 16, 64].entries()) {
      expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', attempts });
      if (seconds > 0) expect(await runNext(ports, { handlers })).toBe(false);
      await ports.passTime(seconds * 1000);
      expect(await runNext(ports, { handlers })).toBe(true);
    }
    const failed = { state: 'failed', attempts: 5, error: 'no connection' };
    expect(await ports.jobs.find(record, job.id)).toMatchObject(failed);
    const activities = (await historyOf(ports, record)).map(({ activity }) => activity);
    expect(activities).toEqual(['job_failed', 'job_queued', 'created']);
    const types = (await linesOf(ports, record)).map(({ type }) => type);
    expect(types).toEqual(['INFO', 'WARN', 'INFO', 'WARN', 'INFO', 'WARN', 'INFO', 'WARN', 'INFO', 'ERROR']);
  });

  test('an attempt fails if its handler times out, and a later result is ignored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    const [time, late] = [anInterruption(), Promise.withResolvers<JobEffect>()];
    const run: JobHandler['run'] = () => {
      time.abort(new Error('The handler did not end within 30 s.'));
      return late.promise;
    };
    await runNext(ports, { handlers: [{ type: 'export', run }], signal: time.signal });
    late.resolve({ change: { name: 'Too late' } });
    const error = 'The handler did not end within 30 s.';
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', attempts: 1, error });
    expect((await ports.records.find(record)).value).toEqual(record);
    expect((await linesOf(ports, record)).at(-1)).toEqual({
      type: 'WARN',
      message: `Job failed, retrying in 1 s: ${error}`,
    });
  });

  test('a job whose worker stops is retried at once, and the attempt is not counted', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    const stop = anInterruption();
    const run: JobHandler['run'] = () => {
      stop.abort(new PutBack('The worker stops.', { atOnce: true }));
      return Promise.withResolvers<JobEffect>().promise;
    };
    await runNext(ports, { handlers: [{ type: 'export', run }], signal: stop.signal });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', attempts: 0 });
    expect((await linesOf(ports, record)).at(-1)).toEqual({
      type: 'WARN',
      message: 'Job put back, retrying immediately: The worker stops.',
    });
    const handler: JobHandler = { type: 'export', run: async () => ({ change: { name: 'Exported' } }) };
    await runNext(ports, { handlers: [handler] });
    expect((await ports.records.find(record)).value).toMatchObject({ name: 'Exported' });
  });

  test('a job that cannot be attempted waits with exponential backoff', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    const handlers = [failing(() => new PutBack('Not now.'))];
    for (const seconds of [0, 5, 10, 20, 40, 80, 160, 300, 300]) {
      if (seconds > 0) expect(await runNext(ports, { handlers })).toBe(false);
      await ports.passTime(seconds * 1000);
      expect(await runNext(ports, { handlers })).toBe(true);
      const waiting = { state: 'queued', attempts: 0, error: 'Not now.' };
      expect(await ports.jobs.find(record, job.id)).toMatchObject(waiting);
    }
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a job whose configuration cannot be decrypted waits for the key and uses no attempt', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const config = '{"host":"a"}';
    await ports.records.save(aRecordWrite(record, { config }));
    const keyMissing = async () => {
      throw new DomainError('key_missing', 'The key "k0" is missing.');
    };
    const job = await queue(ports, record, TASK);
    const seen: unknown[] = [];
    const handler: JobHandler = {
      type: 'export',
      run: async ({ configuration }) => {
        seen.push(configuration);
        return {};
      },
    };
    for (const seconds of [0, 5, 10, 20, 40, 80]) {
      await ports.passTime(seconds * 1000);
      await runNext(ports, { handlers: [handler], configurationValues: { of: keyMissing } });
      const waiting = { state: 'queued', attempts: 0, error: expect.stringContaining('The key "k0"') };
      expect(await ports.jobs.find(record, job.id)).toMatchObject(waiting);
    }
    await ports.passTime(300_000);
    await runNext(ports, { handlers: [handler] });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(seen).toEqual([{ host: 'a' }]);
  });

  test('a task waits for a worker that has its handler', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    await runNext(ports);
    const error = 'No handler is registered for jobs of type "export".';
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', error });
  });

  test('a job does not fail because the store is briefly unavailable', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    await runNext(ports, { handlers: [failing(() => new DomainError('unavailable', 'Away.'))] });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'queued', error: 'Away.' });
  });

  test('the stored error contains only characters that the store accepts', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    await runNext(ports, { handlers: [failing(() => new Error('nul \0, half \ud800'))] });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ error: 'nul \ufffd, half \ufffd' });
  });

  test('a job that was claimed again only takes effect through its new worker', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, change({ name: 'Once' }));
    const slow = await ports.runs.claim(CLAIM);
    await ports.passTime(CLAIM.leaseMs);
    await runNext(ports);
    if (slow !== null) await runJob(dependenciesOf(ports, []), slow, anInterruption().signal);
    const activities = (await historyOf(ports, record)).map(({ activity }) => activity);
    expect(activities).toEqual(['job_succeeded', 'updated', 'job_queued', 'created']);
  });

  test('a job that loses its worker in five attempts fails without a sixth', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    for (let attempts = 0; attempts < 5; attempts++) {
      await ports.runs.claim(CLAIM);
      await ports.passTime(CLAIM.leaseMs);
    }
    let runs = 0;
    const handler: JobHandler = { type: 'export', run: async () => ({ change: { name: `${++runs}` } }) };
    await runNext(ports, { handlers: [handler] });
    expect(runs).toBe(0);
    expect(await ports.jobs.find(record, job.id)).toMatchObject({
      state: 'failed',
      attempts: 5,
      error: 'The worker stopped during the last attempt.',
    });
    expect((await ports.records.find(record)).value).toEqual(record);
    expect(
      (await linesOf(ports, record)).filter(({ message }) => message.startsWith('Job started')),
    ).toHaveLength(5);
  });

  test('a job that attaches another plugin masks the secrets of that plugin', async (ports) => {
    const secret = aPlugin({ id: 8, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(secret, new Map(), anAuthor());
    const created = await aRecord(ports, await aFamily(ports));
    const config = '{"host":"a","token":"hunter2"}';
    const record = (await ports.records.save(aRecordWrite(created, { config }))) ?? created;
    await queue(ports, record, change({ plugin: 8 }));
    await runNext(ports);
    const stored = await ports.configurationValues.of(record);
    expect(stored?.record).toMatchObject({ plugin: 8, config: `{"host":"a","token":"${MASK}"}` });
    expect(stored?.values).toBe(config);
    expect(JSON.stringify(await historyOf(ports, record))).not.toContain('hunter2');
  });

  test('a handler may attach another plugin', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, TASK);
    const handler: JobHandler = { type: 'export', run: async () => ({ change: { plugin: 9, order: 4 } }) };
    await runNext(ports, { handlers: [handler] });
    expect((await ports.records.find(record)).value).toMatchObject({ plugin: 9, order: 4, pluginInfo: null });
  });

  test('a job fails at once if its handler makes an invalid change', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, TASK);
    const handler: JobHandler = { type: 'export', run: async () => ({ change: { name: 'x'.repeat(401) } }) };
    await runNext(ports, { handlers: [handler] });
    expect(await ports.jobs.find(record, job.id)).toMatchObject({ state: 'failed', attempts: 1 });
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('lines of a handler are converted to storable entries', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, TASK);
    const lines = [{ type: 'no, type', message: 'nul \0' }];
    await runNext(ports, { handlers: [{ type: 'export', run: async () => ({ lines }) }] });
    expect((await linesOf(ports, record))[1]).toEqual({ type: 'LOG', message: 'nul \ufffd' });
  });
});

/** Returns an author with a new key. */
async function aQueuer({ keys }: Ports): Promise<Author> {
  const hash = randomUUID().replaceAll('-', '').padStart(64, '0');
  const { id: keyId, label } = await keys.add(anApiKey({ label: 'Queuer', hash }), anAuthor());
  return anAuthor({ actor: { keyId, label } });
}

function queue({ jobs }: Ports, record: ConfigRecord, work: JobWork, author = anAuthor()): Promise<Job> {
  return queueJob(
    { jobs, randomness: { ...seededRandomness(), uuid: randomUUID } },
    { record, precondition: null, work, author },
  );
}

interface Next {
  readonly handlers?: readonly JobHandler[];
  readonly signal?: Interruption;
  readonly configurationValues?: ConfigurationValues;
}

/** Runs the next due job, if there is one. */
async function runNext(
  ports: Ports,
  { handlers = [], signal = anInterruption().signal, ...others }: Next = {},
): Promise<boolean> {
  const job = await ports.runs.claim(CLAIM);
  if (job !== null) await runJob({ ...dependenciesOf(ports, handlers), ...others }, job, signal);
  return job !== null;
}

function dependenciesOf({ runs: jobs, configurationValues }: Ports, handlers: readonly JobHandler[]) {
  return {
    jobs,
    handlers,
    handlerRuns: handlerRuns(),
    configurationValues,
    requireRegistered: false,
  };
}

function failing(error: () => Error): JobHandler {
  return {
    type: 'export',
    run: async () => {
      throw error();
    },
  };
}

function change(given: Extract<JobWork, { kind: 'change' }>['change']): JobWork {
  return { kind: 'change', change: given };
}
