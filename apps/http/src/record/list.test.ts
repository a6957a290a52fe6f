import { anAuthor } from '@plugin-config/testing';
import type { WireConfigRecordPage } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { openService, test } from '../testing/service.fixture.ts';

const add = async (call: Call, fields: object) =>
  (await call('POST', '/plugin_configs', { body: { plugin: 1, ...fields } })).body.id;
const list = async (call: Call, query = '') =>
  (await call<WireConfigRecordPage>('GET', `/plugin_configs${query}`)).body;

test('pages have absolute links to each other that keep the filters', async ({ call, service, project }) => {
  for (const order of [1, 2, 3, 4, 5]) await add(call, { order, name: 'x y' });
  const address = `${service.url}/api/projects/${project.id}/plugin_configs`;
  const links = async (query: string) => {
    const { next, previous, count } = await list(call, query);
    expect(count).toBe(5);
    return [next, previous];
  };
  expect(await links('')).toEqual([null, null]);
  expect(await links('/?limit=2')).toEqual([`${address}/?limit=2&offset=2`, null]);
  expect(await links('?limit=2&offset=2')).toEqual([`${address}?limit=2&offset=4`, `${address}?limit=2`]);
  expect(await links('?limit=2&offset=1')).toEqual([`${address}?limit=2&offset=3`, `${address}?limit=2`]);
  expect(await links('?limit=2&offset=4')).toEqual([null, `${address}?limit=2&offset=2`]);
  expect(await links('?search=x+y&limit=4&unknown=%26&plugin=')).toEqual([
    `${address}?search=x+y&unknown=%26&limit=4&offset=4`,
    null,
  ]);
  expect(await links('?offset=77')).toEqual([null, `${address}?limit=100`]);
  expect((await list(call, '?offset=2147483647')).results).toEqual([]);
  expect(await links('?limit=5000')).toEqual([null, null]);
});

test('links use the host of the request if it is well-formed', async ({ call, service, project }) => {
  for (const order of [1, 2]) await add(call, { order });
  const { token } = await service.issueKey();
  const nextFor = async (host: string): Promise<string> => {
    const response = await rawRequest(service.url, [
      `GET /api/projects/${project.id}/plugin_configs?limit=1 HTTP/1.1`,
      host,
      `Authorization: Bearer ${token}`,
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'Connection: close',
    ]);
    return JSON.parse(response.body).next;
  };
  const path = `/api/projects/${project.id}/plugin_configs?limit=1&offset=1`;
  expect(await nextFor('Host: api.example:8443')).toBe(`http://api.example:8443${path}`);
  expect(await nextFor('Host: [::1]:80')).toBe(`http://[::1]:80${path}`);
  expect(await nextFor('Host: evil.example/?x=')).toBe(service.url + path);
  expect(await nextFor('Host: a"b')).toBe(service.url + path);
});

test('a cached list never has links to another host', async ({ call, service, project }) => {
  for (const order of [1, 2]) await add(call, { order });
  const { token } = await service.issueKey();
  const path = `/api/projects/${project.id}/plugin_configs?limit=1`;
  const nextFor = async (target: string, host: string): Promise<string> => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`];
    return JSON.parse((await rawRequest(service.url, [...lines, 'Connection: close'])).body).next;
  };
  const odd = () => nextFor(`http://b.example${path}`, 'a.example');
  const before = await odd();
  expect(before).toBe(`http://a.example${path}&offset=1`);
  expect(await nextFor(path, 'b.example')).toBe(`http://b.example${path}&offset=1`);
  expect(await odd()).toBe(before);
});

test('PUBLIC_URL takes precedence over a trusted proxy, and that over the host', async () => {
  const published = await openService({ publicUrl: 'https://plugins.example/base' });
  const proxied = await openService({ trustProxy: true });
  try {
    const headers = { 'x-forwarded-host': 'front.example', 'x-forwarded-proto': 'https' };
    const next = async (service: typeof published) => {
      await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
      const call = caller({
        base: `${service.url}/api/projects/@current`,
        token: (await service.issueKey()).token,
      });
      for (const order of [1, 2]) await add(call, { order });
      const { body } = await call<WireConfigRecordPage>('GET', '/plugin_configs?limit=1', { headers });
      const created = await call('POST', '/plugin_configs', { body: { plugin: 1 }, headers });
      return [body.next, created.headers.get('location')];
    };
    const tail = '/api/projects/@current/plugin_configs?limit=1&offset=1';
    expect(await next(published)).toEqual([
      `https://plugins.example/base${tail}`,
      'https://plugins.example/base/api/projects/1/plugin_configs/3',
    ]);
    expect(await next(proxied)).toEqual([
      `https://front.example${tail}`,
      'https://front.example/api/projects/1/plugin_configs/3',
    ]);
  } finally {
    await published.close();
    await proxied.close();
  }
});
