import { anAuthor } from '@plugin-config/testing';
import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const denied = (detail: string) => ({
  type: 'authentication_error',
  code: 'permission_denied',
  detail,
  attr: null,
});
const api = ({ url }: Service, token: string) => caller({ base: `${url}/api/projects`, token });

test('plugin:write includes plugin:read, but not vice versa', async ({ call, service }) => {
  const writer = await service.issueKey({ scopes: ['plugin:write'] });
  const reader = await service.issueKey({ scopes: ['plugin:read'] });
  expect((await call('GET', '/plugin_configs', { token: writer.token })).status).toBe(200);
  expect((await call('POST', '/plugin_configs', { token: reader.token, body: { plugin: 1 } })).status).toBe(
    403,
  );
});

test('a key bound to projects has no access to other projects, whether they exist or not', async ({
  project,
  service,
}) => {
  const other = await service.ports.projects.create({ name: 'Other' }, anAuthor({ at: new Date() }));
  const call = api(service, (await service.issueKey({ projectIds: [project.id] })).token);
  expect((await call('GET', `/${project.id}/plugin_configs`)).status).toBe(200);
  for (const id of [other.id, 2_000_000_000, 9_007_199_254_740_991]) {
    const { status, body } = await call<WireErrorBody>('GET', `/${id}/plugin_configs`);
    const detail = `API key does not have access to the requested project: ID ${id}.`;
    expect([status, body]).toEqual([403, denied(detail)]);
  }
});

test('a malformed project id returns 404 for bound and unbound keys', async ({ project, service }) => {
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

test('@current is the project of a bound key, or the one with the lowest id', async ({
  service,
  project,
}) => {
  const bound = await service.issueKey({ projectIds: [project.id] });
  const free = await service.issueKey();
  const current = async (token: string) =>
    (await api(service, token)<Wire<'project'>>('GET', '/@current/')).body.id;
  expect(await current(bound.token)).toBe(project.id);
  expect(await current(free.token)).toBe(1);
});
