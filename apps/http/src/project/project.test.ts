import { anAuthor } from '@plugin-config/testing';
import { projectPage, type WireErrorBody, type WireNewApiKey } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

async function apiOf(service: Service, projectIds: readonly number[] = []) {
  const { token } = await service.issueKey({ scopes: ['plugin_log:write'], projectIds });
  return caller({ base: `${service.url}/api/projects`, token });
}

test('any valid key lists the projects it has access to', async ({ service }) => {
  const projects = [];
  for (const name of ['A', 'B', 'C'])
    projects.push(await service.ports.projects.create({ name }, anAuthor({ at: new Date() })));
  const [a, , c] = projects.map(({ id }) => id);
  const bound = await (await apiOf(service, [c ?? 0, a ?? 0]))<Wire<'projectPage'>>('GET', '/');
  expect(projectPage.parse(bound.body)).toEqual(bound.body);
  expect(bound.body).toMatchObject({
    count: 2,
    next: null,
    previous: null,
    results: [
      { id: a, name: 'A' },
      { id: c, name: 'C' },
    ],
  });
  const all = await (await apiOf(service))<Wire<'projectPage'>>('GET', '?limit=1&offset=1');
  expect(all.body.count).toBeGreaterThanOrEqual(3);
  expect(all.body).toMatchObject({
    next: `${service.url}/api/projects?limit=1&offset=2`,
    previous: `${service.url}/api/projects?limit=1`,
  });
  expect((await (await apiOf(service))<WireErrorBody>('GET', '?limit=no')).body.attr).toBe('limit');
});

test('a project can be read by its id or as @current', async ({ service, project }) => {
  const api = await apiOf(service, [project.id]);
  const expected = {
    id: project.id,
    external_id: null,
    name: project.name,
    created_at: project.createdAt.toISOString(),
    log_quota: null,
  };
  for (const path of [`/${project.id}`, `/${project.id}/`, '/@current', '/%40current/']) {
    expect((await api<Wire<'project'>>('GET', path)).body).toEqual(expected);
  }
  expect((await api<WireErrorBody>('GET', `/${project.id + 1}`)).status).toBe(403);
  expect((await (await apiOf(service))<WireErrorBody>('GET', '/2000000000')).body.detail).toBe(
    'Project not found.',
  );
});

test('a project is put by its external id, which then stands for its id', async ({ service }) => {
  const { token } = await service.issueKey({ scopes: ['*'] });
  const call = caller({ base: `${service.url}/api`, token });
  const put = (body: object) => call<Wire<'project'>>('PUT', '/projects/ext:acme:eu-1', { body });
  const [first, ...others] = await Promise.all([put({}), put({}), put({})]);
  expect([first, ...others].map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
  const { id } = first.body;
  const renamed = await put({ name: 'Acme' });
  expect([renamed.status, renamed.body]).toEqual([200, { ...first.body, name: 'Acme' }]);
  expect((await put({})).body).toEqual(renamed.body);
  expect((await put({ external_id: 'acme:eu-1' })).status).toBe(200);
  expect((await put({ external_id: 'other' })).status).toBe(400);
  const { body: record } = await call('POST', '/projects/ext:acme:eu-1/plugin_configs', {
    body: { plugin: 7, name: 'GeoIP' },
  });
  const path = `plugin_configs/${record.id}`;
  expect((await call('GET', `/projects/ext:acme:eu-1/${path}`)).body).toEqual(
    (await call('GET', `/projects/${id}/${path}`)).body,
  );
  const key = await call<WireNewApiKey>('POST', '/keys', {
    body: { label: 'host', scopes: ['plugin:read'], project_ids: ['ext:acme:eu-1'] },
  });
  expect(key.body.project_ids).toEqual([id]);
  const found = await call<Wire<'projectPage'>>('GET', '/projects?external_id=acme:eu-1');
  expect(found.body.results).toEqual([renamed.body]);
  expect((await call<Wire<'projectPage'>>('GET', '/projects?search=ME:EU')).body.results).toEqual([
    renamed.body,
  ]);
  const deleted = await call<Wire<'erasure'>>('DELETE', '/projects/ext:acme:eu-1', {
    body: { name: 'Acme' },
  });
  expect([deleted.status, deleted.body.project_id]).toEqual([202, id]);
  expect((await call('GET', '/projects/ext:acme:eu-1')).status).toBe(404);
  expect((await put({})).body.id).not.toBe(id);
});

test('a key that is bound to projects cannot tell which external ids exist', async ({ service, project }) => {
  const { token } = await service.issueKey({ scopes: ['*'], projectIds: [project.id] });
  await service.ports.projects.create({ name: 'Other', externalId: 'other' }, anAuthor({ at: new Date() }));
  const call = caller({ base: `${service.url}/api`, token });
  for (const ref of ['ext:other', 'ext:unknown']) {
    const { status, body } = await call<WireErrorBody>('GET', `/projects/${ref}/plugin_configs`);
    expect([status, body.detail]).toEqual([
      403,
      `API key does not have access to the requested project: ID ${ref}.`,
    ]);
    const key = { label: 'more', scopes: ['plugin:read'], project_ids: [ref] };
    const issued = await call<WireErrorBody>('POST', '/keys', { body: key });
    expect([issued.status, issued.body.detail]).toEqual([
      403,
      'This key cannot grant access to all of these projects.',
    ]);
  }
});
