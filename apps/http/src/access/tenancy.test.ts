import type { WireConfigRecordPage, WireErrorBody, WireProject } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';

const denied = (detail: string) => ({
  type: 'authentication_error',
  code: 'permission_denied',
  detail,
  attr: null,
});
const ENDPOINTS = [
  ['GET', '/plugin_configs', 'plugin:read'],
  ['POST', '/plugin_configs', 'plugin:write'],
  ['GET', '/plugin_configs/1', 'plugin:read'],
  ['PATCH', '/plugin_configs/1', 'plugin:write'],
  ['DELETE', '/plugin_configs/1', 'plugin:write'],
  ['GET', '/plugin_configs/1/activity', 'plugin:read'],
  ['GET', '/plugin_configs/1/frontend', 'plugin:read'],
  ['POST', '/plugin_configs/1/job', 'plugin:write'],
  ['GET', '/plugin_configs/1/jobs/0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f', 'plugin:read'],
  ['PUT', '/plugin_configs/1/config', 'plugin:write'],
  ['PATCH', '/plugin_configs/rearrange', 'plugin:write'],
  ['GET', '/plugin_configs/1/logs', 'plugin:read'],
  ['GET', '/pipeline_transformation_configs', 'plugin:read'],
  ['POST', '/pipeline_transformation_configs', 'plugin:write'],
  ['PATCH', '/pipeline_transformation_configs/rearrange', 'plugin:write'],
] as const;

const api = ({ url }: Service, token: string) => caller({ base: `${url}/api/projects`, token });

test.for(ENDPOINTS)('%s %s needs the scope %s', async ([method, path, scope], { call, service }) => {
  const { token } = await service.issueKey({ scopes: ['plugin_log:write'] });
  const { status, body } = await call<WireErrorBody>(method, path, { token });
  expect([status, body]).toEqual([403, denied(`API key missing required scope '${scope}'`)]);
});

test.for(ENDPOINTS)(
  '%s %s is open to a key with the scope %s',
  async ([method, path, scope], { call, service }) => {
    const { token } = await service.issueKey({ scopes: [scope] });
    expect((await call(method, path, { token })).status).not.toBe(403);
  },
);

test('who may write may read, and not the other way round', async ({ call, service }) => {
  const writer = await service.issueKey({ scopes: ['plugin:write'] });
  const reader = await service.issueKey({ scopes: ['plugin:read'] });
  expect((await call('GET', '/plugin_configs', { token: writer.token })).status).toBe(200);
  expect((await call('POST', '/plugin_configs', { token: reader.token, body: { plugin: 1 } })).status).toBe(
    403,
  );
});

test('a key that is bound to projects is refused every other one, existing or not', async ({
  project,
  service,
}) => {
  const other = await service.ports.projects.create('Other', new Date());
  const call = api(service, (await service.issueKey({ projectIds: [project.id] })).token);
  expect((await call('GET', `/${project.id}/plugin_configs`)).status).toBe(200);
  for (const id of [other.id, 2_000_000_000, 9_007_199_254_740_991]) {
    const { status, body } = await call<WireErrorBody>('GET', `/${id}/plugin_configs`);
    const detail = `API key does not have access to the requested project: ID ${id}.`;
    expect([status, body]).toEqual([403, denied(detail)]);
  }
});

test('what cannot be a project is not found, whatever the key is bound to', async ({ project, service }) => {
  const free = await service.issueKey();
  const bound = await service.issueKey({ projectIds: [project.id] });
  for (const { token } of [free, bound]) {
    for (const id of ['0', 'abc', '-1', '1.5', '9007199254740993', '%20', '@mine', '1e3']) {
      const { status, body } = await api(service, token)<WireErrorBody>('GET', `/${id}/plugin_configs`);
      expect([id, status, body.detail]).toEqual([id, 404, 'Project not found.']);
    }
  }
  const { status, body } = await api(service, free.token)<WireErrorBody>('GET', '/2000000000/plugin_configs');
  expect([status, body.detail]).toEqual([404, 'Project not found.']);
});

test('@current is the project of a bound key, else the lowest', async ({ service, project }) => {
  const bound = await service.issueKey({ projectIds: [project.id] });
  const free = await service.issueKey();
  const current = async (token: string) =>
    (await api(service, token)<WireProject>('GET', '/@current/')).body.id;
  expect(await current(bound.token)).toBe(project.id);
  expect(await current(free.token)).toBe(1);
});

test('a record is found under its own project and family alone', async ({ call, service }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const other = await service.ports.projects.create('Other', new Date());
  const { token } = await service.issueKey();
  const elsewhere = api(service, token);
  const places = [`/${other.id}/plugin_configs`, `/${record.team_id}/pipeline_transformation_configs`];
  const works = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/activity'],
    ['GET', '/frontend'],
    ['POST', '/job'],
    ['PUT', '/config'],
  ] as const;
  for (const place of places) {
    for (const [method, path] of works) {
      const { status, body } = await elsewhere<WireErrorBody>(method, `${place}/${record.id}${path}`);
      expect([method, path, status, body.detail]).toEqual([method, path, 404, 'Not found.']);
    }
    const orders = { orders: { [record.id]: 5 } };
    expect(await elsewhere('PATCH', `${place}/rearrange`, { body: orders })).toMatchObject({ status: 400 });
    expect((await elsewhere<WireConfigRecordPage>('GET', place)).body.count).toBe(0);
  }
  expect((await call('GET', `/plugin_configs/${record.id}`)).body).toEqual(record);
});
