import { openDatabase, type Database } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { anAuthor } from '@plugin-config/testing';
import { expect, onTestFinished, test } from 'vitest';
import { caller } from '../testing/caller.ts';
import { openService, type Service } from '../testing/service.fixture.ts';

const stored = async ({ ports }: Service, projectId: number) => {
  const family = { projectId, family: 'plugin_configs' } as const;
  const filter = { deleted: false, enabled: null, plugin: null, valid: null, outdated: null, search: null };
  return (await ports.records.list(family, filter, { limit: 10, offset: 0 })).value;
};

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
