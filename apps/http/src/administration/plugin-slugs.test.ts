import type { WireConfigRecord, WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const ALL = '/plugin_configs';

const put = async (call: Call, ref: number | string, body: object) =>
  call<Wire<'registrationResult'> & WireErrorBody>('PUT', `/../../plugins/${ref}`, { body });

const attach = async (call: Call, plugin: unknown, fields: object = {}) =>
  call<WireConfigRecord & WireErrorBody>('POST', ALL, { body: { plugin, ...fields } });

test('a plugin is put by its slug, which then stands for its id in paths', async ({ call }) => {
  const first = await put(call, 'slug:by-path', { name: 'One' });
  const { records: _, ...plugin } = first.body;
  expect([first.status, plugin.slug]).toEqual([200, 'by-path']);
  expect((await put(call, 'slug:by-path', { name: 'One', slug: 'by-path' })).body.id).toBe(plugin.id);
  expect((await put(call, plugin.id, { name: 'One' })).body.slug).toBe('by-path');
  for (const ref of [plugin.id, 'slug:by-path'])
    expect((await call('GET', `/../../plugins/${ref}`)).body).toEqual(plugin);
  const { body: record } = await attach(call, plugin.id);
  const { body: attached } = await call<Wire<'attachedRecordPage'>>(
    'GET',
    '/../../plugins/slug:by-path/records',
  );
  expect(attached.results.map((one) => one.record.id)).toEqual([record.id]);
  expect((await call('DELETE', '/../../plugins/slug:by-path')).status).toBe(204);
  for (const path of ['slug:by-path', 'slug:by-path/records', 'slug:By-Path', 'slug:'])
    expect([path, (await call('GET', `/../../plugins/${path}`)).status]).toEqual([path, 404]);
  expect((await call('DELETE', '/../../plugins/slug:by-path')).status).toBe(404);
  expect((await put(call, 'slug:by-path', { name: 'Two' })).body.id).toBeGreaterThan(plugin.id);
});

test('a slug in use is 409, a malformed or other one 400, and null removes it', async ({ call }) => {
  const { id } = (await put(call, 'slug:in-use', { name: 'One' })).body;
  const taken = await put(call, id + 1, { name: 'Two', slug: 'in-use' });
  expect(taken).toMatchObject({ status: 409, body: { code: 'already_exists', attr: 'slug' } });
  for (const slug of ['', '-a', 'A', 'a_b', 'a'.repeat(64), 7]) {
    const { status, body } = await put(call, id, { name: 'One', slug });
    expect([slug, status, body.attr]).toEqual([slug, 400, 'slug']);
  }
  const rejected = [
    ['slug:-a', {}],
    [`slug:${'a'.repeat(64)}`, {}],
    ['slug:in-use', { slug: 'other' }],
    ['slug:in-use', { slug: null }],
  ] as const;
  for (const [ref, fields] of rejected) {
    const { status, body } = await put(call, ref, { name: 'One', ...fields });
    expect([ref, status, body.attr]).toEqual([ref, 400, 'slug']);
  }
  expect((await put(call, id, { name: 'One', slug: null })).body.slug).toBeUndefined();
  expect((await put(call, id, { name: 'One', slug: 'a'.repeat(63) })).status).toBe(200);
});

test('bodies take a slug; responses keep the id, and plugin_info and runtimes show the slug', async ({
  call,
}) => {
  const { id } = (await put(call, 'slug:geoip', { name: 'GeoIP' })).body;
  const created = await attach(call, 'slug:geoip', { enabled: true });
  expect([created.status, created.body.plugin]).toEqual([201, id]);
  expect(JSON.parse(created.body.plugin_info ?? '')).toEqual({ id, slug: 'geoip', name: 'GeoIP' });
  const feed = await call<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`);
  expect(feed.body.results).toMatchObject([{ plugin: id, plugin_slug: 'geoip' }]);
  const other = (await attach(call, id + 1)).body;
  const path = `${ALL}/${other.id}`;
  expect((await call('PATCH', path, { body: { plugin: 'slug:geoip' } })).body.plugin).toBe(id);
  expect((await call('PUT', path, { body: { plugin: 'slug:geoip', name: 'PUT' } })).body.plugin).toBe(id);
  expect((await call('POST', `${path}/job`, { body: { plugin: 'slug:geoip' } })).status).toBe(200);
  const moved = await call('PATCH', `${ALL}/rearrange`, {
    body: { plugin: 'slug:geoip', name: 'PUT', order: 1 },
  });
  expect([moved.status, moved.body.id]).toEqual([200, other.id]);
});

test('an unknown slug in a body is 400 and names it', async ({ call }) => {
  const { id } = (await attach(call, 1)).body;
  const unknown = { plugin: 'slug:unknown', order: 1 };
  const document = { format: 1, manager: 'team', plugin_configs: [{ key: 'a', plugin: 'slug:unknown' }] };
  const sent = [
    ['POST', ALL, unknown, 'plugin'],
    ['PATCH', `${ALL}/${id}`, unknown, 'plugin'],
    ['PUT', `${ALL}/${id}`, unknown, 'plugin'],
    ['POST', `${ALL}/${id}/job`, unknown, 'plugin'],
    ['PATCH', `${ALL}/rearrange`, unknown, 'plugin'],
    ['POST', '/configuration/plan', { document }, 'plugin_configs[0].plugin'],
  ] as const;
  for (const [method, path, body, attr] of sent) {
    const rejected = await call<WireErrorBody>(method, path, { body });
    const { status, body: error } = rejected;
    expect([path, status, error.code, error.attr, error.detail]).toEqual([
      path,
      400,
      'does_not_exist',
      attr,
      'No plugin has the slug unknown.',
    ]);
  }
  for (const plugin of ['5', 'geoip', 'slug:', 'slug:A', 1.5, true, {}])
    expect(await attach(call, plugin)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', attr: 'plugin' },
    });
  expect(await attach(call, 0)).toMatchObject({ status: 400, body: { code: 'min_value', attr: 'plugin' } });
  expect(await attach(call, null)).toMatchObject({ status: 400, body: { code: 'null', attr: 'plugin' } });
});

test('a list by slug follows the slug to another plugin, and is empty for an unknown one', async ({
  call,
}) => {
  const ids = async () =>
    (await call<WireConfigRecordPage>('GET', `${ALL}?plugin=slug:moving`)).body.results.map(({ id }) => id);
  expect(await ids()).toEqual([]);
  const first = (await put(call, 'slug:moving', { name: 'First' })).body.id;
  const second = (await put(call, 'slug:second', { name: 'Second' })).body.id;
  const [one, two] = [(await attach(call, first)).body.id, (await attach(call, second)).body.id];
  for (let round = 0; round < 3; round++) {
    expect([await ids(), await ids()]).toEqual([[one], [one]]);
    await put(call, first, { name: 'First', slug: null });
    expect(await ids()).toEqual([]);
    await put(call, second, { name: 'Second', slug: 'moving' });
    expect([await ids(), await ids()]).toEqual([[two], [two]]);
    expect((await attach(call, 'slug:moving', { deleted: true })).body.plugin).toBe(second);
    await put(call, second, { name: 'Second', slug: 'second' });
    await put(call, first, { name: 'First', slug: 'moving' });
  }
  for (const plugin of ['moving', 'slug:', 'slug:A', '0']) {
    const { status, body } = await call<WireErrorBody>('GET', `${ALL}?plugin=${plugin}`);
    expect([plugin, status, body.attr]).toEqual([plugin, 400, 'plugin']);
  }
});

test('a repeated creation returns the first record, even if its slug has moved or is gone', async ({
  call,
}) => {
  const { id } = (await put(call, 'slug:once', { name: 'Once' })).body;
  const create = () =>
    call('POST', ALL, { body: { plugin: 'slug:once' }, headers: { 'idempotency-key': 'one' } });
  const first = (await create()).body;
  await put(call, id, { name: 'Once', slug: null });
  expect((await create()).body).toMatchObject({ id: first.id, plugin: id });
  await put(call, 'slug:once', { name: 'Another' });
  expect((await create()).body).toMatchObject({ id: first.id, plugin: id });
});

test('a document with slugs is planned, applied and exported like one with ids', async ({ call }) => {
  const { id } = (await put(call, 'slug:declared', { name: 'Declared' })).body;
  const documentOf = (plugin: number | string) => ({
    format: 1,
    manager: 'team',
    plugin_configs: [{ key: 'a', plugin }],
  });
  const plan = async (plugin: number | string) => {
    const document = documentOf(plugin);
    return {
      document,
      plan: (await call<Wire<'plan'>>('POST', '/configuration/plan', { body: { document } })).body,
    };
  };
  const apply = async ({ document, plan: { base } }: Awaited<ReturnType<typeof plan>>) =>
    call('POST', '/configuration/apply', { body: { document, base } });
  const planned = await plan('slug:declared');
  expect((await plan(id)).plan).toEqual(planned.plan);
  expect((await apply(planned)).status).toBe(200);
  for (const plugin of [id, 'slug:declared']) expect((await plan(plugin)).plan.changes).toEqual([]);
  const exported = async () =>
    (await call<Wire<'document'>>('GET', '/configuration?manager=team')).body.plugin_configs?.map(
      ({ plugin }) => plugin,
    );
  expect(await exported()).toEqual(['slug:declared']);
  const outdated = await plan('slug:declared');
  await put(call, id, { name: 'Declared', slug: null });
  await put(call, 'slug:declared', { name: 'Another' });
  expect(await exported()).toEqual([id]);
  expect((await apply(outdated)).status).toBe(412);
});

test('webhooks, incidents, errors and runtimes are filtered by slug', async ({ call }) => {
  const { id } = (await put(call, 'slug:filter', { name: 'Filter' })).body;
  const sent = { url: 'https://hooks.example.com/slug', events: ['record.created'] };
  const create = (plugin: string) =>
    call<Wire<'webhook'> & WireErrorBody>('POST', '/webhooks', { body: { ...sent, plugin } });
  const rejected = { status: 400, body: { code: 'does_not_exist', attr: 'plugin' } };
  expect(await create('slug:unknown')).toMatchObject(rejected);
  const { body: webhook } = await create('slug:filter');
  expect(webhook.plugin).toBe(id);
  const change = (plugin: string | null) =>
    call<Wire<'webhook'>>('PATCH', `/webhooks/${webhook.id}`, { body: { plugin } });
  expect(await change('slug:unknown')).toMatchObject(rejected);
  expect([(await change(null)).body.plugin, (await change('slug:filter')).body.plugin]).toEqual([null, id]);
  const found = async (slug: string) =>
    (await call<Wire<'webhookPage'>>('GET', `/webhooks?plugin=slug:${slug}`)).body.results.map(
      (one) => one.id,
    );
  expect([await found('filter'), await found('unknown')]).toEqual([[webhook.id], []]);
  for (const list of ['/incidents', '/../../incidents', '/../../errors', '/../../runtimes'])
    for (const slug of ['filter', 'unknown'])
      expect([list, await call('GET', `${list}?plugin=slug:${slug}`)]).toMatchObject([
        list,
        { status: 200, body: { count: 0, results: [] } },
      ]);
});
