import { anAuthor } from '@plugin-config/testing';
import {
  projectPage,
  type WireErrorBody,
  type WireProject,
  type WireProjectPage,
} from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';

async function apiOf(service: Service, projectIds: readonly number[] = []) {
  const { token } = await service.issueKey({ scopes: ['plugin_log:write'], projectIds });
  return caller({ base: `${service.url}/api/projects`, token });
}

test('any valid key lists the projects it has access to', async ({ service }) => {
  const projects = [];
  for (const name of ['A', 'B', 'C'])
    projects.push(await service.ports.projects.create(name, anAuthor({ at: new Date() })));
  const [a, , c] = projects.map(({ id }) => id);
  const bound = await (await apiOf(service, [c ?? 0, a ?? 0]))<WireProjectPage>('GET', '/');
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
  const all = await (await apiOf(service))<WireProjectPage>('GET', '?limit=1&offset=1');
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
    name: project.name,
    created_at: project.createdAt.toISOString(),
    log_quota: null,
  };
  for (const path of [`/${project.id}`, `/${project.id}/`, '/@current', '/%40current/']) {
    expect((await api<WireProject>('GET', path)).body).toEqual(expected);
  }
  expect((await api<WireErrorBody>('GET', `/${project.id + 1}`)).status).toBe(403);
  expect((await (await apiOf(service))<WireErrorBody>('GET', '/2000000000')).body.detail).toBe(
    'Project not found.',
  );
});
