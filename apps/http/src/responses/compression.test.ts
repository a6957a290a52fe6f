import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Project } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, plain: (body: Buffer) => body };

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

type RawRead = (
  path: string,
  headers?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Received>;

/** Returns a function that reads the encoded bytes, which `fetch` would decode. */
async function rawReader(service: Service, { id }: Project): Promise<RawRead> {
  const { token } = await service.issueKey();
  const authorization = `Bearer ${token}`;
  return (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const url = path.startsWith('/api') ? path : `/api/projects/${id}${path}`;
      get(service.url + url, { method, agent: false, headers: { authorization, ...headers } }, (response) => {
        const { statusCode: status, headers: received } = response;
        buffer(response).then((body) => resolve({ status, headers: received, body }), reject);
      }).on('error', reject);
    });
}

/** Creates a record that is larger than a packet, and returns its path. */
async function largeRecord(call: Call): Promise<string> {
  const body = { plugin: 7, description: 'x'.repeat(1000), name: 'n'.repeat(400) };
  return `/plugin_configs/${(await call('POST', '/plugin_configs', { body })).body.id}`;
}

const READS = ['', '/plugin_configs', '/activity', '/frontend', '/api/schema'];

test.for(READS)('%j of a record has the preferred encoding', async (read, { call, service, project }) => {
  const one = await largeRecord(call);
  const readRaw = await rawReader(service, project);
  const path = read === '/plugin_configs' || read.startsWith('/api') ? read : one + read;
  const plain = await readRaw(path);
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const encoding of ['br', 'gzip'] as const) {
    for (const turn of ['first', 'again']) {
      const { headers, body, status } = await readRaw(path, { 'accept-encoding': `${encoding}, *;q=0` });
      expect([turn, status, headers['content-encoding'], headers.vary]).toEqual([
        turn,
        200,
        encoding,
        'Accept-Encoding',
      ]);
      expect(body.length).toBeLessThan(plain.body.length);
      expect(headers['content-length']).toBe(String(body.length));
      expect(DECODE[encoding](body).equals(plain.body)).toBe(true);
    }
  }
});

test('HEAD has the headers of GET', async ({ call, service, project }) => {
  const one = await largeRecord(call);
  const readRaw = await rawReader(service, project);
  for (const path of [one, '/plugin_configs', `${one}/activity`, '/api/schema']) {
    for (const accept of ['br', 'gzip', 'identity']) {
      const [read, head] = [
        await readRaw(path, { 'accept-encoding': accept }),
        await readRaw(path, { 'accept-encoding': accept }, 'HEAD'),
      ];
      for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
        expect([path, accept, name, head.headers[name]]).toEqual([path, accept, name, read.headers[name]]);
    }
  }
});

test('each encoding has its own tag, and If-None-Match and If-Match accept all of them', async ({
  call,
  service,
  project,
}) => {
  const one = await largeRecord(call);
  const readRaw = await rawReader(service, project);
  const tags: string[] = [];
  for (const accept of ['identity', 'br', 'gzip'])
    tags.push(String((await readRaw(one, { 'accept-encoding': accept })).headers.etag));
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    for (const accept of ['identity', 'br', 'gzip']) {
      const { status, headers, body } = await readRaw(one, {
        'accept-encoding': accept,
        'if-none-match': tag,
      });
      expect([status, headers.etag, headers.vary, body.length]).toEqual([304, tag, 'Accept-Encoding', 0]);
    }
    const same = await call('PATCH', one, { body: {}, headers: { 'if-match': tag } });
    expect(same.status).toBe(200);
  }
  await call('PATCH', one, { body: { enabled: true } });
  for (const tag of tags) {
    expect((await readRaw(one, { 'accept-encoding': 'br', 'if-none-match': tag })).status).toBe(200);
    const late = await call('PATCH', one, { body: { name: 'late' }, headers: { 'if-match': tag } });
    expect(late.status).toBe(412);
  }
});

test('compressed responses are cached', async ({ call, service, project }) => {
  const one = await largeRecord(call);
  const readRaw = await rawReader(service, project);
  const accept = { 'accept-encoding': 'br' };
  await readRaw(one, accept);
  const [first, together] = [
    await readRaw(one, accept),
    await Promise.all([readRaw(one, accept), readRaw(one, accept)]),
  ];
  service.statements.length = 0;
  const again = await readRaw(one, accept);
  expect(service.statements.length).toBe(1);
  for (const { body, headers } of [...together, again])
    expect([headers.etag, body.equals(first.body)]).toEqual([first.headers.etag, true]);
  await call('PATCH', one, { body: { description: 'y'.repeat(1000) } });
  const fresh = await readRaw(one, accept);
  expect(DECODE.br(fresh.body).toString()).toContain('yyyy');
});

test('small responses, responses to changes and errors are never compressed', async ({
  call,
  service,
  project,
}) => {
  const one = await largeRecord(call);
  const readRaw = await rawReader(service, project);
  const accept = { 'accept-encoding': 'br, gzip' };
  const { body: small } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const changed = await call('PATCH', one, { body: { enabled: true }, headers: accept });
  expect(changed.text.length).toBeGreaterThan(1024);
  const responses = [
    changed.headers.get('content-encoding') ?? undefined,
    (await readRaw(`/plugin_configs/${small.id}`, accept)).headers['content-encoding'],
    (await readRaw(`/plugin_configs/0?${'x'.repeat(2000)}`, accept)).headers['content-encoding'],
  ];
  expect(responses).toEqual([undefined, undefined, undefined]);
});
