import { anAuthor } from '@plugin-config/testing';
import type { WireErrorBody } from '@plugin-config/contract';
import { configRecord } from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { expect } from 'vitest';
import { openService, test } from '../testing/service.fixture.ts';
import { caller } from '../testing/caller.ts';

test.for(FAMILIES)(
  'a new record of %s has the defaults and a Location',
  async (family, { call, project }) => {
    const { status, headers, body } = await call('POST', `/${family}/`, { body: { plugin: 7 } });
    expect(status).toBe(201);
    expect(configRecord.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({
      plugin: 7,
      enabled: false,
      order: 1,
      config: '{}',
      error: null,
      team_id: project.id,
      plugin_info: null,
      delivery_rate_24h: null,
      name: null,
      description: null,
      deleted: false,
    });
    expect(body.created_at).toBe(body.updated_at);
    expect(Object.keys(body)).toEqual([
      'id',
      'plugin',
      'enabled',
      'order',
      'config',
      'error',
      'team_id',
      'plugin_info',
      'delivery_rate_24h',
      'created_at',
      'updated_at',
      'name',
      'description',
      'deleted',
    ]);
    const address = new URL(headers.get('location') ?? '');
    expect(address.pathname).toBe(`/api/projects/${project.id}/${family}/${body.id}`);
    const retrieved = await call('GET', `/${family}/${body.id}`);
    expect([retrieved.text, retrieved.headers.get('etag')]).toEqual([
      JSON.stringify(body),
      headers.get('etag'),
    ]);
  },
);

test('the given fields are stored', async ({ call }) => {
  const sent = {
    plugin: 2147483647,
    enabled: true,
    order: 0,
    name: '',
    description: 'ünïcödé 🦔\n',
    deleted: null,
  };
  const { body } = await call('POST', '/plugin_configs', {
    body: { ...sent, id: 99, team_id: 99, unknown: [1] },
  });
  expect(body).toMatchObject({ ...sent, deleted: false });
  expect(body.id).not.toBe(99);
});

test('an operator may require registered plugins', async () => {
  const service = await openService({ requireRegistered: true });
  try {
    await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
    const call = caller({
      base: `${service.url}/api/projects/@current`,
      token: (await service.issueKey()).token,
    });
    const { status, body } = await call<WireErrorBody>('POST', '/plugin_configs', { body: { plugin: 5 } });
    expect([status, body.code, body.attr]).toEqual([400, 'does_not_exist', 'plugin']);
    await service.ports.plugins.register({ id: 5, name: 'Five' }, new Map(), anAuthor());
    const created = await call('POST', '/plugin_configs', { body: { plugin: 5 } });
    expect(created.status).toBe(201);
    expect(JSON.parse(created.body.plugin_info ?? '')).toMatchObject({ id: 5, name: 'Five' });
    expect(await call('PATCH', `/plugin_configs/${created.body.id}`, { body: { plugin: 6 } })).toMatchObject({
      status: 400,
      body: { code: 'does_not_exist', attr: 'plugin' },
    });
  } finally {
    await service.close();
  }
});
