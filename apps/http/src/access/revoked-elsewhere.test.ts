import { openDatabase, type Database } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { anAuthor } from '@plugin-config/testing';
import { expect, onTestFinished } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { openService, test as base, type Service } from '../testing/service.fixture.ts';

/** Requests with a key that another process has revoked: they must neither take effect nor reveal anything. */
const REQUESTS = [
  ['PATCH', { name: 'Late' }],
  ['PATCH', { name: 'Known' }],
  ['PATCH', { enabled: true, deleted: true }],
  ['PATCH', { order: -1 }],
  ['PATCH', 'no JSON'],
  ['PUT', { plugin: 2 }],
  ['DELETE', undefined],
] as const;

interface Fixtures {
  /** A record that the key has changed. */
  readonly changed: { readonly call: Call; readonly path: string; revoke(): Promise<void> };
}

const test = base.extend<Fixtures>({
  changed: async ({ service, project, database }, use) => {
    const { token, key } = await service.issueKey();
    const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
    const { body } = await call('POST', '/plugin_configs', { body: { plugin: 1, name: 'Known' } });
    const path = `/plugin_configs/${body.id}`;
    await call('PATCH', path, { body: { description: 'Changed' } });
    // Like another process, whose change this one does not notice.
    const revoke = async (): Promise<void> => {
      await database.pool.query('update api_key set revoked_at = now() where id = $1', [key.id]);
    };
    await use({ call, path, revoke });
  },
});

const stored = async ({ ports }: Service, projectId: number) => {
  const family = { projectId, family: 'plugin_configs' } as const;
  const filter = { deleted: false, enabled: null, plugin: null, valid: null, outdated: null, search: null };
  return (await ports.records.list(family, filter, { limit: 10, offset: 0 })).value;
};

test.for(REQUESTS)(
  '%s %j with a key that was revoked elsewhere returns 401 and changes nothing',
  async ([method, body], { service, project, changed: { call, path, revoke } }) => {
    const before = await stored(service, project.id);
    await revoke();
    const { status, headers } = await call(method, path, { body });
    expect([status, headers.get('etag')]).toEqual([401, null]);
    expect(await stored(service, project.id)).toEqual(before);
  },
);

test('a key that was revoked elsewhere neither creates nor replays anything', async ({
  service,
  project,
  changed: { call, revoke },
}) => {
  const once = { body: { plugin: 1 }, headers: { 'idempotency-key': 'once' } };
  expect((await call('POST', '/plugin_configs', once)).status).toBe(201);
  const before = await stored(service, project.id);
  await revoke();
  for (const sent of [once, { body: { plugin: 1 } }, { body: { plugin: 0 } }, { body: {} }])
    expect([sent, (await call('POST', '/plugin_configs', sent)).status]).toEqual([sent, 401]);
  expect((await call('POST', '/plugin_configs?dry_run=true', { body: { plugin: 1 } })).status).toBe(401);
  expect(await stored(service, project.id)).toEqual(before);
});

test('a key that is revoked while its write waits for the family stores nothing, and the 401 reveals nothing', async () => {
  const service = await openService({ rateLimitPerMinute: 1000 });
  onTestFinished(() => service.close());
  const { pool, close } = openDatabase({ url: service.databaseUrl, poolSize: 2, masterKeys: TEST_KEYS });
  onTestFinished(close);
  const project = await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
  const { token, key } = await service.issueKey();
  const call = caller({ base: `${service.url}/api/projects/${project.id}/plugin_configs`, token });
  const { body: record } = await call('POST', '', { body: { plugin: 1, name: 'Known' } });
  const before = await stored(service, project.id);
  const blocker = await pool.connect();
  await blocker.query('begin; select from config_family for update');
  const late = Promise.all([
    call('PATCH', `/${record.id}`, { body: { name: 'Late' } }),
    call('PATCH', `/${record.id}?dry_run=true`, { body: { name: 'Late' } }),
    call('POST', '', { body: { plugin: 1 } }),
  ]);
  await expect.poll(() => waitingForLocks(pool)).toBe(3);
  await service.ports.keys.revoke(key.id, null, anAuthor({ at: new Date() }));
  await blocker.query('commit');
  blocker.release();
  for (const { status, headers } of await late) {
    const revealing = ['ratelimit', 'ratelimit-policy', 'set-cookie', 'dry-run', 'etag'].filter((name) =>
      headers.has(name),
    );
    expect([status, revealing]).toEqual([401, []]);
  }
  expect(await stored(service, project.id)).toEqual(before);
});

async function waitingForLocks(pool: Database['pool']): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
