import type { WireConfigRecordPage } from '@plugin-config/contract';
import type { ReceivedEvent } from '@plugin-config/conformance';
import type { Database } from '@plugin-config/persistence';
import { expect, vi } from 'vitest';
import { follow } from '../testing/follow.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

/** Ends the history of the database, and all connections of the service, like a failover. */
async function failOver({ pool }: Database): Promise<void> {
  await pool.query('delete from timeline');
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

const timelineOf = (event: ReceivedEvent | null | undefined) => event?.id?.split('.')[0];

test('a response of a lost family version is not sent from the cache', async ({
  call,
  database,
  project,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const path = `/plugin_configs/${record.id}`;
  const read = async () => {
    const list = await call<WireConfigRecordPage>('GET', '/plugin_configs');
    return [(await call('GET', path)).body.name, list.body.results[0]?.name];
  };
  await call('PATCH', path, { body: { name: 'Lost' } });
  expect(await read()).toEqual(['Lost', 'Lost']);
  expect(await read()).toEqual(['Lost', 'Lost']);
  await database.pool.query('update config_record set name = null, version = 1 where id = $1', [record.id]);
  await database.pool.query(
    'update config_family set family_version = family_version - 1, list_version = list_version - 1 where (project_id, family) = ($1, $2)',
    [project.id, 'plugin_configs'],
  );
  await failOver(database);
  await vi.waitFor(async () => expect(await read()).toEqual([null, null]), 5_000);
});

test('tags, cursors and bases from before a failover are not accepted, and a new one is', async ({
  call,
  database,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const path = `/plugin_configs/${record.id}`;
  const document = { format: 1, manager: 'team', plugin_configs: [{ key: 'one', plugin: 2 }] };
  const plan = () => call<Wire<'plan'>>('POST', '/configuration/plan', { body: { document } });
  const read = async () => {
    const [one, list, planned] = [
      await call('GET', path),
      await call('GET', '/plugin_configs'),
      await plan(),
    ];
    expect([one.status, list.status, planned.status]).toEqual([200, 200, 200]);
    const tag = one.headers.get('etag') ?? '';
    return { tag, version: list.headers.get('x-family-version'), base: planned.body.base };
  };
  const use = async ({ tag, version, base }: Awaited<ReturnType<typeof read>>) => [
    (await call('GET', path, { headers: { 'if-none-match': tag } })).status,
    (await call('GET', `/plugin_configs?changed_since=${version}`)).status,
    (await call('PATCH', path, { body: { name: 'New' }, headers: { 'if-match': tag } })).status,
    (await call('POST', '/configuration/apply', { body: { document, base } })).status,
  ];
  const before = await read();
  await failOver(database);
  const after = await vi.waitFor(async () => {
    const found = await read();
    // The connections end a moment later.
    for (const name of ['tag', 'version', 'base'] as const) expect(found[name]).not.toBe(before[name]);
    return found;
  }, 5_000);
  expect(await use(before)).toEqual([200, 400, 412, 412]);
  expect((await use(after)).slice(0, 3)).toEqual([304, 200, 200]);
  const { base } = await read();
  expect((await call('POST', '/configuration/apply', { body: { document, base } })).status).toBe(200);
});

test('open streams are reset by a failover, and continue', async ({ call, database, project, service }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const { token } = await service.issueKey();
  const base = `${service.url}/api/projects/${project.id}/plugin_configs`;
  const urls = [`${base}/stream`, `${base}/${record.id}/logs/stream`];
  const open = (lastEventId?: string) =>
    Promise.all(
      urls.map((url) =>
        follow(url, { token, headers: { ...(lastEventId && { 'last-event-id': lastEventId }) } }),
      ),
    );
  const streams = await open();
  const firsts = await Promise.all(streams.map((stream) => stream.next()));
  await failOver(database);
  const resets = await Promise.all(streams.map(async (stream) => (await stream.named(1))[0]));
  expect(resets).toMatchObject([
    { event: 'reset', data: { reason: 'unknown_cursor' } },
    { event: 'reset', data: { reason: 'unknown_cursor' } },
  ]);
  for (const [i, reset] of resets.entries()) expect(timelineOf(reset)).not.toBe(timelineOf(firsts[i]));
  await vi.waitFor(async () =>
    expect((await call('PATCH', `/plugin_configs/${record.id}`, { body: { name: 'New' } })).status).toBe(200),
  );
  expect(await streams[0]?.named(1)).toMatchObject([{ event: 'record', data: { id: record.id } }]);
  await Promise.all(streams.map((stream) => stream.close()));
});

test('a long poll ends at a failover, and the next one gets the new version', async ({
  call,
  database,
  service,
}) => {
  await call('POST', '/plugin_configs', { body: { plugin: 1, enabled: true } });
  const path = '/plugin_configs/runtime';
  const etag = (await call('GET', path)).headers.get('etag') ?? '';
  const waiting = call('GET', `${path}?wait=30`, { headers: { 'if-none-match': etag } });
  await vi.waitFor(() => expect(service.app.gate.waits.used).toBe(1));
  await failOver(database);
  await vi.waitFor(async () => expect((await call('GET', '/plugin_configs')).status).toBe(200), 5_000);
  expect((await waiting).status).toBe(304);
  expect((await call('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
});
