import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { expect, onTestFinished, vi } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';

const MIB = 1024 * 1024;
const LARGE = { text: 'x'.repeat(200_000) };

const SHARE = 64 * MIB;
/** Room for a small body. */
const SMALL = 100 * 1024;

/** Reserves all but `room` bytes of the memory of an account, like unread responses, and returns a function to release it. */
function fillMemory({ app }: Service, account: number, room = SMALL): () => void {
  const { take, release } = app.gate.memory.reservation(account);
  expect(take(SHARE - room)).toBe('granted');
  onTestFinished(release);
  return release;
}

test('a change is rejected before it is stored if there is no memory for its response; a small one succeeds', async ({
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
  fillMemory(service, key.accountId);

  const rejected = [
    await call('PATCH', path, { body: { name: 'other' } }),
    await call('PUT', path, { body: { plugin: 1, name: 'other' } }),
    await call('PUT', `${path}config/`, { body: { text: 'other' } }),
    await call('POST', `${path}job`, { body: { name: 'other' } }),
    await call('PATCH', '/plugin_configs/rearrange', { body: { plugin: 1, order: 9 } }),
    await call('POST', '/plugin_configs/', keyed),
  ];
  for (const { status, headers } of rejected) {
    expect([status, headers.get('etag'), headers.get('location')]).toEqual([429, null, null]);
    expect(headers.get('idempotent-replayed')).toBeNull();
  }
  const changed = await call('PATCH', `/plugin_configs/${small.id}/`, { body: { name: 'other' } });
  expect([changed.status, changed.body.name]).toEqual([200, 'other']);
  expect(await stored()).toEqual(before);
});

test('two concurrent restores with one key each reserve memory for their response', async ({
  service,
  call,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const path = `/plugin_configs/${record.id}`;
  for (const config of [LARGE, {}]) await call('PUT', `${path}/config`, { body: config });
  const { revisions, probe } = service.ports;
  const isOpen = Promise.withResolvers<void>();
  const find = revisions.find.bind(revisions);
  const found = vi.spyOn(revisions, 'find').mockImplementation(async (...args) => {
    await isOpen.promise;
    return find(...args);
  });
  const admitted = vi.spyOn(probe, 'read');
  const reserved = vi.spyOn(service.app.unsent, 'reserve');
  onTestFinished(() => void vi.restoreAllMocks());
  const restore = () =>
    call('POST', `${path}/revisions/2/restore`, { headers: { 'idempotency-key': 'restore' } });
  const first = restore();
  await until(() => found.mock.calls.length === 1);
  const second = restore();
  await until(() => admitted.mock.settledResults.filter(({ type }) => type === 'fulfilled').length === 2);
  // Now the second one is waiting for the first.
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  isOpen.resolve();
  const responses = await Promise.all([first, second]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(reserved.mock.calls.map(([reply]) => reply)).size).toBe(2);
});
