import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';

const create = async (call: Call, fields: object = {}) =>
  (await call('POST', '/plugin_configs', { body: { plugin: 1, ...fields } })).body;
const tagOf = async (call: Call, path: string): Promise<string> =>
  (await call('GET', path)).headers.get('etag') ?? '';
const revalidate = (call: Call, path: string, tag: string, method = 'GET') =>
  call(method, path, { headers: { 'if-none-match': tag } });
const withIfMatch = (tag: string, fields: object = {}) => ({ headers: { 'if-match': tag }, ...fields });

test.for(['/plugin_configs', '/plugin_configs?limit=1&enabled=false', 'record'])(
  '%s returns 304 for a current tag',
  async (where, { call }) => {
    const { id } = await create(call);
    const path = where === 'record' ? `/plugin_configs/${id}` : where;
    const first = await call('GET', path);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{8}\.(?:\d+|plugin_configs\.\d+)\.\d+-[\w-]+"$/);
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*', `W/"x" , W/${tag}`]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await revalidate(call, path, header, method);
        expect([header, status, text, headers.get('etag')]).toEqual([header, 304, '', tag]);
        expect([headers.get('cache-control'), headers.get('content-length')]).toEqual([
          'private, no-cache',
          null,
        ]);
      }
    }
    for (const header of ['"other"', tag.slice(1, -1), 'W/"x"', '']) {
      expect([header, (await revalidate(call, path, header)).text]).toEqual([header, first.text]);
    }
  },
);

test('a change to a record changes its tag and those of its lists', async ({ call }) => {
  const { id } = await create(call);
  const path = `/plugin_configs/${id}`;
  const [record, list] = [await tagOf(call, path), await tagOf(call, '/plugin_configs')];
  await call('PATCH', path, { body: { name: 'other' } });
  expect((await revalidate(call, path, record)).body.name).toBe('other');
  expect((await revalidate(call, '/plugin_configs', list)).status).toBe(200);
  expect(await tagOf(call, path)).not.toBe(record);
});

test('every response with one record has the same tag as a GET', async ({ call }) => {
  const { id } = await create(call);
  const path = `/plugin_configs/${id}`;
  const works = [
    ['PATCH', path, { name: 'a' }],
    ['PUT', `${path}/config`, { a: 1 }],
    ['PATCH', '/plugin_configs/rearrange', { plugin: 1, order: 9 }],
    ['POST', `${path}/job`, { name: 'b' }],
  ] as const;
  for (const [method, where, body] of works) {
    const response = await call(method, where, { body });
    expect([method, response.status, response.headers.get('etag')]).toEqual([
      method,
      200,
      await tagOf(call, path),
    ]);
  }
});

test.for([
  ['PATCH', '', { name: 'changed' }],
  ['DELETE', '', undefined],
  ['POST', '/job', { name: 'changed' }],
  ['PUT', '/config', { a: 1 }],
] as const)('%s …%s requires the version in If-Match', async ([method, suffix, body], { call }) => {
  const { id } = await create(call);
  const path = `/plugin_configs/${id}`;
  const old = await tagOf(call, path);
  await call('PATCH', path, { body: { name: 'in between' } });
  const before = (await call('GET', path)).text;
  const current = await tagOf(call, path);
  const ofOtherTimeline = current.replace(/^"[^.]+/, '"another');
  for (const stale of [old, ofOtherTimeline, `W/${current}`, '"2"', 'x', '', '"x-y"']) {
    const response = await call<WireErrorBody>(method, path + suffix, withIfMatch(stale, body && { body }));
    expect([stale, response.status, response.body]).toMatchObject([
      stale,
      412,
      { type: 'invalid_request', code: 'precondition_failed', attr: null },
    ]);
  }
  expect((await call('GET', path)).text).toBe(before);
  const fresh = `"x", ${await tagOf(call, path)}`;
  expect((await call(method, path + suffix, withIfMatch(fresh, body && { body }))).status).toBeLessThan(300);
  expect((await call(method, path + suffix, withIfMatch('*', body && { body }))).status).toBeLessThan(300);
});

test('a rearrange requires the version of the family', async ({ call }) => {
  await create(call);
  await create(call, { plugin: 2 });
  const old = await tagOf(call, '/plugin_configs?limit=1');
  const body = { plugin: 2, order: 1 };
  expect((await call('PATCH', '/plugin_configs/rearrange', withIfMatch(old, { body }))).status).toBe(200);
  expect((await call('PATCH', '/plugin_configs/rearrange', withIfMatch(old, { body }))).status).toBe(412);
  expect(
    (await call('PATCH', '/plugin_configs/rearrange', withIfMatch(old, { body: { orders: {} } }))).status,
  ).toBe(412);
});

test('the tag of another resource does not match, even at the same version', async ({ call }) => {
  const [one, other] = [await create(call), await create(call, { plugin: 2 })];
  await call('POST', '/pipeline_transformation_configs', { body: { plugin: 1 } });
  await call('POST', '/pipeline_transformation_configs', { body: { plugin: 2 } });
  const foreign = await tagOf(call, `/plugin_configs/${other.id}`);
  const list = await tagOf(call, '/pipeline_transformation_configs');
  for (const tag of [foreign, list]) {
    const request = withIfMatch(tag, { body: { plugin: 2, order: 1 } });
    expect((await call('PATCH', `/plugin_configs/${one.id}`, request)).status).toBe(412);
    expect((await call('PATCH', '/plugin_configs/rearrange', request)).status).toBe(412);
  }
});

test('HEAD is GET without a body', async ({ call }) => {
  const { id } = await create(call);
  const paths = ['', `/${id}`, `/${id}/activity`, `/${id}/frontend`, `/${id}/logs`];
  for (const path of paths.map((tail) => `/plugin_configs${tail}`)) {
    const [get, head] = [await call('GET', path), await call('HEAD', path)];
    expect([path, head.status, head.text]).toEqual([path, 200, '']);
    for (const name of ['content-type', 'content-length', 'etag']) {
      expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
    }
  }
});
