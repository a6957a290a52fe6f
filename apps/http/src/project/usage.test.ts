import type { WireErrorBody } from '@plugin-config/contract';
import { ingest, isoDay, type LogQuota } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { anEntry } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { openServiceOn, test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const NONE = { entries_per_day: null, bytes_per_day: null };

test('the usage contains each of the last 31 days and the quota', async ({ call, database }) => {
  const unused = await call<Wire<'usage'>>('GET', '/usage');
  expect(unused.body.quota).toEqual(NONE);
  expect(unused.body.days).toHaveLength(31);
  const { id } = (await call('POST', '/plugin_configs', { body: { plugin: 7 } })).body;
  const stores = postgresIngestionStores(database);
  const logQuota: LogQuota = { entriesPerDay: 2, bytesPerDay: null };
  const entries = ['a', 'é', 'c'].map((message) => anEntry({ id }, { message, timestamp: Date.now() }));
  await ingest({ stores, logQuota }, entries);
  const { body } = await call<Wire<'usage'>>('GET', '/usage');
  expect(body.days[0]).toEqual({ day: isoDay(new Date()), entries: 2, bytes: 3, over_quota: 1 });
  expect(body.days.slice(1)).toEqual(unused.body.days.slice(1));
});

test('a quota can be set, replaced and reset to the settings', async ({ call, project, service }) => {
  const change = async (log_quota: unknown) =>
    (await call<Wire<'project'>>('PATCH', '', { body: { log_quota } })).body;
  expect((await call<Wire<'project'>>('GET', '')).body.log_quota).toBeNull();
  const set = { entries_per_day: 1_000_000, bytes_per_day: null };
  expect(await change(set)).toMatchObject({ id: project.id, name: project.name, log_quota: set });
  expect((await call<Wire<'usage'>>('GET', '/usage')).body.quota).toEqual(set);
  expect(await change({ bytes_per_day: Number.MAX_SAFE_INTEGER })).toMatchObject({
    log_quota: { entries_per_day: null, bytes_per_day: Number.MAX_SAFE_INTEGER },
  });
  expect(await change(null)).toMatchObject({ log_quota: null });
  const [latest] = (await service.ports.audit.page({ limit: 1, offset: 0 })).items;
  expect(latest).toMatchObject({
    action: 'project_quota_changed',
    subject: { id: project.id, name: project.name },
  });
});

test('a project without a quota has the one in the settings', async ({ service, project }) => {
  const limited = await openServiceOn(service.databaseUrl, {
    logQuota: { entriesPerDay: 5, bytesPerDay: 7 },
  });
  const { token } = await limited.issueKey();
  const call = caller({ base: `${limited.url}/api/projects/${project.id}`, token });
  await call('PATCH', '', { body: { log_quota: { entries_per_day: 9 } } });
  expect((await call<Wire<'usage'>>('GET', '/usage')).body.quota).toEqual({
    entries_per_day: 9,
    bytes_per_day: 7,
  });
  expect((await call<Wire<'project'>>('GET', '')).body.log_quota).toEqual({
    entries_per_day: 9,
    bytes_per_day: null,
  });
  await limited.close();
});

test.for([
  [{ log_quota: 5 }, 'log_quota'],
  [{ log_quota: { entries_per_day: 0 } }, 'log_quota.entries_per_day'],
  [{ log_quota: { entries_per_day: '5' } }, 'log_quota.entries_per_day'],
  [{ log_quota: { bytes_per_day: 1.5 } }, 'log_quota.bytes_per_day'],
  [{ name: '' }, 'name'],
] as const)('%j is rejected', async ([body, attr], { call }) => {
  const rejected = await call<WireErrorBody>('PATCH', '', { body });
  expect([rejected.status, rejected.body.attr]).toEqual([400, attr]);
});

test('only a key with the scope * can set a quota', async ({ service, project }) => {
  const { token } = await service.issueKey({ scopes: ['project:write'] });
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  expect((await call('PATCH', '', { body: { name: 'Bakery' } })).status).toBe(200);
  const rejected = await call<WireErrorBody>('PATCH', '', { body: { name: 'Shop', log_quota: null } });
  expect([rejected.status, rejected.body.detail]).toEqual([403, "API key missing required scope '*'"]);
  expect((await call<Wire<'project'>>('GET', '')).body.name).toBe('Bakery');
});
