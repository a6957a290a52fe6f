import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pluginConfigClient } from '@plugin-config/client';
import { expect, onTestFinished, test } from 'vitest';
import { emptyReport, importLines, type ImportOptions } from './import-lines.ts';

const APPLIED = {
  apply_id: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
  summary: { create: 1, update: 0, delete: 0, restore: 0, move: 0 },
  changes: [],
  base: '',
};
type Respond = (request: IncomingMessage, response: ServerResponse, number: number) => unknown;

/** A service in which no project exists and every apply succeeds, unless the test responds. */
async function fakeService(respond: Respond = () => undefined) {
  const requests: string[] = [];
  let [running, mostAtOnce] = [0, 0];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    mostAtOnce = Math.max(mostAtOnce, ++running);
    response.on('close', () => running--);
    const reply = async (): Promise<void> => {
      await once(request.resume(), 'end');
      await respond(request, response, requests.push(`${method} ${decodeURIComponent(url)}`));
      if (response.writableEnded || response.destroyed) return;
      if (method === 'GET') response.writeHead(404).end(errorBody('project_not_found'));
      else response.end(JSON.stringify(method === 'PUT' ? { id: 1 } : APPLIED));
    };
    void reply();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, mostAtOnce: () => mostAtOnce, close };
}

const errorBody = (code: string, attr: string | null = null) =>
  JSON.stringify({ type: 'invalid_request', code, detail: `It is ${code}.`, attr });

const lineOf = (externalId: string, records = 1) =>
  JSON.stringify({
    external_id: externalId,
    plugin_configs: Array.from({ length: records }, (_, n) => ({ key: `k${n}`, plugin: 3 })),
  });

async function importFrom(url: string, lines: readonly string[], options: Partial<ImportOptions> = {}) {
  const report = emptyReport();
  const api = pluginConfigClient({ url, key: 'phx_a', retry: { attempts: 1 }, timeoutMs: 2_000 });
  const input = (async function* () {
    for (const line of lines) yield Buffer.from(`${line}\n`);
  })();
  const error: unknown = await importLines(input, { api, report, ...options }).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { ...report, error };
}

const counts = (given: object) => ({ created: 0, changed: 0, unchanged: 0, rejected: 0, ...given });

test('a line is one upsert and one apply', async () => {
  const { url, requests } = await fakeService();
  const report = await importFrom(url, [lineOf('a'), '', ' \r']);
  expect(report).toEqual({
    tenants: counts({ created: 1 }),
    records: counts({ created: 1 }),
    rejected: [],
    error: null,
  });
  expect(requests).toEqual([
    'GET /api/projects/ext:a',
    'PUT /api/projects/ext:a',
    'POST /api/projects/ext:a/configuration/apply',
  ]);
});

test('a few lines are imported at once, each external id once', async () => {
  const { url, requests, mostAtOnce } = await fakeService(() => sleep(5));
  const ids = Array.from({ length: 100 }, (_, n) => `t${n % 90}`);
  const { tenants, rejected } = await importFrom(
    url,
    ids.map((id) => lineOf(id)),
  );
  expect(tenants).toEqual(counts({ created: 90, rejected: 10 }));
  expect(rejected[0]).toEqual({
    line: 91,
    externalId: 't0',
    reason: 'external_id: Line 1 is about the same tenant.',
  });
  expect(requests).toHaveLength(3 * 90);
  expect(mostAtOnce()).toBeGreaterThan(1);
  expect(mostAtOnce()).toBeLessThanOrEqual(8);
});

const tooMany: Respond = (_, response) =>
  response.writeHead(429, { 'retry-after': '0' }).end(errorBody('throttled'));

test.for<readonly [string, Respond]>([
  ['429 with Retry-After', tooMany],
  ['503', (_, response) => response.writeHead(503).end(errorBody('unavailable'))],
  ['502 of a proxy', (_, response) => response.writeHead(502).end('<html>Bad gateway</html>')],
  ['a cut connection', (_, response) => response.destroy()],
])('%s is repeated', async ([, fail]) => {
  const failed = new Set<string>();
  const { url } = await fakeService((request, response, number) => {
    const name = `${request.method} ${request.url}`;
    if (failed.has(name)) return;
    failed.add(name);
    fail(request, response, number);
  });
  const report = await importFrom(url, [lineOf('a'), lineOf('b'), lineOf('c')]);
  expect(report).toMatchObject({ tenants: counts({ created: 3 }), rejected: [], error: null });
});

