import { registerVersion } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aVersion } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/worker.fixture.ts';

const PLUGIN = 9;
const RECORDS = 300;
const author = anAuthor({ at: new Date() });
const SECOND = aVersion({
  version: '2',
  schemaVersion: 2,
  configSchema: [{ key: 'region', type: 'string' }],
  migrations: [{ from: 1, steps: [{ default: { key: 'region', value: 'eu' } }] }],
});

test('all records are upgraded once, even if the worker is killed in between', async ({ bed }) => {
  await bed.ports.plugins.register(aPlugin({ id: PLUGIN }), new Map(), author);
  await registerVersion(bed.ports, PLUGIN, aVersion({ version: '1', checks: true }), author);
  const family = await aFamily(bed.ports);
  await bed.rows(
    `insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version)
    select $1, $2, $3, true, n, false, now(), now(), 1 from generate_series(1, $4::integer) n`,
    [family.projectId, family.family, PLUGIN, RECORDS],
  );
  await registerVersion(bed.ports, PLUGIN, SECOND, author);
  await bed.ports.pluginVersions.change(PLUGIN, '2', { state: 'current' }, author);
  await bed.ports.upgrades.start(PLUGIN, '2', { force: false }, author);
  const upgraded = async () =>
    (await bed.rows(`select from config_record where plugin = $1 and schema_version = 2`, [PLUGIN])).length;
  const killed = bed.run();
  await expect.poll(upgraded, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  await killed.exited;
  // The lease of the killed worker ends, instead of waiting for it.
  await bed.rows('update task set lease_until = statement_timestamp() where lease_until is not null');
  const { stop } = await bed.serve();
  const progressOf = async () => (await bed.ports.upgrades.find(PLUGIN, '2'))?.progress;
  const counts = { needsInput: 0, unsupported: 0, pinned: 0 };
  await expect
    .poll(progressOf, { interval: 100, timeout: 30_000 })
    .toEqual({ total: RECORDS, done: RECORDS, upgraded: RECORDS, ...counts });
  await stop();
  expect(
    await bed.rows(
      `select r.version::int, count(*)::int as records from config_record r
      join activity a on a.record_id = r.id join config_revision v on v.record_id = r.id
      where r.plugin = $1 group by 1`,
      [PLUGIN],
    ),
  ).toEqual([{ version: 2, records: RECORDS }]);
});

test('the deadline of a version is noticed by a worker', async ({ bed }) => {
  await bed.ports.plugins.register(aPlugin({ id: 10 }), new Map(), author);
  await registerVersion(bed.ports, 10, aVersion({ version: '1', checks: true }), author);
  await registerVersion(bed.ports, 10, SECOND, author);
  await bed.ports.pluginVersions.change(10, '2', { state: 'current' }, author);
  const upgradeBy = new Date(Date.now() - 1_000);
  await bed.ports.pluginVersions.change(10, '1', { state: 'deprecated', upgradeBy }, author);
  await bed.rows(`update task set due_at = null where kind = 'deadlines'`);
  const { stop } = await bed.serve();
  await expect
    .poll(() => bed.ports.upgrades.find(10, '2'), { timeout: 30_000 })
    .toMatchObject({ state: 'succeeded', overdueSchema: 1, actor: { label: 'service' } });
  await stop();
});
