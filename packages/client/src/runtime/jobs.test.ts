import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test as base, vi } from 'vitest';
import { soon } from '../testing/runtime.fixture.ts';
import { fakeJobs, type FakeJobs } from '../testing/fake-jobs.ts';
import { errorResponse } from '../testing/fake-service.ts';
import { openOne } from '../testing/open-one.ts';
import { openRuntime, RetryLater, type JobHandlers, type JobsOptions, type RunningJob } from './index.ts';

const test = base.extend<{ readonly service: FakeJobs }>({
  service: async ({}, use) => {
    await using service = await fakeJobs();
    await use(service);
  },
});

/** Opens a runtime that does jobs, and collects its errors. */
async function doing(service: FakeJobs, handlers: JobHandlers, options: JobsOptions = {}) {
  const runtime = await openOne(service);
  const errors: string[] = [];
  runtime.on('error', (error) => errors.push('code' in error ? String(error.code) : error.message));
  const runner = runtime.jobs(handlers, { closeTimeoutMs: 50, ...options });
  return { runtime, runner, errors };
}

/** Never returns, and throws what aborts it. */
const untilAborted = async ({ signal }: RunningJob): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

const CONFIG = { token: 'hunter2' };
const FAILED = { instance: 'test', state: 'failed' };

test('a runtime claims jobs of the types of its handlers, and sends what they return', async ({
  service,
}) => {
  const { errors } = await doing(service, {
    replay: async ({ payload, config, record_id }) => ({ payload, token: config['token'], record_id }),
    check: async ({ config }) => ({ ok: false, errors: [{ detail: 'No.' }], details: config }),
    export: () => undefined,
    absent: undefined,
  });
  service.queue({ id: 'a' });
  service.queue({ id: 'b', type: 'check', record_id: null });
  service.queue({ id: 'c', type: 'export' });
  await soon(() => service.results).toHaveLength(3);
  const succeeded = { instance: 'test', state: 'succeeded' };
  expect(Object.fromEntries(service.results)).toEqual({
    a: { ...succeeded, output: { payload: { from: 'now' }, token: 'hunter2', record_id: 1 } },
    b: { ...succeeded, output: { ok: false, errors: [{ detail: 'No.' }], details: CONFIG } },
    c: { ...succeeded, output: null },
  });
  expect(service.claims[0]).toEqual({
    instance: 'test',
    types: ['replay', 'check', 'export'],
    plugins: [],
    limit: 4,
    lease_seconds: 60,
    wait: 50,
  });
  expect(errors).toEqual([]);
});

test('a runtime of all projects takes jobs of the plugins that it follows', async ({ service }) => {
  const feed = { cursor: '1', more: false, reset: false, projects: [], gone: [] };
  service.respondTo('read', () => ({ body: feed }));
  const options = { url: service.url, key: 'phx_key', projects: 'all', family: 'plugin_configs' } as const;
  const runtime = await openRuntime({ ...options, plugins: [7] });
  onTestFinished(async () => runtime.close());
  runtime.jobs({ replay: () => 1 });
  runtime.jobs({ replay: () => 2 }, { plugins: ['slug:geoip'], leaseSeconds: 10, concurrency: 25 });
  await soon(() => service.claims).toHaveLength(2);
  expect(service.claims).toMatchObject([
    { plugins: [7], limit: 4 },
    { plugins: ['slug:geoip'], limit: 10, lease_seconds: 10 },
  ]);
});

test('jobs without handlers are a mistake of the caller', async ({ service }) => {
  await expect(doing(service, {})).rejects.toThrow('jobs needs a handler.');
});

