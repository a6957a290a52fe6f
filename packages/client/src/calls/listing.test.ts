import { expect, test } from 'vitest';
import { pluginConfigClient } from '../client.ts';
import { fakeService, type FakeService } from '../testing/fake-service.ts';

const TOTAL = 7;

test('a listing fetches each page when its items are needed', async () => {
  await using service = await recordService();
  const ids: number[] = [];
  for await (const { id } of configsOf(service).list({ limit: 3, enabled: true })) {
    ids.push(id);
    expect(service.requests).toHaveLength(Math.ceil(id / 3));
  }
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(service.requests.map(({ path }) => path)).toEqual([
    '/api/projects/%40current/plugin_configs?limit=3&enabled=true',
    '/api/projects/%40current/plugin_configs?limit=3&enabled=true&offset=3',
    '/api/projects/%40current/plugin_configs?limit=3&enabled=true&offset=6',
  ]);
});

test('a listing continues with the query of the next link', async () => {
  const queries = ['', '?changed_since=7-3&type=a&type=b&limit=2'];
  await using service = await fakeService((_, number) => {
    const next = queries[number] ?? null;
    return {
      body: { count: 2, next: next && `http://elsewhere/list${next}`, previous: null, results: [number] },
    };
  });
  await Array.fromAsync(configsOf(service).list({ limit: 2, offset: 4, changed_since: '5' }));
  expect(service.requests.map(({ path }) => new URL(path, service.url).search)).toEqual([
    '?limit=2&offset=4&changed_since=5',
    '?changed_since=7-3&type=a&type=b&limit=2',
  ]);
});

test('a loop that ends early does not fetch further pages', async () => {
  await using service = await recordService();
  for await (const { id } of configsOf(service).list({ limit: 2 })) if (id === 3) break;
  expect(service.requests).toHaveLength(2);
});

test('a listing returns all pages, or only the first', async () => {
  await using service = await recordService();
  const listing = configsOf(service).list({ limit: 4 });
  const pages = await Array.fromAsync(listing.pages());
  expect(pages.map(({ count, results }) => [count, results.length])).toEqual([
    [TOTAL, 4],
    [TOTAL, 3],
  ]);
  expect(await listing.page()).toEqual(pages[0]);
});

test('the key is only sent to the URL of the client, even if a page links elsewhere', async () => {
  await using stranger = await recordService();
  await using service = await recordService(stranger.url);
  expect(await Array.fromAsync(configsOf(service).list({ limit: 5 }))).toHaveLength(TOTAL);
  expect(stranger.requests).toHaveLength(0);
});

test('the same page object is returned if it has not changed', async () => {
  await using service = await fakeService(({ headers }) =>
    headers['if-none-match'] === '"v1"'
      ? { status: 304, headers: { etag: '"v1"' } }
      : { headers: { etag: '"v1"' }, body: pageOf(new URL('http://service')) },
  );
  const listing = configsOf(service).list();
  const page = await listing.page();
  const again = await listing.page({ ifNoneMatch: page });
  expect(again).toBe(page);
  expect(await listing.page({ ifNoneMatch: again })).toBe(page);
});

test('dates and repeated parameters are encoded as the service expects', async () => {
  await using service = await recordService();
  await configsOf(service)
    .logs(5, { type_filter: ['INFO', 'WARN'], after: new Date(0), search: 'a b&c', source: undefined })
    .page();
  expect(service.requests[0]?.path).toBe(
    '/api/projects/%40current/plugin_configs/5/logs?type_filter=INFO&type_filter=WARN&after=1970-01-01T00%3A00%3A00.000Z&search=a+b%26c',
  );
});

function configsOf({ url }: FakeService) {
  return pluginConfigClient({ url, key: 'phx_key' }).project('@current').pluginConfigs;
}

async function recordService(publicUrl = 'http://elsewhere'): Promise<FakeService> {
  return fakeService(({ path }) => ({ body: pageOf(new URL(path, publicUrl)) }));
}

/** Like the service, keeps the other parameters in `next`. */
function pageOf({ origin, searchParams }: URL): object {
  const limit = Number(searchParams.get('limit') ?? 100);
  const offset = Number(searchParams.get('offset') ?? 0);
  const end = Math.min(offset + limit, TOTAL);
  const results = Array.from({ length: end - offset }, (_, index) => ({ id: offset + index + 1 }));
  searchParams.set('offset', String(end));
  const next = end < TOTAL ? `${origin}/api/projects/1/plugin_configs/?${searchParams.toString()}` : null;
  return { count: TOTAL, next, previous: null, results };
}
