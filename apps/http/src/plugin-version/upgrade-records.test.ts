import type { WireErrorBody } from '@plugin-config/contract';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

test('all records of a plugin are upgraded by a key for all projects, which can follow and cancel it', async ({
  service,
}) => {
  const family = await aFamily(service.ports);
  const name = `mailer-${crypto.randomUUID().slice(0, 8)}`;
  const author = anAuthor({ at: new Date() });
  const { id } = await service.ports.plugins.register({ id: `slug:${name}`, name }, new Map(), author);
  await aRecord(service.ports, family, { plugin: id });
  const { token, key } = await service.issueKey({ scopes: ['plugin:write', 'plugin_registry:write'] });
  const call = caller({ base: `${service.url}/api/plugins/slug:${name}/versions`, token });
  await call('PUT', '/1', { body: { schema_version: 1, checks: true } });
  await call('PUT', '/2', { body: { schema_version: 2, migrations: [{ from: 1, steps: [] }] } });

  const path = '/2/upgrade';
  expect((await call('GET', path)).status).toBe(404);
  const started = await call<Wire<'pluginUpgrade'>>('POST', path, { body: { force: true } });
  expect([started.status, started.headers.get('location')]).toEqual([
    202,
    `${service.url}/api/plugins/${id}/versions/2/upgrade`,
  ]);
  expect(started.body).toEqual({
    version: '2',
    schema_version: 2,
    state: 'running',
    progress: { total: 1, done: 0, upgraded: 0, needs_input: 0, unsupported: 0, pinned: 0 },
    force: true,
    actor: { key_id: key.id, label: key.label },
    started_at: expect.any(String),
    finished_at: null,
  });
  expect((await call('POST', path)).body).toEqual(started.body);
  expect((await call('GET', path)).body).toEqual(started.body);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call<Wire<'pluginUpgrade'>>('GET', path)).body.state).toBe('cancelled');

  await call('PATCH', '/2', { body: { state: 'withdrawn' } });
  const withdrawn = await call<WireErrorBody>('POST', path);
  expect([withdrawn.status, withdrawn.body.attr]).toEqual([400, 'version']);
  const bound = await service.issueKey({ projectIds: [family.projectId] });
  const other = caller({ base: `${service.url}/api/plugins/${id}/versions`, token: bound.token });
  for (const method of ['POST', 'GET', 'DELETE'] as const) {
    expect([method, (await call(method, '/3/upgrade')).status]).toEqual([method, 404]);
    expect([method, (await other(method, path)).status]).toEqual([method, 403]);
  }
});