test('no more jobs are claimed than there are free slots', async ({ service }) => {
  const held = new Map<unknown, () => void>();
  const replay = async ({ id }: RunningJob) => new Promise<void>((resolve) => held.set(id, resolve));
  await doing(service, { replay }, { concurrency: 2 });
  for (const id of ['a', 'b', 'c']) service.queue({ id });
  await soon(() => held.size).toBe(2);
  expect(service.claims.map(({ limit }) => limit)).toEqual(expect.not.arrayContaining([0]));
  const before = service.claims.length;
  held.get('a')?.();
  await soon(() => held.size).toBe(3);
  expect(service.claims[before]).toMatchObject({ limit: 1 });
});

test('progress is sent at once, and made storable', async ({ service }) => {
  await doing(service, {
    replay: async (job) => {
      job.progress(2, `\0${'x'.repeat(1001)}`);
      return untilAborted(job);
    },
  });
  service.queue({ id: 'a' });
  await soon(() => service.renewals).toHaveLength(1);
  expect(service.renewals).toEqual([
    { instance: 'test', lease_seconds: 60, progress: 1, message: 'x'.repeat(999) },
  ]);
});

test('a lease is renewed after a third of it', async ({ service }) => {
  const { errors } = await doing(service, { replay: untilAborted }, { leaseSeconds: 3 });
  service.queue({ id: 'a' });
  await expect.poll(() => service.renewals.length, { timeout: 10_000 }).toBe(2);
  expect(service.renewals[1]).toEqual({ instance: 'test', lease_seconds: 3 });
  expect(errors).toEqual([]);
});

test('an error of a handler is the result, and only some are tried again', async ({ service }) => {
  const thrown: Readonly<Record<string, () => never>> = {
    broken: () => {
      throw new Error('The server is\0 away.');
    },
    later: () => {
      throw new RetryLater('Not now.');
    },
    also: () => {
      throw Object.assign(new Error('Nor now.'), { retry: true });
    },
  };
  const { errors } = await doing(service, { ...thrown, unsendable: () => 1n });
  for (const type of [...Object.keys(thrown), 'unsendable']) service.queue({ id: type, type });
  await soon(() => service.results).toHaveLength(4);
  expect(Object.fromEntries(service.results)).toEqual({
    broken: { ...FAILED, error: 'The server is away.', retry: false },
    later: { ...FAILED, error: 'Not now.', retry: true },
    also: { ...FAILED, error: 'Nor now.', retry: true },
    unsendable: { ...FAILED, error: expect.stringContaining('BigInt'), retry: false },
  });
  expect(errors).toEqual(['The server is\0 away.', expect.stringContaining('BigInt')]);
});

test('a cancelled job is aborted', async ({ service }) => {
  const { errors } = await doing(service, {
    replay: async (job) => {
      job.progress(0.5);
      return untilAborted(job);
    },
  });
  service.cancel('a');
  service.queue({ id: 'a' });
  await soon(() => service.results).toEqual([
    ['a', { ...FAILED, error: 'The job was cancelled.', retry: false }],
  ]);
  expect(errors).toEqual([]);
});

test.for([
  [409, 'lease_lost'],
  [404, 'not_found'],
] as const)('a job is aborted and dropped if its renewal is a %i', async ([status, code], { service }) => {
  service.respondTo('renew', () => errorResponse(status, code));
  const reasons: unknown[] = [];
  const { errors, runner } = await doing(service, {
    replay: async (job) => {
      job.progress(0);
      await untilAborted(job).catch((error: unknown) => reasons.push(error));
      return 'late';
    },
  });
  service.queue({ id: 'a' });
  await soon(() => reasons).toMatchObject([
    { name: 'AbortError', message: 'Another runtime may have the job.' },
  ]);
  await runner.close();
  expect(service.results).toEqual([]);
  expect(errors).toEqual([code]);
});

