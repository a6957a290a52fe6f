import { FAMILIES } from '@plugin-config/domain';
import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { exampleBody, OPERATIONS, pathOf } from '../testing/mounted-endpoints.ts';
import { test } from '../testing/service.fixture.ts';

const MISSING = { record: 9_007_199_254_740_000, job: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f' };

/** The operations that need a scope, of one family: both have the same scopes. */
const SCOPED = OPERATIONS.filter(
  ({ endpoint, family }) => endpoint.scope !== null && (family === null || family === FAMILIES[0]),
);

/** What a customer may do. Everything else, also a new operation, is rejected. */
const OF_CUSTOMERS: readonly string[] = [
  'cancelJob',
  'countLogs',
  'countProjectLogs',
  'listErrors',
  'listFailedDeliveries',
  'listJobs',
  'listLogs',
  'listPlugins',
  'listRecords',
  'patchConfiguration',
  'queueCheck',
  'queueJob',
  'retrieveCheck',
  'retrieveDeliveries',
  'retrieveFrontend',
  'retrieveJob',
  'retrieveLogEntry',
  'retrievePlugin',
  'retrieveRecentDeliveries',
  'retrieveRecord',
  'setConfiguration',
  'streamLogs',
  'streamRecords',
  'updateRecord',
];

test('config:write admits exactly the operations of customers', async ({ service, project }) => {
  const { token } = await service.issueKey({ scopes: ['config:write'] });
  const call = caller({ base: service.url, token });
  const names: string[] = [];
  for (const operation of SCOPED) {
    const path = pathOf(operation, { project: project.id, ...MISSING });
    // The example would delete the project.
    const request = operation.title === 'deleteProject' ? { body: {} } : exampleBody(operation, null);
    const { status, body } = await call<WireErrorBody>(operation.endpoint.method, path, request);
    if (status !== 403 || !body.detail.startsWith('API key missing required scope'))
      names.push(operation.title.replace(/ of .*/, ''));
  }
  expect(names.toSorted()).toEqual(OF_CUSTOMERS);
});

test('config:write changes texts, configuration and enabled of a record, and nothing else', async ({
  service,
  project,
  call: asOwner,
}) => {
  const { token } = await service.issueKey({ scopes: ['config:write'], projectIds: [project.id] });
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  const { body: record } = await asOwner('POST', '/plugin_configs', { body: { plugin: 7, order: 3 } });
  const path = `/plugin_configs/${record.id}`;

  const change = { name: 'Shop', description: 'Ours', enabled: true, config: { host: 'example.com' } };
  const { status, body: changed } = await call('PATCH', path, { body: change });
  expect([status, changed]).toEqual([
    200,
    expect.objectContaining({ ...change, config: '{"host":"example.com"}', order: 3 }),
  ]);
  expect((await call('PUT', `${path}/config`, { body: { host: 'b' } })).status).toBe(200);
  expect((await call('PATCH', `${path}/config`, { body: { port: 1 } })).status).toBe(200);

  for (const body of [{ order: 4 }, { plugin: 8 }, { deleted: true }, { name: 'New', order: 4 }]) {
    const rejected = await call<WireErrorBody>('PATCH', path, { body });
    expect([rejected.status, rejected.body.detail]).toEqual([
      403,
      "API key missing required scope 'plugin:write'",
    ]);
  }
  const sentBack = await call('PATCH', path, { body: { ...changed, name: 'Renamed' } });
  expect([sentBack.status, sentBack.body.name, sentBack.body.order]).toEqual([200, 'Renamed', 3]);

  await asOwner('DELETE', path);
  expect((await call('PATCH', path, { body: { deleted: false } })).status).toBe(403);
});

test('config:write queues and cancels jobs of runtimes, but no changes to records', async ({
  service,
  project,
  call: asOwner,
}) => {
  const { token } = await service.issueKey({ scopes: ['config:write'], projectIds: [project.id] });
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  const admin = caller({ base: `${service.url}/api`, token: (await service.issueKey()).token });
  await admin('PUT', '/plugins/7', { body: { name: 'Export', jobs: [{ type: 'replay' }] } });
  const { body: record } = await asOwner('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  const jobId = (response: { readonly headers: Headers }): string =>
    response.headers.get('location')?.split('/').at(-1) ?? '';

  for (const body of [{ enabled: true }, { order: 4 }, {}])
    expect((await call('POST', `${path}/job`, { body })).status).toBe(403);
  const replay = await call('POST', `${path}/job`, { body: { job: { type: 'replay' } } });
  expect(replay.status).toBe(200);
  expect((await call('DELETE', `${path}/jobs/${jobId(replay)}`)).status).toBe(204);
  const change = await asOwner('POST', `${path}/job`, { body: { enabled: true } });
  expect((await call('DELETE', `${path}/jobs/${jobId(change)}`)).status).toBe(403);
  expect((await call('DELETE', `${path}/jobs/${crypto.randomUUID()}`)).status).toBe(404);
});
