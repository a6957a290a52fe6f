import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openRuntime, RetryLater, type JobHandlers, type JobsOptions } from '@plugin-config/client/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { registerPlugin } from './testing/register-plugin.ts';
import { sharedService } from './testing/shared-service.ts';

const running = sharedService();
const PLUGIN = 4731;
const CONFIG = { host: 'a.example', token: 'hunter2' };
const MAIN = new URL('./testing/stuck-runtime.main.ts', import.meta.url);
/** The longest wait of the service, and some time for the request. */
const LONG = { wait: 50, timeoutMs: 60_000 };

/** A tenant with a record whose plugin takes jobs, and a key for its runtimes. */
async function aTenantWithJobs() {
  const service = running();
  await registerPlugin(service, {
    id: PLUGIN,
    name: 'Replays',
    config_schema: [
      { key: 'host', type: 'string', required: true },
      { key: 'token', type: 'string', secret: true },
    ],
    jobs: [{ type: 'replay' }, { type: 'export' }],
    checks: true,
  });
  const tenant = await service.tenant();
  const records = tenant.pluginConfigs;
  const { id } = await records.create({ plugin: PLUGIN, enabled: true, config: CONFIG });
  const key = await service.issueKey(['plugin_runtime'], [tenant.projectId]);
  const options = { url: tenant.api, key, family: 'plugin_configs' } as const;
  const queue = async (type: string, payload: object) =>
    (await records.queueJob(id, { job: { type, payload: { ...payload } } })).jobId;
  const end = async (jobId: string) =>
    records.job(id, jobId, { wait: LONG.wait }, { timeoutMs: LONG.timeoutMs });
  const doJobs = async (instance: string, handlers: JobHandlers, settings?: JobsOptions) => {
    const runtime = await openRuntime({ ...options, project: tenant.projectId, instance });
    onTestFinished(async () => runtime.close());
    const errors: Error[] = [];
    runtime.on('error', (error) => errors.push(error));
    runtime.jobs(handlers, settings);
    return { runtime, errors };
  };
  return { records, id, options, projectId: tenant.projectId, queue, end, doJobs };
}

test('a runtime does a job with the values of secrets, shows its progress, and tries it again', async () => {
  const { records, id, queue, end, doJobs } = await aTenantWithJobs();
  const half = Promise.withResolvers<void>();
  const { errors } = await doJobs('a', {
    replay: async ({ payload, config, attempt, progress }) => {
      if (attempt === 1) throw new RetryLater('The server is away.');
      progress(0.5, 'Half of it');
      await half.promise;
      return { payload, isSecret: config['token'] === CONFIG.token };
    },
  });
  const job = await queue('replay', { from: 'now' });
  await expect
    .poll(async () => records.job(id, job), { timeout: 30_000 })
    .toMatchObject({ state: 'running', instance: 'a', attempts: 2, progress: 0.5, message: 'Half of it' });
  half.resolve();
  expect(await end(job)).toMatchObject({
    state: 'succeeded',
    output: { payload: { from: 'now' }, isSecret: true },
  });
  expect(errors).toEqual([]);
});

test('a job is cancelled while it runs, and another fails', async () => {
  const { records, id, queue, end, doJobs } = await aTenantWithJobs();
  const { errors } = await doJobs('a', {
    replay: async ({ signal, progress }) => {
      for (let done = 0; ; done += 0.01) {
        progress(done);
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    export: async () => {
      throw new Error('The table does not exist.');
    },
  });
  const job = await queue('replay', {});
  await expect.poll(async () => (await records.job(id, job)).state).toBe('running');
  await records.cancelJob(id, job);
  expect(await end(job)).toMatchObject({ state: 'cancelled', error: 'The job was cancelled.' });
  expect(await end(await queue('export', {}))).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'The table does not exist.',
  });
  expect(errors).toMatchObject([{ message: 'The table does not exist.' }]);
});

test('a runtime tests a configuration that is not stored', async () => {
  const { records, id, doJobs } = await aTenantWithJobs();
  await doJobs('a', {
    check: async ({ config, record_id }) => ({
      ok: config['host'] === CONFIG.host,
      errors: [{ attr: 'host', detail: 'Not this one.' }],
      details: { record_id, isSecret: config['token'] === CONFIG.token },
    }),
  });
  const config = { host: 'b.example', token: '********' };
  const { id: check } = await records.check({ plugin: PLUGIN, config, record: id });
  const outcome = await records.checkResult(check, { wait: LONG.wait }, { timeoutMs: LONG.timeoutMs });
  expect(outcome).toMatchObject({
    state: 'succeeded',
    ok: false,
    errors: [{ attr: 'host', detail: 'Not this one.' }],
    details: { record_id: null, isSecret: true },
  });
});

test('a host that closes hands its job to another one', async () => {
  const { queue, end, options, doJobs } = await aTenantWithJobs();
  const host = await openRuntime({ ...options, projects: 'all', plugins: [PLUGIN], instance: 'host' });
  const started = Promise.withResolvers<void>();
  host.jobs({
    replay: async ({ signal }) =>
      new Promise((_, reject) => {
        started.resolve();
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  const job = await queue('replay', {});
  await started.promise;
  await host.close();
  await doJobs('other', { replay: () => 'done' });
  expect(await end(job)).toMatchObject({
    state: 'succeeded',
    instance: 'other',
    attempts: 2,
    output: 'done',
  });
});

test(
  'a job of a killed process is taken over when its lease ends',
  { tags: ['long'], timeout: 60_000 },
  async () => {
    const { records, id, projectId, queue, end, options, doJobs } = await aTenantWithJobs();
    const env = { ...process.env, API_URL: options.url, KEY: options.key, PROJECT: String(projectId) };
    const stuck: ChildProcess = spawn(process.execPath, [MAIN.pathname], { env, stdio: 'inherit' });
    onTestFinished(() => void stuck.kill('SIGKILL'));
    const job = await queue('replay', {});
    await expect
      .poll(async () => records.job(id, job), { timeout: 30_000 })
      .toMatchObject({ instance: 'stuck', message: 'Stuck' });
    const gone = once(stuck, 'exit');
    stuck.kill('SIGKILL');
    await gone;
    await doJobs('other', { replay: ({ attempt }) => attempt });
    expect(await end(job)).toMatchObject({ state: 'succeeded', instance: 'other', attempts: 2, output: 2 });
  },
);