test('a job goes on while its renewals fail otherwise', async ({ service }) => {
  let failures = 0;
  const responses = [
    { status: 404, body: '<h1>No such host</h1>' },
    'hang up',
    errorResponse(503, 'unavailable'),
  ] as const;
  service.respondTo('renew', () => responses[failures++] ?? null);
  const { errors } = await doing(service, {
    replay: async (job) => {
      job.progress(0.5, 'Half of it');
      while (service.renewals.length < 4) await sleep(2);
      return job.signal.aborted;
    },
  });
  service.queue({ id: 'a' });
  await soon(() => service.results).toMatchObject([['a', { output: false }]]);
  expect(errors).toEqual(['unreadable', 'unreachable', 'unavailable']);
  expect(service.renewals).toEqual(
    Array.from({ length: 4 }, () => ({
      instance: 'test',
      lease_seconds: 60,
      progress: 0.5,
      message: 'Half of it',
    })),
  );
});

test('a job whose lease ends is aborted, and only an output is sent', async ({ service }) => {
  service.respondTo('renew', () => errorResponse(503, 'unavailable'));
  const aborted: string[] = [];
  const { runner } = await doing(
    service,
    {
      replay: async (job) => untilAborted(job).catch(() => aborted.push(job.id)),
      export: async (job) => untilAborted(job).finally(() => aborted.push(job.id)),
    },
    { leaseSeconds: 0.05 },
  );
  service.queue({ id: 'a' });
  service.queue({ id: 'b', type: 'export' });
  await soon(() => aborted.toSorted()).toEqual(['a', 'b']);
  await soon(() => service.results).toMatchObject([['a', { state: 'succeeded' }]]);
  await runner.close();
  expect(service.results).toHaveLength(1);
});

test('a job that is claimed again runs once more, and its first attempt is dropped', async ({ service }) => {
  const attempts: RunningJob[] = [];
  await doing(service, {
    replay: async (job) => {
      attempts.push(job);
      if (job.attempt > 1) return 'second';
      await untilAborted(job).catch(() => undefined);
      return 'first';
    },
  });
  service.queue({ id: 'a' });
  await soon(() => attempts).toHaveLength(1);
  service.queue({ id: 'a', attempt: 2 });
  await soon(() => attempts[0]?.signal.aborted).toBe(true);
  await soon(() => service.results).toMatchObject([['a', { output: 'second' }]]);
});

test('a result is sent until the service has it', async ({ service }) => {
  let failures = 0;
  const responses = [
    'hang up',
    errorResponse(503, 'unavailable'),
    errorResponse(429, 'throttled'),
    { status: 404, body: '<h1>Away</h1>' },
  ] as const;
  service.respondTo('end', () => responses[failures++] ?? null);
  const output = { sent: 1 };
  const { errors, runner } = await doing(service, { replay: () => output });
  service.queue({ id: 'a' });
  await soon(() => service.results).toHaveLength(1);
  output.sent = 2;
  await soon(() => service.results).toHaveLength(5);
  await runner.close();
  expect(new Set(service.results.map((result) => JSON.stringify(result)))).toHaveLength(1);
  expect(errors).toEqual(['unreachable', 'unavailable', 'throttled', 'unreadable']);
});

test('a lease is renewed until the service has the result, which says itself if the job is lost', async ({
  service,
}) => {
  service.respondTo('renew', () => (service.renewals.length === 1 ? null : errorResponse(409, 'lease_lost')));
  let isStored = false;
  service.respondTo('end', () => {
    isStored = service.renewals.length > 1;
    return isStored ? null : errorResponse(503, 'unavailable');
  });
  const { errors, runner } = await doing(service, { replay: () => 1 }, { leaseSeconds: 3 });
  service.queue({ id: 'a' });
  await expect.poll(() => isStored, { timeout: 10_000 }).toBe(true);
  await runner.close();
  expect(new Set(errors)).toEqual(new Set(['unavailable']));
});

test('a result that nobody wants is dropped', async ({ service }) => {
  service.respondTo('end', () => errorResponse(409, 'lease_lost'));
  const { errors, runner } = await doing(service, { replay: () => 1 });
  service.queue({ id: 'a' });
  await soon(() => errors).toEqual(['lease_lost']);
  await runner.close();
  expect(service.results).toHaveLength(1);
});

