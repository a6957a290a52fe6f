import type { WireErrorBody } from '@plugin-config/contract';
import { ingest, isoDay, type LogQuota } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { anEntry } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
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

test('only a key with the scope * can set a quota', async ({ service, project }) => {
  const { token } = await service.issueKey({ scopes: ['project:write'] });
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  expect((await call('PATCH', '', { body: { name: 'Bakery' } })).status).toBe(200);
  const rejected = await call<WireErrorBody>('PATCH', '', { body: { name: 'Shop', log_quota: null } });
  expect([rejected.status, rejected.body.detail]).toEqual([403, "API key missing required scope '*'"]);
  expect((await call<Wire<'project'>>('GET', '')).body.name).toBe('Bakery');
});