test('the pause is as long as Retry-After says', async () => {
  const { url } = await fakeService((_, response, number) => {
    if (number === 2) response.writeHead(429, { 'retry-after': '1' }).end(errorBody('throttled'));
  });
  const start = performance.now();
  expect((await importFrom(url, [lineOf('a')])).tenants.created).toBe(1);
  expect(performance.now() - start).toBeGreaterThan(990);
});

test.for([
  [400, 'invalid_input'],
  [409, 'already_exists'],
  [413, 'too_large'],
  [500, 'internal_error'],
] as const)(
  '%i is a row with the line and the reason, and the others are imported',
  async ([status, code]) => {
    const { url } = await fakeService(({ url: path = '', method }, response) => {
      if (method === 'POST' && path.includes('b'))
        response.writeHead(status).end(errorBody(code, 'plugin_configs[0]'));
    });
    const report = await importFrom(url, [lineOf('a'), lineOf('xb', 5), 'no JSON', lineOf('d')]);
    expect(report).toMatchObject({ tenants: counts({ created: 2, rejected: 2 }), error: null });
    expect(report.records).toEqual(counts({ created: 2, rejected: 5 }));
    expect(report.rejected.toSorted((a, b) => a.line - b.line)).toEqual([
      { line: 2, externalId: 'xb', reason: `plugin_configs[0]: It is ${code}.` },
      { line: 3, externalId: null, reason: expect.stringContaining('not JSON') },
    ]);
  },
);

test('a line is a row if the service stays too busy for it', async () => {
  const { url } = await fakeService((request, response, number) => {
    if (request.url?.includes('b')) tooMany(request, response, number);
  });
  const { tenants, rejected, error } = await importFrom(url, [lineOf('xb'), lineOf('a')], { retryMs: 300 });
  expect({ tenants, error }).toEqual({ tenants: counts({ created: 1, rejected: 1 }), error: null });
  expect(rejected).toEqual([{ line: 1, externalId: 'xb', reason: 'It is throttled.' }]);
});

test.for([401, 403])('%i stops the import', async (status) => {
  const { url, requests } = await fakeService((_, response) =>
    response.writeHead(status).end(errorBody('permission_denied')),
  );
  const { error } = await importFrom(
    url,
    Array.from({ length: 1000 }, (_, n) => lineOf(`t${n}`)),
  );
  expect(String(error)).toMatch(/^Error: Line \d: It is permission_denied\.$/);
  expect(requests.length).toBeLessThan(20);
});

test('a service that is gone for too long stops the import; until then, the import waits', async () => {
  const imported = importFrom('http://127.0.0.1:1', [lineOf('a'), lineOf('b')], { retryMs: 500 });
  const first = await Promise.race([imported, sleep(200, 'waits')]);
  expect(first).toBe('waits');
  expect(String((await imported).error)).toMatch(
    /^Error: Line \d: The service could not be reached\. Is API_URL/,
  );
});

test('the reason is told as soon as the import waits for a service that is down, but not for a limit', async () => {
  const waits: string[] = [];
  const onWait = (reason: string) => waits.push(reason);
  const closed = await fakeService();
  closed.close();
  await importFrom(closed.url, [lineOf('a')], { retryMs: 1_000, onWait });
  expect(waits).toEqual([expect.stringContaining('ECONNREFUSED')]);
  const { url } = await fakeService((_, response, number) => {
    if (number === 1) tooMany(_, response, number);
    if (number === 3) response.writeHead(503).end(errorBody('unavailable'));
  });
  await importFrom(url, [lineOf('a')], { onWait });
  expect(waits.slice(1)).toEqual(['It is unavailable.']);
});

test('a rejected line has its external id, valid or not', async () => {
  const { url } = await fakeService();
  const fields = [{ external_id: 'acme', plugins: [] }, { external_id: 'a b' }, { external_id: 17 }, {}];
  const lines = fields.map((each) => JSON.stringify(each));
  const { rejected } = await importFrom(url, [...lines, '{"external_id": "cut']);
  expect(rejected.map(({ externalId }) => externalId)).toEqual(['acme', 'a b', '17', null, null]);
});

test('an address without the API is pointed out', async () => {
  const other = await fakeService((_request, response) => response.writeHead(404).end('Not found'));
  const worker = await fakeService((_request, response) =>
    response.writeHead(404).end(errorBody('not_found')),
  );
  const closed = await fakeService();
  closed.close();
  for (const { url } of [other, worker, closed]) {
    const { error } = await importFrom(url, [lineOf('a')], { retryMs: 1 });
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Line 1: .* Is API_URL the address of the API\?$/),
    });
  }
});