test('an output that the service rejects fails the job', async ({ service }) => {
  service.respondTo('end', () => (service.results.length === 1 ? errorResponse(413, 'too_large') : null));
  const { errors } = await doing(service, { replay: () => 'x' });
  service.queue({ id: 'a' });
  await soon(() => service.results).toEqual([
    ['a', { instance: 'test', state: 'succeeded', output: 'x' }],
    ['a', { ...FAILED, error: 'It is too_large.' }],
  ]);
  expect(errors).toEqual(['too_large']);
});

test('claims continue after failures', async ({ service }) => {
  const { errors } = await doing(service, { replay: () => 1 });
  await soon(() => service.claims).toHaveLength(1);
  for (const response of [
    errorResponse(503, 'unavailable'),
    errorResponse(404, 'not_found'),
    errorResponse(400, 'invalid_input'),
    { status: 403, body: '<h1>Forbidden</h1>' },
    { body: { hello: 'from a captive portal' } },
  ]) {
    const before = errors.length;
    service.respondTo('claim', () => response);
    service.wake();
    await soon(() => errors.length).toBeGreaterThan(before);
  }
  service.respondTo('claim', null);
  service.queue({ id: 'a' });
  await soon(() => service.results).toHaveLength(1);
});

test.for([
  [401, 'authentication_failed'],
  [403, 'permission_denied'],
] as const)('a claim that is a %i ends the jobs', async ([status, code], { service }) => {
  const { errors, runtime } = await doing(service, { replay: untilAborted });
  service.respondTo('claim', () => (service.claims.length > 1 ? errorResponse(status, code) : null));
  service.queue({ id: 'a' });
  await soon(() => errors).toEqual([code]);
  await soon(() => service.results).toMatchObject([['a', { state: 'failed', retry: true }]]);
  await runtime.close();
  expect(service.claims).toHaveLength(2);
});

test('a claim that is cut short is followed by a pause', async ({ service }) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  onTestFinished(() => void vi.restoreAllMocks());
  const runtime = await openOne(service, { retry: { baseMs: 60_000, maxPauseMs: 60_000 } });
  runtime.jobs({ replay: () => 1 });
  await soon(() => service.claims).toHaveLength(1);
  service.wake();
  await sleep(50);
  expect(service.claims).toHaveLength(1);
});

test('closing a runtime aborts its jobs, and sends what they return', async ({ service }) => {
  const running: string[] = [];
  const { runtime, errors } = await doing(
    service,
    {
      replay: async (job) => {
        running.push(job.id);
        if (job.id === 'returns') return untilAborted(job).catch(async () => sleep(5, 'some of it'));
        if (job.id === 'throws') return untilAborted(job);
        return new Promise(() => undefined);
      },
    },
    { closeTimeoutMs: 1_000 },
  );
  for (const id of ['returns', 'throws', 'stays']) service.queue({ id });
  await soon(() => running).toHaveLength(3);
  await runtime.close();
  expect(Object.fromEntries(service.results)).toEqual({
    returns: { instance: 'test', state: 'succeeded', output: 'some of it' },
    throws: { ...FAILED, error: 'The runtime is closing.', retry: true },
  });
  const { claims } = service;
  const before = claims.length;
  service.queue({ id: 'more' });
  await sleep(20);
  expect([claims.length, errors]).toEqual([before, []]);
});

test('closing does not wait for a service that is away', async ({ service }) => {
  service.respondTo('end', () => 'hang up');
  const { runtime } = await doing(service, { replay: () => 1 });
  service.queue({ id: 'a' });
  await soon(() => service.results.length).toBeGreaterThan(1);
  await runtime.close();
});

test('a closed runtime takes no jobs', async ({ service }) => {
  const runtime = await openOne(service);
  await runtime.close();
  await runtime.jobs({ replay: () => 1 }).close();
  expect(service.claims).toEqual([]);
});
