import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pluginConfigClient, type ProjectClient } from '../client.ts';
import { errorResponse, fakeService, type FakeResponse } from '../testing/fake-service.ts';
import { backOffMs, type RetryPolicy } from './retry.ts';

const QUICK = { baseMs: 1, maxPauseMs: 2 };
const UNAVAILABLE = errorResponse(503, 'unavailable', { headers: { 'retry-after': '0' } });
const THROTTLED = errorResponse(429, 'throttled', { headers: { 'retry-after': '0' } });

const READS = {
  retrieve: ({ pluginConfigs }: ProjectClient) => pluginConfigs.retrieve(5),
  list: ({ pluginConfigs }: ProjectClient) => pluginConfigs.list().page(),
  plan: ({ configuration }: ProjectClient) =>
    configuration.plan({ document: { format: 1, manager: 'team' } }),
};
const UNIQUE = {
  createAlert: ({ alerts }: ProjectClient) =>
    alerts.create({ name: 'Errors', family: 'plugin_configs', signal: 'error', window_minutes: 15 }),
  createWebhook: ({ webhooks }: ProjectClient) =>
    webhooks.create({ url: 'https://hooks.example.com', events: ['record.created'] }),
};
const CONDITIONAL = {
  update: ({ pluginConfigs }: ProjectClient) =>
    pluginConfigs.update(5, { enabled: true }, { ifMatch: '"5.1"' }),
  delete: ({ pluginConfigs }: ProjectClient) => pluginConfigs.delete(5, { ifMatch: '"5.1"' }),
};
const IDEMPOTENT = {
  create: ({ pluginConfigs }: ProjectClient) => pluginConfigs.create({ plugin: 7 }),
  queueJob: ({ pluginConfigs }: ProjectClient) => pluginConfigs.queueJob(5),
  restoreRevision: ({ pluginConfigs }: ProjectClient) => pluginConfigs.restoreRevision(5, 1),
  apply: ({ configuration }: ProjectClient) =>
    configuration.apply({ document: { format: 1, manager: 'team' }, base: '' }),
};
const UNCONDITIONAL = {
  update: ({ pluginConfigs }: ProjectClient) => pluginConfigs.update(5, { enabled: true }),
  replace: ({ pluginConfigs }: ProjectClient) => pluginConfigs.replace(5, { plugin: 7 }),
  'create without an idempotency key': ({ pluginConfigs }: ProjectClient) =>
    pluginConfigs.create({ plugin: 7 }, { idempotencyKey: null }),
};

test.for(Object.entries({ ...READS, ...UNIQUE, ...CONDITIONAL, ...IDEMPOTENT }))(
  'a call that is safe to repeat is retried until it succeeds: %s',
  async ([, call]) => {
    const failures = [UNAVAILABLE, 'hang up', { status: 502, body: 'Bad gateway' }, THROTTLED] as const;
    const requests = await requestsOf(call, (number) => failures[number - 1] ?? { body: { id: 5 } });
    expect(requests).toHaveLength(5);
    expect(new Set(requests.map(({ method, path, text }) => `${method} ${path} ${text}`)).size).toBe(1);
  },
);

