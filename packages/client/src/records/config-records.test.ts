import { expect, test } from 'vitest';
import { tagOf } from '../calls/tags.ts';
import { pluginConfigClient } from '../client.ts';
import { errorResponse, fakeService } from '../testing/fake-service.ts';

test('a record that was read can be the condition of a write', async () => {
  await using service = await fakeService((_, number) => ({
    headers: { etag: `"5.${number}"` },
    body: { id: 5 },
  }));
  const configs = configsAt(service.url);
  const record = await configs.retrieve(5);
  expect(tagOf(record)).toBe('"5.1"');
  const updated = await configs.update(5, { enabled: true }, { ifMatch: record });
  await configs.setConfiguration(5, { a: 1 }, { ifMatch: updated });
  await configs.delete(5, { ifMatch: '"5.3"' });
  expect(service.requests.map(({ headers }) => headers['if-match'])).toEqual([
    undefined,
    '"5.1"',
    '"5.2"',
    '"5.3"',
  ]);
});

test('a copy of a record cannot be a condition', async () => {
  await using service = await fakeService(() => ({ headers: { etag: '"5.1"' }, body: { id: 5 } }));
  const configs = configsAt(service.url);
  const copy = { ...(await configs.retrieve(5)) };
  await expect(configs.update(5, {}, { ifMatch: copy })).rejects.toThrow('This object has no tag.');
  expect(service.requests).toHaveLength(1);
});

test('queueing a job returns its id', async () => {
  await using service = await fakeService(() => ({
    headers: { location: 'https://example.com/api/projects/1/plugin_configs/5/jobs/0197a3f2/' },
    body: { id: 5 },
  }));
  const { jobId, record } = await configsAt(service.url).queueJob(5, { name: 'later' });
  expect([jobId, record.id]).toEqual(['0197a3f2', 5]);
});

test('an update by a function is repeated with the current record if another writer got there first', async () => {
  let version = 1;
  let description = '';
  await using service = await fakeService(({ method, headers, text }, number) => {
    if (number === 2 || number === 4) [version, description] = [version + 1, `${description}other `];
    const tag = `"5.${version}"`;
    if (method === 'GET') return { headers: { etag: tag }, body: { id: 5, description } };
    if (headers['if-match'] !== tag) return errorResponse(412, 'precondition_failed');
    ({ description } = JSON.parse(text) as { description: string });
    return { headers: { etag: tag }, body: { id: 5, description } };
  });
  const record = await configsAt(service.url).update(5, async (before) => ({
    description: `${before.description}mine`,
  }));
  expect(record.description).toBe('other other mine');
  expect(service.requests).toHaveLength(6);
});

test('an update by a function is made once, even if its response is lost', async () => {
  let [version, count] = [1, 0];
  let requestId: string | undefined;
  await using service = await fakeService(({ method, path, headers, text }) => {
    const tag = `"5.${version}"`;
    const current = { headers: { etag: tag }, body: { id: 5, description: String(count) } };
    if (path.includes('/activity')) return { body: { next: null, results: [{ request_id: requestId }] } };
    if (method === 'GET') return current;
    if (headers['if-match'] !== tag) return staleFor(headers['x-request-id']);
    count = Number((JSON.parse(text) as { description: string }).description);
    version += 1;
    requestId = headers['x-request-id'] as string;
    return 'hang up';
  });
  const counted = await configsAt(service.url).update(5, ({ description }) => ({
    description: String(Number(description) + 1),
  }));
  expect([counted.description, count]).toEqual(['1', 1]);
});

test('an update by a function is repeated if an attempt without a response was not carried out', async () => {
  let patches = 0;
  await using service = await fakeService(({ method, path, headers }) => {
    if (path.includes('/activity')) return { body: { next: null, results: [{ request_id: 'other' }] } };
    if (method === 'GET') return { headers: { etag: `"5.${patches}"` }, body: { id: 5 } };
    patches += 1;
    if (patches === 1) return 'hang up';
    return patches === 2 ? staleFor(headers['x-request-id']) : { body: { id: 5, name: 'Mine' } };
  });
  expect(await configsAt(service.url).update(5, () => ({ name: 'Mine' }))).toMatchObject({ name: 'Mine' });
  expect(patches).toBe(3);
});

test('an update by a function fails if it is unknown whether an attempt was carried out', async () => {
  let patches = 0;
  await using service = await fakeService(({ method }) => {
    if (method === 'GET') return { headers: { etag: '"5.1"' }, body: { id: 5 } };
    return ++patches === 1 ? 'hang up' : staleFor('of-a-proxy');
  });
  await expect(configsAt(service.url).update(5, () => ({ name: 'Mine' }))).rejects.toMatchObject({
    status: 412,
    cause: { code: 'unreachable' },
  });
  expect(patches).toBe(2);
});

const staleFor = (requestId: string | readonly string[] | undefined) =>
  errorResponse(412, 'precondition_failed', { headers: { 'x-request-id': String(requestId) } });

test('an update by a function gives up after many attempts, and immediately on other errors', async () => {
  await using service = await fakeService(({ method }) =>
    method === 'GET'
      ? { headers: { etag: '"5.1"' }, body: { id: 5 } }
      : errorResponse(412, 'precondition_failed'),
  );
  const configs = configsAt(service.url);
  const signal = AbortSignal.timeout(60_000);
  await expect(configs.update(5, () => ({}), { signal })).rejects.toMatchObject({ status: 412 });
  expect(service.requests).toHaveLength(40);
  const broken = new Error('This record is not mine.');
  await expect(
    configs.update(5, () => {
      throw broken;
    }),
  ).rejects.toBe(broken);
});

function configsAt(url: string) {
  return pluginConfigClient({ url, key: 'phx_key' }).project(1).pluginConfigs;
}
