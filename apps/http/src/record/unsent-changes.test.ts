import { tenantOf } from '@plugin-config/domain';
import type { FastifyReply } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';

const MIB = 1024 * 1024;
const LARGE = { text: 'x'.repeat(200_000) };

/** Reserves nearly all that the tenant may leave unsent, as answers do that nobody reads. */
function leaveUnsent({ app }: Service, tenant: number): void {
  const closed: (() => void)[] = [];
  const raw = { destroyed: false, once: (_event: 'close', release: () => void) => closed.push(release) };
  app.unsent.reserve({ request: { raw: { tenant } }, raw } as unknown as FastifyReply, 32 * MIB - 1000);
  onTestFinished(() => closed.forEach((release) => release()));
}

test('a change whose answer has no room is refused before it is stored, and a small one is stored and answered', async ({
  service,
  project,
}) => {
  const { key, token } = await service.issueKey();
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  const { body: large } = await call('POST', '/plugin_configs/', { body: { plugin: 1 } });
  const { body: small } = await call('POST', '/plugin_configs/', { body: { plugin: 2 } });
  const keyed = { headers: { 'idempotency-key': 'once' }, body: { plugin: 3 } };
  const { body: once } = await call('POST', '/plugin_configs/', keyed);
  for (const { id } of [large, once]) await call('PUT', `/plugin_configs/${id}/config/`, { body: LARGE });
  const path = `/plugin_configs/${large.id}/`;
  const { records, jobs } = service.ports;
  const ref = { projectId: project.id, family: 'plugin_configs', id: large.id } as const;
  const stored = async () => [
    (await records.find(ref)).value,
    await jobs.page(ref, { state: null }, { limit: 10, offset: 0 }),
  ];
  const before = await stored();
  leaveUnsent(service, tenantOf(key));

  const refused = [
    await call('PATCH', path, { body: { name: 'other' } }),
    await call('PUT', path, { body: { plugin: 1, name: 'other' } }),
    await call('PUT', `${path}config/`, { body: { text: 'other' } }),
    await call('POST', `${path}job`, { body: { job: { type: 'export', payload: {}, operation: 'start' } } }),
    await call('PATCH', '/plugin_configs/rearrange', { body: { plugin: 1, order: 9 } }),
    await call('POST', '/plugin_configs/', keyed),
  ];
  for (const { status, headers } of refused) {
    expect([status, headers.get('etag'), headers.get('location')]).toEqual([503, null, null]);
    expect(headers.get('idempotent-replayed')).toBeNull();
  }
  const changed = await call('PATCH', `/plugin_configs/${small.id}/`, { body: { name: 'other' } });
  expect([changed.status, changed.body.name]).toEqual([200, 'other']);
  expect(await stored()).toEqual(before);
});