test.for(Object.entries(IDEMPOTENT))(
  'each call has its own idempotency key, which stays the same across retries: %s',
  async ([, call]) => {
    const first = await requestsOf(call, (number) => (number < 3 ? UNAVAILABLE : { body: { id: 5 } }));
    const second = await requestsOf(call, () => ({ body: { id: 5 } }));
    const keys = [...first, ...second].map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test('callers can choose the idempotency key', async () => {
  const [request] = await requestsOf(
    ({ pluginConfigs }) => pluginConfigs.create({ plugin: 7 }, { idempotencyKey: 'order 17' }),
    () => ({ body: { id: 5 } }),
  );
  expect(request?.headers['idempotency-key']).toBe('order 17');
});

test('other calls have no idempotency key', async () => {
  for (const call of Object.values({ ...READS, ...UNIQUE, ...CONDITIONAL, ...UNCONDITIONAL })) {
    const [request] = await requestsOf(call, () => ({ body: { id: 5 } }));
    expect(request?.headers['idempotency-key']).toBeUndefined();
  }
});

test('a request is retried while an earlier one with its idempotency key is still running', async () => {
  const inFlight = errorResponse(409, 'idempotency_in_flight', { headers: { 'retry-after': '0' } });
  const requests = await requestsOf(IDEMPOTENT.create, (number) =>
    number < 3 ? inFlight : { body: { id: 5 } },
  );
  expect(requests).toHaveLength(3);
});

test.for(Object.entries(UNCONDITIONAL))(
  'a write without a condition is not retried: %s',
  async ([, call]) => {
    await using service = await fakeService(() => UNAVAILABLE);
    await expect(call(projectOf(service.url))).rejects.toMatchObject({ code: 'unavailable' });
    expect(service.requests).toHaveLength(1);
  },
);

test.for(Object.entries(UNCONDITIONAL))('a throttled write is retried: %s', async ([, call]) => {
  const requests = await requestsOf(call, (number) => (number === 1 ? THROTTLED : { body: { id: 5 } }));
  expect(requests).toHaveLength(2);
});

test.for([400, 401, 403, 404, 409, 412, 422, 500])('status %i is not retried', async (status) => {
  await using service = await fakeService(() => errorResponse(status, 'error'));
  await expect(READS.retrieve(projectOf(service.url))).rejects.toMatchObject({ status });
  expect(service.requests).toHaveLength(1);
});

test('the number of attempts is limited', async () => {
  await using service = await fakeService(() => UNAVAILABLE);
  const project = projectOf(service.url, { attempts: 3 });
  await expect(READS.retrieve(project)).rejects.toMatchObject({ code: 'unavailable' });
  expect(service.requests).toHaveLength(3);
});

test('a call does not start a pause that would exceed the total time', async () => {
  await using service = await fakeService(() =>
    errorResponse(503, 'unavailable', { headers: { 'retry-after': '31' } }),
  );
  await expect(READS.retrieve(projectOf(service.url))).rejects.toMatchObject({ retryAfterSeconds: 31 });
  expect(service.requests).toHaveLength(1);
});

test('the pause is at least as long as the service requests', async () => {
  const times: number[] = [];
  await using service = await fakeService((_, number) => {
    times.push(performance.now());
    return number === 1
      ? errorResponse(503, 'unavailable', { headers: { 'retry-after': '1' } })
      : { body: {} };
  });
  await READS.retrieve(projectOf(service.url));
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test('an abort ends the pause', async () => {
  await using service = await fakeService(() =>
    errorResponse(503, 'unavailable', { headers: { 'retry-after': '20' } }),
  );
  const controller = new AbortController();
  const call = projectOf(service.url).pluginConfigs.retrieve(5, { signal: controller.signal });
  while (service.requests.length === 0) await new Promise(setImmediate);
  controller.abort(new Error('The page was left.'));
  await expect(call).rejects.toThrow('The page was left.');
});

test.for([
  [412, 'precondition_failed', CONDITIONAL.update],
  [409, 'already_exists', UNIQUE.createAlert],
] as const)('a %i after a lost response has the lost attempt as its cause', async ([status, code, call]) => {
  await using service = await fakeService((_, number) =>
    number === 1 ? 'hang up' : errorResponse(status, code),
  );
  await expect(call(projectOf(service.url))).rejects.toMatchObject({
    code,
    cause: { code: 'unreachable' },
  });
});

test('the back-off is random below a maximum that doubles up to a limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (retry, baseMs, maxPauseMs, random) => {
        const longest = Math.min(maxPauseMs, baseMs * 2 ** (retry - 1));
        expect(backOffMs(retry, { baseMs, maxPauseMs }, () => random)).toBe(random * longest);
      },
    ),
  );
});

function projectOf(url: string, retry: Partial<RetryPolicy> = {}): ProjectClient {
  return pluginConfigClient({ url, key: 'phx_key', retry: { ...QUICK, ...retry } }).project(1);
}

async function requestsOf(
  call: (project: ProjectClient) => Promise<unknown>,
  respond: (number: number) => FakeResponse | 'hang up',
) {
  await using service = await fakeService((_, number) => respond(number));
  await call(projectOf(service.url));
  return service.requests;
}
