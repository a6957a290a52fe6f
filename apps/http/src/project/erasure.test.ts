import type { WireErrorBody } from '@plugin-config/contract';
import { postgresPorts } from '@plugin-config/persistence';
import { anAuthor, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { follow } from '../testing/follow.ts';
import { test as base, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

interface Fixtures {
  readonly operator: Call;
  readonly shop: { readonly id: number; readonly name: string };
}

const test = base.extend<Fixtures>({
  operator: async ({ service }, use) => use(await callerWith(service)),
  shop: async ({ service }, use) =>
    use(await service.ports.projects.create({ name: 'Shop' }, anAuthor({ at: new Date() }))),
});

async function callerWith(service: Service, projectIds: readonly number[] = []): Promise<Call> {
  const { token } = await service.issueKey({ scopes: ['*'], projectIds });
  return caller({ base: `${service.url}/api`, token });
}

test('deleting a project by name starts an erasure, which can be followed to its end', async ({
  service,
  database,
  operator,
  shop,
}) => {
  const deleted = await operator<Wire<'erasure'>>('DELETE', `/projects/${shop.id}`, {
    body: { name: 'Shop' },
  });
  expect([deleted.status, deleted.body]).toMatchObject([
    202,
    { project_id: shop.id, state: 'running', finished_at: null },
  ]);
  expect(deleted.headers.get('location')).toBe(`${service.url}/api/erasures/${shop.id}`);
  expect((await operator('GET', `/erasures/${shop.id}`)).body).toEqual(deleted.body);
  const listed = await operator<Wire<'erasurePage'>>('GET', '/erasures');
  expect(listed.body.results).toContainEqual(deleted.body);
  const again = await operator('DELETE', `/projects/${shop.id}`, { body: { name: 'Shop' } });
  expect([again.status, again.body]).toEqual([202, deleted.body]);
  await postgresPorts(database).eraser.finish(shop.id);
  expect((await operator<Wire<'erasure'>>('GET', `/erasures/${shop.id}`)).body).toMatchObject({
    state: 'done',
    finished_at: expect.any(String),
  });
});

test('a deleted project is not found, keys bound to it alone are invalid, and its streams end', async ({
  service,
  operator,
  shop,
}) => {
  const own = await callerWith(service, [shop.id]);
  const record = await aRecord(service.ports, { projectId: shop.id, family: 'plugin_configs' });
  const path = `/projects/${shop.id}/plugin_configs`;
  expect((await own('PATCH', `${path}/${record.id}`, { body: { name: 'New' } })).status).toBe(200);
  const { token } = await service.issueKey();
  await using stream = await follow(`${service.url}/api${path}/stream`, { token });
  await operator('DELETE', `/projects/${shop.id}`, { body: { name: 'Shop' } });
  for (const [method, of] of [
    ['GET', path],
    ['GET', `${path}/${record.id}`],
    ['PATCH', `${path}/${record.id}`],
    ['GET', `/projects/${shop.id}`],
  ] as const) {
    const options = method === 'PATCH' ? { body: { name: 'Late' } } : {};
    expect([of, (await operator(method, of, options)).status]).toEqual([of, 404]);
    expect([of, (await own(method, of, options)).status]).toEqual([of, 401]);
  }
  let [last] = await stream.named(1);
  while (last !== undefined && last.event !== 'end') [last] = await stream.named(1);
  expect(last).toMatchObject({ event: 'end', data: { reason: 'project_deleted' } });
});

test('only an unbound key can delete a project, and only by name', async ({ service, operator, shop }) => {
  const own = await callerWith(service, [shop.id]);
  const path = `/projects/${shop.id}`;
  expect((await own('DELETE', path, { body: { name: 'Shop' } })).status).toBe(403);
  for (const [status, body] of [
    [400, { name: 'shop' }],
    [400, {}],
    [400, undefined],
  ] as const) {
    const rejected = await operator<WireErrorBody>('DELETE', path, { ...(body && { body }) });
    expect([rejected.status, body && rejected.body.attr]).toEqual([status, body && 'name']);
  }
  for (const missing of ['/projects/999999999', '/projects/nonsense', '/projects/@current']) {
    expect((await operator('DELETE', missing, { body: { name: 'Shop' } })).status).toBe(404);
  }
  for (const missing of ['/erasures/999999999', '/erasures/nonsense', `/erasures/${shop.id}`]) {
    expect((await operator('GET', missing)).status).toBe(404);
  }
  expect((await operator('GET', path)).status).toBe(200);
});

test('a dry run deletes nothing', async ({ operator, shop }) => {
  const path = `/projects/${shop.id}`;
  const dry = await operator('DELETE', `${path}?dry_run=true`, { body: { name: 'Shop' } });
  expect([dry.status, dry.headers.get('location')]).toEqual([202, null]);
  expect((await operator('GET', path)).status).toBe(200);
  expect((await operator('GET', `/erasures/${shop.id}`)).status).toBe(404);
});
